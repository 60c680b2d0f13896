#!/usr/bin/env bash
# Runs fuzz targets on the stable toolchain: libFuzzer and its coverage, without the address sanitizer.
# Usage: bash fuzz/stable.sh TARGET..    (RUNS=1000000 inputs each)
set -euo pipefail
cd "$(dirname "$0")"
triple=$(rustc -vV | sed -n 's/^host: //p')
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
coverage+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
coverage+=" -Cllvm-args=-sanitizer-coverage-trace-compares"
export RUSTFLAGS="$coverage -Cdebug-assertions -Coverflow-checks --cfg fuzzing"
for target in "$@"; do
    # With a target triple the flags stay away from build scripts, which have no fuzzer to link to.
    cargo build --release --locked --target "$triple" --bin "$target"
    mkdir -p "corpus/$target" artifacts
    seeds=("seeds/$target")
    if [ "$target" = table ]; then seeds+=(../fixtures/attacks/tables); fi
    "target/$triple/release/$target" "corpus/$target" "${seeds[@]}" \
        -runs="${RUNS:-1000000}" -dict=words.dict -artifact_prefix="artifacts/$target-" -print_final_stats=1
done
