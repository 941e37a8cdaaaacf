#!/bin/sh
# Fuzzes each target for a time and says how often it ran: fuzz/run.sh [SECONDS [TARGET...]]
# Needs a nightly toolchain and `cargo install cargo-fuzz`. Stops at the first fault of a target,
# leaves the input under fuzz/artifacts, and goes on with the next one.
set -eu
cd "$(dirname "$0")/.."
seconds="${1:-600}"
[ $# -gt 0 ] && shift
[ $# -eq 0 ] && set -- $(ls fuzz/fuzz_targets | sed 's/[.]rs$//')

FUZZ_SEEDS="$PWD/fuzz/seeds" cargo test --quiet --test fuzz_bounded >/dev/null
cargo +nightly fuzz build --sanitizer none
failed=0
for target in "$@"; do
    mkdir -p "fuzz/corpus/$target"
    log="fuzz/corpus/$target.log"
    if cargo +nightly fuzz run --sanitizer none "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        "-dict=fuzz/seeds/$target.dict" "-max_total_time=$seconds" -timeout=30 -rss_limit_mb=4096 \
        -max_len=65536 -print_final_stats=1 >"$log" 2>&1; then
        word=clean
    else
        word=FAULT
        failed=1
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$target: ${runs:-0} executions in $seconds s, $word"
done
exit "$failed"
