#!/bin/sh
# Runs test suites and counts their results: run.sh ONLY SUITE...
# A suite is a program or a script that prints the Test Anything Protocol (ok, not ok, # SKIP). One that
# fails without saying which test, or says nothing, counts as one failure. Output is kept below
# $BUILD/logs and shown where something failed. Only suites whose name holds ONLY are run; as many at
# a time as there are CPUs, but those that look at a clock by themselves.
set -u
only=$1
shift
: "${BUILD:?}" "${VARIANT:=release}"
here=$(cd "$(dirname "$0")" && pwd)
logs=$BUILD/logs
mkdir -p "$logs"

export CMOCKA_MESSAGE_OUTPUT=TAP LC_ALL=C PYTHONDONTWRITEBYTECODE=1
export BUILD VARIANT
# The packages of the distribution belong to its own Python, not to one that comes first in PATH.
[ -n "${PYTHON-}" ] || { [ -x /usr/bin/python3 ] && PYTHON=/usr/bin/python3 || PYTHON=python3; }
export PYTHON
# The sanitizers cannot look into PoCL and FFmpeg: what they report there is not ours.
export LSAN_OPTIONS="suppressions=$here/lsan.supp:print_suppressions=0"
export ASAN_OPTIONS="abort_on_error=0:detect_leaks=1"
export UBSAN_OPTIONS="print_stacktrace=1"
export TSAN_OPTIONS="suppressions=$here/tsan.supp"

run_suite() { # suite: what is to be said of it goes to stdout, its counts to NAME.count
    suite=$1 name=$(basename "$1")
    log=$logs/$name.log
    start=$(date +%s)
    case $suite in
    *.sh) sh "$suite" >"$log" 2>&1 </dev/null ;;
    *.py) "$PYTHON" "$suite" >"$log" 2>&1 </dev/null ;;
    */numeric) # minutes under the thread sanitizer, which needs threads rather than cases
        if [ "$VARIANT" = tsan ]; then set -- --small; else set --; fi
        "$suite" "$@" >"$log" 2>&1 </dev/null
        ;;
    *) "$suite" >"$log" 2>&1 </dev/null ;;
    esac
    rc=$?
    bad=$(grep -c '^not ok' "$log")
    skip=$(grep -c '^ok .*# *SKIP' "$log")
    good=$(($(grep -c '^ok' "$log") - skip))
    if [ "$bad" = 0 ] && { [ $rc != 0 ] || [ $((good + skip)) = 0 ]; }; then
        bad=1
        echo "not ok - $name ended with status $rc" >>"$log"
    fi
    echo "$name: $good passed, $bad failed, $skip skipped, $(($(date +%s) - start)) s"
    grep '^ok .*# *SKIP' "$log"
    if [ "$bad" != 0 ]; then
        grep -av '^ok' "$log" | tail -n 100
        echo "(all of it: $log)"
    fi
    echo "$good $bad $skip" >"$logs/$name.count"
}

if [ "$only" = --suite ]; then # this script, called by itself
    said=$(run_suite "$1")     # printed at once, not mixed with that of others
    echo "$said"
    exit 0
fi

chosen= timed=
for suite; do
    name=$(basename "$suite")
    rm -f "$logs/$name.count"
    case $name in
    *"$only"*) ;;
    *) continue ;;
    esac
    case $name in
    e2e_play.sh | e2e_signals.sh) timed="$timed $suite" ;;
    *) chosen="$chosen $suite" ;;
    esac
done
# shellcheck disable=SC2086
printf '%s\n' $chosen | xargs -r -n 1 -P "$(nproc 2>/dev/null || echo 2)" sh "$0" --suite
# shellcheck disable=SC2086
printf '%s\n' $timed | xargs -r -n 1 sh "$0" --suite

passed=0 failed=0 skipped=0
for suite in $chosen $timed; do
    count=$logs/$(basename "$suite").count
    read -r good bad skip <"$count" || good=0 bad=1 skip=0
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
done

echo
if [ $skipped = 0 ]; then
    echo "$passed passed, $failed failed"
else
    echo "$passed passed, $failed failed, $skipped skipped"
fi
[ $failed = 0 ] && [ $passed != 0 ]
