//! `sign`: whom it lets sign, what it shows, what it writes.

use super::shop::{Shop, key, public_key};

const AUTHOR: &str = "content/terms/warp.author.toml";
const REVIEWER: &str = "content/terms/warp.reviewer.toml";
const WARP: &str = "content/terms/warp.md";

fn sign_both(shop: &Shop) {
    shop.run(&["sign", "warp", "--as", "author", "--person", "Ada Lovelace"])
        .ended(0);
    shop.run(&[
        "sign",
        "warp",
        "--as",
        "reviewer",
        "--person",
        "Grace Hopper",
    ])
    .ended(0);
}

#[test]
fn two_people_sign_and_the_entry_is_published() {
    let shop = Shop::new();
    shop.run(&["check"]).ended(1);
    let first = shop
        .run(&["sign", "warp", "--as", "author", "--person", "ada lovelace"])
        .ended(0);
    for shown in [
        "What is a warp?",
        "term `warp`, signed as author by Ada Lovelace on 2026-10-01",
        "numbers with their formulas: 1\n    1.02 = t4.four.ms / t4.one.ms\n",
        "t4: 2 rows, Tesla T4",
        "CUDA Programming Guide, checked 2026-08-30",
        "You have not signed this entry before.",
        "it waits for its reviewer",
    ] {
        assert!(first.out.contains(shown), "{shown}\n{}", first.out);
    }
    let statement = shop.read(AUTHOR);
    assert!(statement.contains("person = \"Ada Lovelace\"\nsigned_on = 2026-10-01\n"));
    assert!(!statement.contains("supersedes"));
    let second = shop
        .run(&[
            "sign",
            "warp",
            "--as",
            "reviewer",
            "--person",
            "Grace Hopper",
        ])
        .ended(0);
    assert!(second.out.contains("can be published"), "{}", second.out);
    shop.run(&["check", "--no-drafts"]).ended(0);
    let left: Vec<_> = std::fs::read_dir(shop.path("content/terms"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn statements_hold_wherever_a_build_is_for() {
    let shop = Shop::new();
    sign_both(&shop);
    let elsewhere = "https://staging.example/preview/";
    shop.run(&["build", "--png", "none", "--base-url", elsewhere])
        .ended(0);
    assert!(shop.has("public/terms/warp/index.html"));
    let page = shop.read("public/terms/warp/index.html");
    assert!(page.contains("https://staging.example/preview/terms/warp/"));
}

#[cfg(unix)]
#[test]
fn a_statement_is_as_readable_as_other_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let shop = Shop::new();
    sign_both(&shop);
    let mode = |path: &str| {
        let metadata = std::fs::metadata(shop.path(path)).expect("a file");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode(AUTHOR), mode(WARP));
}

#[test]
fn an_entry_in_a_folder_has_its_statements_there() {
    let shop = Shop::new();
    let text = shop.read(WARP);
    std::fs::remove_file(shop.path(WARP)).expect("removes");
    shop.write("content/terms/warp/index.md", &text);
    sign_both(&shop);
    assert!(shop.has("content/terms/warp/author.toml"));
    shop.run(&["check", "--no-drafts"]).ended(0);
}

#[test]
fn who_is_not_named_cannot_sign() {
    let shop = Shop::new();
    for (role, person, why) in [
        (
            "author",
            "Grace Hopper",
            "names “Ada Lovelace” in that role",
        ),
        (
            "reviewer",
            "Alan Turing",
            "names “Grace Hopper” in that role",
        ),
        ("author", "pending", "cannot sign"),
    ] {
        let ran = shop
            .run(&["sign", "warp", "--as", role, "--person", person])
            .ended(1);
        assert!(ran.err.contains("nothing was signed"), "{}", ran.err);
        assert!(ran.err.contains(why), "{}", ran.err);
        assert!(!shop.has(AUTHOR) && !shop.has(REVIEWER));
    }
    let ran = shop
        .run(&["sign", "wrap", "--as", "author", "--person", "Ada Lovelace"])
        .ended(2);
    assert!(ran.err.contains("did you mean `warp`?"), "{}", ran.err);
}

#[test]
fn an_entry_with_faults_is_not_signed() {
    let shop = Shop::new();
    shop.edit(WARP, "[1.02]", "[1.03]");
    let ran = shop
        .run(&["sign", "warp", "--as", "author", "--person", "Ada Lovelace"])
        .ended(1);
    assert!(ran.err.contains("claim-mismatch"), "{}", ran.err);
    assert!(ran.err.contains("`warp` has 1 error"), "{}", ran.err);
    assert!(!shop.has(AUTHOR));
    // A fault of another entry keeps nobody from signing this one.
    shop.edit(WARP, "[1.03]", "[1.02]");
    shop.write(
        "content/terms/lane.md",
        "---\ntitle: What is a lane?\n---\n",
    );
    sign_both(&shop);
}

#[test]
fn what_changed_since_the_last_signature_is_shown() {
    let shop = Shop::new();
    shop.commit("Write about warps");
    sign_both(&shop);
    shop.commit("Sign");
    let signed = shop.read(AUTHOR);
    shop.edit(WARP, "0.798", "0.814");
    shop.edit(WARP, "1.02", "1.04");
    shop.edit(WARP, "A warp is", "A warp has");
    shop.commit("Measure again");
    let ran = shop
        .run(&["sign", "warp", "--as", "author", "--person", "Ada Lovelace"])
        .ended(0);
    for shown in [
        "Changed since you signed",
        "measured.t4.rows.four.ms: 0.798 → 0.814",
        "A warp [-is-]{+has+} thirty-two",
    ] {
        assert!(ran.out.contains(shown), "{shown}\n{}", ran.out);
    }
    let line = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| Some(line.split_once(" = ")?.1.to_owned()))
    };
    let now = shop.read(AUTHOR);
    assert_eq!(line(&now, "supersedes"), line(&signed, "claims"));
    assert_ne!(line(&now, "claims"), line(&signed, "claims"));
    // Signing once more changes nothing but the day, and keeps what was superseded.
    let ran = shop
        .run(&["sign", "warp", "--as", "author", "--person", "Ada Lovelace"])
        .ended(0);
    assert!(ran.out.contains("only the day changes"), "{}", ran.out);
    assert_eq!(shop.read(AUTHOR), now);
}

