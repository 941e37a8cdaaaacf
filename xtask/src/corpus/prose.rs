//! Sentences and listings that read like a glossary's and say nothing of a real device.

use super::random::Random;

const THINGS: [&str; 24] = [
    "the scheduler",
    "a resident warp",
    "the memory system",
    "the load unit",
    "an idle slot",
    "the register file",
    "a second block",
    "the last lane",
    "the compiler",
    "a stalled warp",
    "the cache line",
    "the first request",
    "an independent load",
    "the issue port",
    "a longer queue",
    "the shared tile",
    "a barrier",
    "the next instruction",
    "the profiler",
    "a wider access",
    "the outer loop",
    "the accumulator",
    "a full sector",
    "the launch",
];

const DOES: [&str; 16] = [
    "waits for",
    "covers",
    "hides behind",
    "competes with",
    "hands its place to",
    "is counted beside",
    "arrives before",
    "depends on",
    "outlives",
    "shares its slot with",
    "is issued after",
    "fills the gap left by",
    "is cheaper than",
    "cannot start without",
    "gives way to",
    "keeps busy",
];

const SENTENCES: [&str; 18] = [
    "In most kernels {a} {v} {b}, and the difference shows only under load.",
    "When {a} {v} {b}, the cycles in between belong to whoever is ready.",
    "It matters little how fast {a} is as long as {b} has something else to do.",
    "Ask first whether {a} {v} {b}; only then is the width of the access worth a look.",
    "Nothing in the instruction stream says that {a} {v} {b}, so the hardware keeps the books.",
    "The cost is paid once for each group, because {a} {v} {b}.",
    "A reader who knows that {a} {v} {b} can predict the shape of the curve.",
    "Where {a} runs out, {b} takes over, and the two are easy to mistake for each other.",
    "Doubling the one without the other moves the limit from {a} to {b}.",
    "The picture changes when {a} {v} {b} for more than a few hundred cycles.",
    "Two requests that look alike differ in this: one {v} {b}, the other does not.",
    "Measured in isolation, {a} seems to be the bottleneck; in company it is {b}.",
    "For a short loop the compiler arranges this by itself, and {a} {v} {b} at no cost.",
    "That is why {a} appears in the profile long before {b} does.",
    "As soon as {a} {v} {b}, more of the same brings nothing.",
    "The rule of thumb fails for small inputs, where {a} never meets {b}.",
    "Each step needs its operands in place, and {a} {v} {b} until they are.",
    "None of it changes the result; {a} {v} {b}, and only the time differs.",
];

const TYPES: [&str; 4] = ["float", "double", "int", "unsigned int"];
const NAMES: [&str; 8] = [
    "scale",
    "multiply",
    "accumulate",
    "gather",
    "reduce",
    "blend",
    "shift",
    "stage",
];

/// One sentence that says what an entry is.
pub(super) fn short(name: &str, random: &mut Random) -> String {
    let (a, v, b) = (
        random.pick(&THINGS),
        random.pick(&DOES),
        random.pick(&THINGS),
    );
    format!("A {name} says how often {a} {v} {b} while a kernel runs.")
}

/// The words of a body: six paragraphs.
pub(super) fn paragraphs(name: &str, random: &mut Random) -> Vec<String> {
    (0..6)
        .map(|place| {
            let first = match place {
                0 => format!("The name {name} goes back to the days of vector machines."),
                3 => format!("A {name} is seldom alone."),
                _ => String::new(),
            };
            let sentences: Vec<_> = [first]
                .into_iter()
                .chain((0..3).map(|_| sentence(random)))
                .filter(|sentence| !sentence.is_empty())
                .collect();
            sentences.join(" ")
        })
        .collect()
}

fn sentence(random: &mut Random) -> String {
    let text = random.pick(&SENTENCES);
    text.replace("{a}", random.pick(&THINGS))
        .replace("{v}", random.pick(&DOES))
        .replace("{b}", random.pick(&THINGS))
}

/// A kernel of CUDA C++.
pub(super) fn listing(random: &mut Random) -> String {
    let (of, name) = (random.pick(&TYPES), random.pick(&NAMES));
    let items = 1 << random.below(4);
    let threads = 64 << random.below(4);
    format!(
        "// Each thread takes {items} items, a stride of the grid apart.\n\
         template <int Items>\n\
         __global__ void {name}(const {of}* __restrict__ a, const {of}* __restrict__ b, {of}* out, int n) {{\n\
         \x20   __shared__ {of} tile[{threads}];\n\
         \x20   const int first = blockIdx.x * blockDim.x + threadIdx.x;\n\
         \x20   const int stride = gridDim.x * blockDim.x;\n\
         \x20   {of} x[Items], y[Items];\n\
         #pragma unroll\n\
         \x20   for (int k = 0; k < Items; ++k) {{\n\
         \x20       const int i = first + k * stride;\n\
         \x20       x[k] = i < n ? __ldg(&a[i]) : {of}{{0}};\n\
         \x20       y[k] = i < n ? __ldg(&b[i]) : {of}{{0}};\n\
         \x20   }}\n\
         \x20   tile[threadIdx.x] = x[0] * y[0];\n\
         \x20   __syncthreads();  // every lane has its product\n\
         \x20   for (int k = 0; k < Items; ++k) {{\n\
         \x20       if (first + k * stride < n) out[first + k * stride] = x[k] * y[k];\n\
         \x20   }}\n\
         }}\n\n\
         int main() {{\n\
         \x20   {name}<{items}><<<1024, {threads}>>>(a, b, out, 1 << 24);\n\
         \x20   return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;\n\
         }}\n"
    )
}

/// A body in Markdown. How a number, a link, the listing and the table are written differs
/// between generators; where they stand does not.
pub(super) fn body(
    entry: &super::entry::Entry,
    (claims, links): (&[String], &[String]),
    listing: &str,
    table: &str,
    text: &mut String,
) {
    let [p0, p1, p2, p3, p4, p5] = [0, 1, 2, 3, 4, 5].map(|place| entry.paragraphs[place].as_str());
    let parts = [
        format!("{p0} It is close to the {}.[^guide]", links[0]),
        p1.to_owned(),
        format!(
            "## How a {} shows\n\n{p2} See also the {}.",
            entry.name, links[1]
        ),
        listing.to_owned(),
        p3.to_owned(),
        "## One experiment\n\nThe same product was computed four ways.".to_owned(),
        table.to_owned(),
        format!(
            "- The first row keeps {} loads in flight; the third keeps {}.\n\
             - The second row takes {} times as long as the first.\n\
             - The third takes {} times as long as the second.[^tuning]",
            claims[0], claims[1], claims[2], claims[3]
        ),
        p4.to_owned(),
        format!("## What to ask\n\n{p5}"),
    ];
    text.push_str(&parts.join("\n\n"));
    text.push('\n');
}
