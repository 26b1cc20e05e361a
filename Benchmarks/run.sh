#!/bin/sh
# Measures Sijill beside its peers, and as it grows, and writes the tables into docs/benchmarks.md.
#
#   run.sh                     peers, engine and hall: about ten minutes
#   run.sh --only growth       one journal up to ten million events; also --only peers, engine, hall, questions
#   run.sh --quick             small sizes, nothing written: does it all work?
#
# More: --events N and --rounds N (peers), --engine-events N, --growth-events N, --page FILE
# (Benchmarks/README.md). All it makes is in one directory under $TMPDIR, removed at the end.
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
scratch=${SIJILL_BENCH_SCRATCH:-.build-bench}
page=docs/benchmarks.md
only="peers engine hall"
rounds=5
events=200000
engine=1000000
growth=10000000
term=200000
students=100000
hall=2000000

stop() {
    echo "run.sh: $1" >&2
    exit "${2:-1}"
}

while [ $# -gt 0 ]; do
    case $1 in
    --quick)
        page="" rounds=2 events=10000 engine=40000 growth=100000 term=20000 students=2000
        hall=100000
        only="peers engine hall growth"
        shift
        continue
        ;;
    esac
    [ $# -gt 1 ] || stop "$1 is not known, or needs a value" 64
    case $1 in
    --only) only=$(echo "$2" | tr ',' ' ') ;;
    --rounds) rounds=$2 ;;
    --events) events=$2 ;;
    --engine-events) engine=$2 ;;
    --growth-events) growth=$2 ;;
    --page) page=$2 ;;
    *) stop "$1 is not known" 64 ;;
    esac
    shift 2
done

for product in benchmark replay; do
    "$swift" build -c release --product $product --scratch-path "$scratch" ||
        stop "$product does not build"
done
programs=$("$swift" build -c release --scratch-path "$scratch" --show-bin-path)

work=$(mktemp -d "${TMPDIR:-/tmp}/sijill-bench-XXXXXX")
# The database server's user has to pass through; it cannot list what is here.
chmod 711 "$work"
clean() {
    [ ! -f "$work/peers/stop.sh" ] || sh "$work/peers/stop.sh" || true
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP

# Puts a table between its markers on the page, with the day and the machine.
write() { # NAME FILE
    cat "$2"
    [ -n "$page" ] || return 0
    grep -q "^<!-- $1 -->$" "$page" || stop "$page has no place for $1"
    {
        sed "/^<!-- $1 -->\$/q" "$page"
        echo
        echo "Measured $(date -u +%Y-%m-%d) on $(nproc) cores" \
            "($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)," \
            "$(awk '/MemTotal/ { printf "%d GiB", $2 / 1048576 }' /proc/meminfo)), $(uname -sr)," \
            "$("$swift" --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p' | head -1)," \
            "load $(cut -d' ' -f1 /proc/loadavg) at the end."
        echo
        cat "$2"
        echo
        sed -n "/^<!-- end of $1 -->\$/,\$p" "$page"
    } >"$work/page"
    cat "$work/page" >"$page"
}

for part in $only; do
    began=$(date +%s)
    mkdir -p "$work/$part"
    case $part in
    peers)
        Benchmarks/peers/setup.sh "$work/peers" >"$work/peers.list" ||
            stop "the peers cannot be set up: $(tail -1 "$work/peers/setup.log")"
        python3 Benchmarks/peers/compare.py --benchmark "$programs/benchmark" \
            --peers "$work/peers.list" --work "$work/peers" --events "$events" --rounds "$rounds" \
            >"$work/table" || stop "the comparison failed"
        ;;
    engine | hall)
        chosen=submit,budgets,replay,digest
        [ $part = engine ] || chosen=hall
        "$programs/benchmark" --keep "$work/$part" --only $chosen --events "$engine" \
            --term "$term" --rounds "$rounds" --students "$students" --hall-events "$hall" \
            --replay "$programs/replay" >"$work/table" || stop "the $part failed"
        ;;
    growth)
        python3 Benchmarks/growth.py --benchmark "$programs/benchmark" \
            --replay "$programs/replay" --work "$work/growth" --events "$growth" --term "$term" \
            --svg "${page:+docs/growth.svg}" >"$work/table" || stop "the growth failed"
        ;;
    questions)
        "$programs/benchmark" --make-journal "$work/questions/journal" --events "$engine" \
            --term "$term" >&2 || stop "the journal cannot be made"
        python3 Benchmarks/questions.py --replay "$programs/replay" \
            --journal "$work/questions/journal" >"$work/table" || stop "the questions failed"
        rm -rf "$work/questions"
        ;;
    *) stop "--only $part is not known: peers, engine, hall, growth, questions" 64 ;;
    esac
    write "$part" "$work/table"
    rm -rf "${work:?}/$part/"*.mdb "$work/$part/"*source* "$work/$part/"*large* "$work/$part/hall"*
    echo "run.sh: $part took $(($(date +%s) - began)) s" >&2
done
