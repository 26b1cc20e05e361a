#!/bin/sh
# Measures the engine beside raw LMDB and writes the table into docs/benchmarks.md.
# Arguments go to the benchmark (--events 100000 --rounds 3 for a short run; see Benchmarks/README.md).
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
scratch=${SIJILL_BENCH_SCRATCH:-.build-bench}
page=docs/benchmarks.md

"$swift" build -c release --product benchmark --scratch-path "$scratch"
"$swift" build -c release --product replay --scratch-path "$scratch"
set -- --replay "$("$swift" build -c release --scratch-path "$scratch" --show-bin-path)/replay" "$@"
program=$("$swift" build -c release --scratch-path "$scratch" --show-bin-path)/benchmark

case " $* " in
*" --json "*) exec "$program" "$@" ;;
esac

table=$(mktemp)
trap 'rm -f "$table" "$table.page"' EXIT
"$program" "$@" >"$table"
case " $* " in
*" --only "*) ;;
*) "$program" "$@" --only hall | tail -n +3 >>"$table" ;;
esac
cat "$table"
{
    sed '/<!-- table -->/q' "$page"
    echo
    echo "Measured $(date -u +%Y-%m-%d) on $(nproc) cores ($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)," \
        "$(awk '/MemTotal/ { printf "%d GiB", $2 / 1048576 }' /proc/meminfo)), $(uname -sr)," \
        "$("$swift" --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p' | head -1)," \
        "load $(cut -d' ' -f1 /proc/loadavg) at the end."
    echo
    cat "$table"
    echo
    sed -n '/<!-- end of table -->/,$p' "$page"
} >"$table.page"
cat "$table.page" >"$page"