#[test]
fn without_a_history_it_says_that_the_change_cannot_be_shown() {
    let shop = Shop::new();
    sign_both(&shop);
    shop.edit(WARP, "A warp is", "A warp has");
    let ran = shop
        .run(&["sign", "warp", "--as", "author", "--person", "Ada Lovelace"])
        .ended(0);
    assert!(
        ran.out.contains("what changed cannot be shown"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("git says:"), "{}", ran.out);
}

#[test]
fn new_check_dates_need_one_of_the_two() {
    let shop = Shop::new();
    sign_both(&shop);
    shop.edit(WARP, "checked: 2026-08-30", "checked: 2026-09-29");
    shop.run(&["check"]).ended(1);
    let ran = shop
        .run(&[
            "sign",
            "warp",
            "--as",
            "reviewer",
            "--person",
            "Grace Hopper",
        ])
        .ended(0);
    assert!(ran.out.contains("its check dates are new"), "{}", ran.out);
    shop.run(&["check", "--no-drafts"]).ended(0);
}

fn with_keys() -> Shop {
    let shop = Shop::new();
    shop.edit("site.toml", "attested", "signed");
    shop.write(
        "content/people.yaml",
        &format!(
            "ada: {{name: Ada Lovelace, keys: [\"{}\", \"{}\"]}}\ngrace: {{name: Grace Hopper, keys: [\"{}\"]}}\n",
            public_key("ada"),
            public_key("ada-locked"),
            public_key("grace")
        ),
    );
    shop
}

#[test]
fn keys_of_the_registry_sign() {
    let shop = with_keys();
    let ada = ["sign", "warp", "--as", "author", "--person", "ada", "--key"];
    let grace = [
        "sign", "warp", "--as", "reviewer", "--person", "grace", "--key",
    ];
    let ran = shop.run(&[&grace[..], &[&key("ada")]].concat()).ended(1);
    assert!(
        ran.err
            .contains("the registry does not give the key SHA256:"),
        "{}",
        ran.err
    );
    let ran = shop.run(&[&ada[..], &[&key("ada.pub")]].concat()).ended(1);
    assert!(ran.err.contains("public half"), "{}", ran.err);
    let ran = shop
        .run(&[&ada[..], &[&key("ada-locked")]].concat())
        .ended(1);
    assert!(ran.err.contains("locked with a passphrase"), "{}", ran.err);
    shop.run(&[&ada[..], &["no-such-key"]].concat()).ended(2);
    assert!(!shop.has(AUTHOR) && !shop.has(REVIEWER));

    shop.run(&[&ada[..], &[&key("ada")]].concat()).ended(0);
    let ran = shop.run(&[&grace[..], &[&key("grace")]].concat()).ended(0);
    assert!(ran.out.contains("can be published"), "{}", ran.out);
    assert!(shop.read(AUTHOR).contains("person = \"ada\""));
    shop.run(&["check", "--no-drafts"]).ended(0);
    openssh_verifies(&shop);

    // A registry that is gone is one fault, whomever it keeps from being published.
    let people = shop.read("content/people.yaml");
    std::fs::remove_file(shop.path("content/people.yaml")).expect("removes");
    let ran = shop.run(&["check"]).ended(1);
    assert_eq!(ran.out.matches("error[").count(), 1, "{}", ran.out);
    for part in ["error[CS109", "--> site.toml", "content/people.yaml"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    shop.write("content/people.yaml", &people);

    // Without a key the old signature would be of another text: it is taken away.
    shop.edit(WARP, "A warp is", "A warp has");
    let ran = shop.run(&ada[..6]).ended(0);
    assert!(ran.out.contains("will be removed"), "{}", ran.out);
    for told in [
        "This site counts signed statements only.",
        "written, not signed: content/terms/warp.author.toml\nIt does not count yet",
        "\n  countersign sign warp --as author --person 'Ada Lovelace' --key FILE\n",
        "\n  ssh-keygen -Y sign -n countersign-author@example.org -f FILE content/terms/warp.author.toml\n",
    ] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
    assert!(!ran.out.contains("Commit"), "{}", ran.out);
    assert!(!shop.has(&format!("{AUTHOR}.sig")));
    let ran = shop.run(&["check"]).ended(1);
    assert!(ran.out.contains("carries no signature"), "{}", ran.out);
}

fn openssh_verifies(shop: &Shop) {
    shop.write("allowed", &format!("grace {}\n", public_key("grace")));
    let statement = std::fs::File::open(shop.path(REVIEWER)).expect("a statement");
    let verified = std::process::Command::new("ssh-keygen")
        .current_dir(shop.root())
        .args(["-Y", "verify", "-f", "allowed", "-I", "grace"])
        .args(["-n", "countersign-reviewer@example.org", "-s"])
        .arg(format!("{REVIEWER}.sig"))
        .stdin(statement)
        .output()
        .expect("`ssh-keygen` must be installed (Debian: openssh-client)");
    assert!(verified.status.success(), "{verified:?}");
}
