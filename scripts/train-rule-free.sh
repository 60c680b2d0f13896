#!/usr/bin/env bash
# Models that learn from images and the answer's place alone, one for each layout, and how well they answer.
#   scripts/train-rule-free.sh [LAYOUT...]      all seven unless some are named
#   GENVP=target/release/genvp  RUNS=runs/rule-free  SEED=71  EXAM=200 (puzzles of the evaluation seed)  THREADS=all cores
#   PUZZLES=as many as stated below
#
# The batch holds no rules, no values and no layout: what is known of a layout is where its windows are. Nobody says
# what the blocks of Z_o and the rows of R stand for; there are more of them than attributes, because with just as many the
# answers were not learned (docs/training.md).
set -euo pipefail
cd "$(dirname "$0")/.."
genvp=${GENVP:-target/release/genvp} runs=${RUNS:-runs/rule-free} seed=${SEED:-71} exam=${EXAM:-200}
threads=${THREADS:-$(nproc)}
[ $# -gt 0 ] || set -- c-s 2x2 3x3 l-r u-d o-ic o-ig

train() {
    local layout=$1 puzzles=$2 windows=$3 components=$4 slots=$5 place_rows=$6 blocks=$7
    local places=$((2 * slots + 1)) widths rows differences
    widths=$places rows=$place_rows differences=false
    for _ in $(seq "$blocks"); do widths+=,9 rows+=,1 differences+=,true; done
    "$genvp" train --preset raven-differences-64 --layout "$layout" --puzzles "${PUZZLES:-$puzzles}" --out "$runs/$layout" --threads "$threads" \
        --set model.puzzle.layouts=0 --set "model.image.encoder.windows=[$windows]" --set model.experts.components="$components" \
        --set "model.experts.widths=[$widths]" --set "model.experts.rule_rows=[$rows]" --set "model.experts.differences=[$differences]" \
        --set model.latent.relevant=$((components * (places + 9 * blocks))) --set model.latent.irrelevant=$((components * slots * 3)) \
        --set train.loss.rule_free=true --set train.loss.contrast=none --set train.loss.weights.supervised=0 \
        --set train.loss.weights.contrast_local=0 --set train.loss.weights.layout=0 --set train.loss.weights.z_r=0 \
        --set train.loss.weights.ranking=50 --set train.ema_decay=0.98 --set train.seed="$seed" \
        --set train.validation.every=6400 --set train.validation.puzzles=100
    "$genvp" model export "$runs/$layout" --examine 0 --out "$runs/$layout.safetensors"
    "$genvp" eval solve --set raven,iraven --layout "$layout" --model "$runs/$layout.safetensors" -n "$exam" --threads "$threads" --json
}

for layout in "$@"; do
    case $layout in
    c-s) train c-s 32000 '[[[80.5,80.5,160,0]]]' 1 1 3 9 ;;
    2x2) train 2x2 48000 '[[[40.5,40.5,80,0],[40.5,120.5,80,0],[120.5,40.5,80,0],[120.5,120.5,80,0]]]' 1 4 4 8 ;;
    3x3) train 3x3 64000 '[[[25.5,25.5,52.8,0],[25.5,80.5,52.8,0],[25.5,132.5,52.8,0],[80.5,25.5,52.8,0],[80.5,80.5,52.8,0],[80.5,132.5,52.8,0],[132.5,25.5,52.8,0],[132.5,80.5,52.8,0],[132.5,132.5,52.8,0]]]' 1 9 4 8 ;;
    l-r) train l-r 48000 '[[[80.5,40.5,80,0]],[[80.5,120.5,80,0]]]' 2 1 1 5 ;;
    u-d) train u-d 48000 '[[[40.5,80.5,80,0]],[[120.5,80.5,80,0]]]' 2 1 1 5 ;;
    o-ic) train o-ic 48000 '[[[80.5,80.5,160,0.38]],[[80.5,80.5,52.8,0]]]' 2 1 1 5 ;;
    o-ig) train o-ig 64000 '[[[80.5,80.5,160,0.38]],[[67.5,67.5,24,0],[67.5,92.5,24,0],[92.5,67.5,24,0],[92.5,92.5,24,0]]]' 2 4 2 4 ;;
    *) echo "error: there is no layout $layout" >&2; exit 2 ;;
    esac
done
