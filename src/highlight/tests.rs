//! What is highlighted as what.

use super::*;

fn shown(code: &str, language: Language) -> String {
    let mut html = String::new();
    highlight(code, language, &mut html);
    html.replace("<span class=\"hl-", "[")
        .replace("</span>", "]")
        .replace("\">", " ")
}

#[test]
fn cuda() {
    let code = "#include <cstdio>\n__global__ void k(const float4* a) {\n  int i = blockIdx.x; // row\n  sum = fmaf(__ldg(a), 0x1Fu, 1.0e-3f);\n}\nk<<<(n + 255) / 256, 256>>>(x, R\"(\")\");\nstd::vector<int> v; size_t n = 1'000;\n";
    assert_eq!(
        shown(code, Language::Cuda),
        "[p #include] [s &lt;cstdio&gt;]\n[b __global__] [t void] [f k]([k const] [t float4]* a) {\n  \
         [t int] i = [b blockIdx].x; [c // row]\n  sum = [f fmaf]([b __ldg](a), [n 0x1Fu], [n 1.0e-3f]);\n}\n\
         k[o &lt;&lt;&lt;](n + [n 255]) / [n 256], [n 256][o &gt;&gt;&gt;](x, [s R\"(\")\"]);\n\
         std::[t vector]&lt;[t int]&gt; v; [t size_t] n = [n 1'000];\n"
    );
}

#[test]
fn rust_and_python() {
    assert_eq!(
        shown(
            "#[test]\nfn f<'a>(x: &'a str) -> Vec<u8> { println!(\"{}\", r#\"a\"b\"#); 'x'; 1..2 /* a /* b */ c */ }",
            Language::Rust
        ),
        "[p #[test]]\n[k fn] f&lt;'a&gt;(x: &amp;'a [t str]) -&gt; [t Vec]&lt;[t u8]&gt; { [f println]!([s \"{}\"], [s r#\"a\"b\"#]); [s 'x']; [n 1]..[n 2] [c /* a /* b */ c */] }"
    );
    assert_eq!(
        shown(
            "@jit\ndef f(x):  # doc\n    return f\"{x}\" + '''a\nb''' + len(1.5)",
            Language::Python
        ),
        "[p @jit]\n[k def] [f f](x):  [c # doc]\n    [k return] [s f\"{x}\"] + [s '''a\nb'''] + [b len]([n 1.5])"
    );
}

#[test]
fn shells_and_data() {
    assert_eq!(
        shown(
            "$ ncu --set full -o \"r\" ./a.out # go\nout if 3\n",
            Language::Console
        ),
        "[p $] [f ncu] [b --set] full [b -o] [s \"r\"] ./a.out [c # go]\nout if 3\n"
    );
    assert_eq!(
        shown("if true; then A=1 echo ${A} $B; fi", Language::Shell),
        "[k if] [f true]; [k then] [t A]=1 [f echo] [t ${A}] [t $B]; [k fi]"
    );
    assert_eq!(
        shown(
            "[a.b] # c\nx-y = \"v\"\nn = [1, 2.5, true]\n",
            Language::Toml
        ),
        "[k [a.b]] [c # c]\n[t x-y] = [s \"v\"]\nn = [[n 1], [n 2.5], [k true]]\n"
            .replace("\nn =", "\n[t n] =")
    );
    assert_eq!(
        shown(
            "a: b # c\n- {x y: 0.70, z: \"q: r\"}\nurl: http://x:1\n",
            Language::Yaml
        ),
        "[t a]: b [c # c]\n- {[t x y]: [n 0.70], [t z]: [s \"q: r\"]}\n[t url]: http://x:1\n"
    );
    assert_eq!(
        shown("{\"a\": [1, \"b\", null]}", Language::Json),
        "{[t \"a\"]: [[n 1], [s \"b\"], [k null]]}"
    );
}

#[test]
fn instructions_and_markup() {
    assert_eq!(
        shown(
            "@%p1 mma.sync {%f0}, 0x10; // x\n.reg .f32 %f<4>;\nL1:",
            Language::Ptx
        ),
        "[b @%p1] [k mma.sync] {[b %f0]}, [n 0x10]; [c // x]\n[p .reg] [p .f32] [b %f]&lt;[n 4]&gt;;\n[t L1]:"
    );
    assert_eq!(
        shown("/*0010*/ @!P0 LDG.E R4, [R2.64+0x8] ;", Language::Sass),
        "[c /*0010*/] [b @!P0] [k LDG.E] [b R4], [[b R2.64]+[n 0x8]] ;"
    );
    assert_eq!(
        shown("<!-- c --><a href='x'>b &amp; c</a>", Language::Html),
        "[c &lt;!-- c --&gt;][k &lt;a] [t href]=[s 'x'][k &gt;]b [b &amp;amp;] c[k &lt;/a][k &gt;]"
    );
}

proptest::proptest! {
    /// No lexer loses, adds or reorders a character, whatever the listing.
    #[test]
    fn text_comes_out_letter_for_letter(code in "([a-zA-Z0-9_é線 \n\t\"'`#/*<>$@%&{}()\\[\\]:;,.=+!\\\\-]|//|/\\*|\"\"\"|r#|R\"){0,60}") {
        for name in ["cuda", "c", "rust", "py", "sh", "console", "toml", "yaml", "json", "ptx", "sass", "html"] {
            let Some(language) = Language::named(name) else { panic!("{name}") };
            let mut html = String::new();
            highlight(&code, language, &mut html);
            let mut plain = String::new();
            let mut rest = html.as_str();
            while let Some(at) = rest.find('<') {
                plain.push_str(&rest[..at]);
                let tag = rest[at..].find('>').map_or(rest.len(), |end| at + end + 1);
                rest = &rest[tag..];
            }
            plain.push_str(rest);
            let plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            proptest::prop_assert_eq!(&plain, &code, "{}", name);
        }
    }
}
