#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs fuzz targets, the programs that follow: fuzz.sh ONLY TARGET... RUNS=N each so many times, else each
# SECS (20) seconds. Each begins with seeds made by fuzz_seeds.sh and with what it found new in earlier runs
# (BUILD/fuzz/NAME). Ends with 1 where a target reported something; what it was fed then is kept and named.
set -u
only=$1
shift
: "${BUILD:?}" "${RUNS:=}" "${SECS:=}"
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
export UBSAN_OPTIONS=print_stacktrace=1
# Pictures of gigabytes are refused, as if there were no memory.
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=256:quarantine_size_mb=8
export LSAN_OPTIONS=suppressions=$here/lsan.supp:print_suppressions=0
if [ -n "$RUNS" ]; then limit=-runs=$RUNS; else limit=-max_total_time=${SECS:-20}; fi

is_wanted() { printf '%s\n' "$1" | grep -qF -- "$(printf '%s\n' $only)"; } # name; all, if there are no words

most() { # name: bytes of an input
    case $1 in
    fuzz_chain | fuzz_names | fuzz_number) echo 512 ;;
    fuzz_api) echo 2048 ;;
    fuzz_media | fuzz_images | fuzz_truncation) echo 65536 ;;
    *) echo 8192 ;;
    esac
}

# Memory that GDCM loses (fuzz_dicom.c) ends one process and begins another.
options() { [ "$1" != fuzz_dicom ] || echo -fork=1 -ignore_ooms=1; } # name

work=$BUILD/fuzz
mkdir -p "$work/finds"
sh "$here/fuzz_seeds.sh" "$work" || exit 1
failures=0
for target; do
    target=$(realpath "$target") || exit 1
    name=$(basename "$target")
    is_wanted "$name" || continue
    mkdir -p "$work/$name" "$work/seeds/$name"
    words=$work/$name.dict
    [ -f "$words" ] && words=-dict=$words || words=
    rm -f "$work/finds/$name"-*
    start=$(date +%s)
    # shellcheck disable=SC2046,SC2086
    (cd "$work/files" && "$target" "$limit" $(options "$name") $words -max_len="$(most "$name")" -timeout=20 \
        -rss_limit_mb=4096 -artifact_prefix="$work/finds/$name-" "$work/$name" \
        "$work/seeds/$name") >"$work/$name.log" 2>&1 </dev/null
    rc=$?
    runs=$(sed -n 's/^#\([0-9]*\)[:[:blank:]].*/\1/p' "$work/$name.log" | tail -n 1)
    took=$(($(date +%s) - start))
    if [ $rc = 0 ]; then
        echo "$name: nothing found in ${runs:-0} runs, $took s"
    else
        failures=$((failures + 1))
        echo "$name: FOUND SOMETHING (status $rc, log $work/$name.log)"
        grep -aE 'ERROR: |runtime error|does not hold|SUMMARY|^    #[0-9] ' "$work/$name.log" | head -n 20
        ls "$work/finds/$name"-* 2>/dev/null | sed 's/^/again with: /'
    fi
done
[ $failures = 0 ]
