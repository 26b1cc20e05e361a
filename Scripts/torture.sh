#!/usr/bin/env bash
# Takes the built tool through power losses, failing calls, kills, hostile files and flipped bits (Tests/Torture).
#
# usage: torture.sh REPLAY [--short]    # short: 300 crash images, 20 s of kills and 4 rounds of flipped bits, as CI has them;
#                                         else all programs, for hours
set -euo pipefail
cd "$(dirname "$0")/.."
replay=$1
seed=${SEED:-$(date +%s)}
if ! command -v python3 >/dev/null 2>&1; then
    echo "torture: needs Python 3.11; run: sudo apt-get install python3" >&2
    [ "${2:-}" = --short ] && exit 0
    exit 69
fi
runs=("images.py --images 10000" "faults.py" "processes.py --seconds 1800" "alone.py --seconds 900"
    "machine.py --sequences 300"
    "elsewhere.py --count 0" "pages.py --rounds 200")
if [ "${2:-}" = --short ]; then
    runs=("images.py --images 300" "alone.py --seconds 20" "pages.py --rounds 4")
    seed=${SEED:-41}
fi
status=0
for run in "${runs[@]}"; do
    echo "torture: ${run%% *}, seed $seed"
    # shellcheck disable=SC2086 # a program and its options
    python3 Tests/Torture/$run --replay "$replay" --seed "$seed" || status=1
done
exit "$status"
