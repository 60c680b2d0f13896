#!/usr/bin/env bash
# Builds Play and Make as a folder that any web server can host: no server of ours, no model.
#
#     rustup target add wasm32-unknown-unknown
#     bash scripts/studio-static.sh [FOLDER]        (default: studio/dist-static)
#
# Needs Node for the page (npm ci runs in crates/studio/page). The web server must give engine.wasm the
# type application/wasm; this policy is enough for the page:
#     default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self';
#     img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
# A test opens the folder in Chromium: cd crates/studio/page && DIST_STATIC=FOLDER node --test tests/static.test.mjs
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-studio/dist-static}")
target=${CARGO_TARGET_DIR:-target}
if [ ! -d "$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)" ]; then
    echo "error: this Rust cannot compile for pages: its library for wasm32-unknown-unknown is missing" >&2
    echo "hint: rustup target add wasm32-unknown-unknown" >&2
    exit 1
fi
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "error: node or npm is not installed, and the page is built with them" >&2
    echo "hint: apt-get install nodejs npm" >&2
    exit 1
fi
cargo rustc --release --locked -p genvp-studio --lib --no-default-features --crate-type cdylib \
    --target wasm32-unknown-unknown -- -C strip=symbols
wasm=$(realpath "$target/wasm32-unknown-unknown/release/genvp_studio.wasm")
cd crates/studio/page
[ -e node_modules ] || npm ci --ignore-scripts --no-audit --no-fund
node build.mjs --static "$out" --wasm "$wasm"
ls -l "$out"
