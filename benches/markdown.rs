//! How long a body takes: 350 words with claims, links and notes, and one CUDA listing.

use countersign::diagnostic::Diagnostics;
use countersign::highlight::{Language, highlight};
use countersign::model::config::RawHtml;
use countersign::parse::markdown::{BodyContext, read};
use countersign::source::FileId;

const PARAGRAPH: &str = "A load from [[global memory]] takes hundreds of cycles, and a *resident* warp that \
needs its value must wait. The scheduler issues from another [[warp|warps]] whose next instruction is ready, so the \
slot is not lost.[^guide] Four items a thread took [32](<= t4.ilp4-b1.registers>) registers, where one took \
[10](<= t4.tlp1.registers>); the same `gbps` cost a factor of [1.02](<= t4.ilp4-b1.ms / t4.tlp1.ms>) in time \
(see [the lesson](../lessons/occupancy.md#cost)).\n\n";

const LISTING: &str = r"// C = A x B, row by row: one output a thread.
__global__ void product_row(const float* a, const float* b, float* c)
{
    const int row = blockIdx.x;   // four blocks, one for each row of C
    const int col = threadIdx.x;  // 32 threads a block, one for each column

    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) {
        const float from_a = __ldg(&a[4 * row + k]);
        const float from_b = b[32 * k + col];
        sum = fmaf(from_a, from_b, sum);
    }
    c[32 * row + col] = sum;
}

int main() {
    product_row<<<4, 32>>>(a, b, c);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
";

fn body() -> String {
    let mut body = String::new();
    for heading in ["One source of work", "Another", "What it costs"] {
        body.push_str("## ");
        body.push_str(heading);
        body.push_str("\n\n");
        body.push_str(PARAGRAPH);
        body.push_str(PARAGRAPH);
    }
    body.push_str("| k | product |\n| --- | --- |\n| 0 | 1 |\n| 1 | 2 |\n\n```cuda\n");
    body.push_str(LISTING);
    body.push_str("```\n");
    body
}

fn main() {
    divan::main();
}

#[divan::bench]
fn a_body(bencher: divan::Bencher<'_, '_>) {
    let body = body();
    let cx = BodyContext {
        source_ids: &["guide"],
        ..BodyContext::new(FileId::new(0), 0, RawHtml::Sanitize)
    };
    bencher.bench_local(|| {
        let mut out = Diagnostics::new();
        let doc = read(divan::black_box(&body), &cx, &mut out);
        assert!(out.is_empty());
        doc
    });
}

/// The floor: the same text through the parser's own writer, without findings, ids, claims and
/// highlighting.
#[divan::bench]
fn the_parser_alone(bencher: divan::Bencher<'_, '_>) {
    let body = body();
    bencher.bench_local(|| {
        let mut html = String::new();
        let options = pulldown_cmark::Options::all();
        let parser = pulldown_cmark::Parser::new_ext(divan::black_box(&body), options);
        pulldown_cmark::html::push_html(&mut html, parser);
        html
    });
}

#[divan::bench]
fn a_listing(bencher: divan::Bencher<'_, '_>) {
    bencher.bench_local(|| {
        let mut html = String::new();
        highlight(divan::black_box(LISTING), Language::Cuda, &mut html);
        html
    });
}
