#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs test suites and counts their results: run.sh ONLY SUITE...
# A suite is a program or a script that prints the Test Anything Protocol (ok, not ok, # SKIP). One that
# fails without saying which test, or says nothing, counts as one failure; so does one that has not ended
# after LIMIT seconds (ten minutes, half an hour under the sanitizers), and all that it started is killed.
# Output is kept below $BUILD/logs and shown where something failed. Only suites whose name holds a word of
# ONLY are run (without one, all), the longest first, one more at a time than there are CPUs, as each waits for
# the disk now and then. Those that look at a window, or at what hangs, mostly wait: as many as there
# are CPUs run beside them.
#
# Each suite has its own HOME and TMPDIR. What PoCL compiles is shared by all and kept in $POCL_CACHE_DIR,
# by default below $BUILD, so that no test depends on what was run on this computer before.
set -u
only=$1
shift
: "${BUILD:?}" "${VARIANT:=release}"
here=$(cd "$(dirname "$0")" && pwd)
logs=$BUILD/logs
: "${POCL_CACHE_DIR:=$BUILD/pocl}"
case $VARIANT in
asan | tsan) : "${LIMIT:=1800}" ;;
*) : "${LIMIT:=600}" ;;
esac
mkdir -p "$logs" "$POCL_CACHE_DIR"

export CMOCKA_MESSAGE_OUTPUT=TAP LC_ALL=C PYTHONDONTWRITEBYTECODE=1
export BUILD VARIANT LIMIT POCL_CACHE_DIR
# The packages of the distribution belong to its own Python, not to one that comes first in PATH.
[ -n "${PYTHON-}" ] || { [ -x /usr/bin/python3 ] && PYTHON=/usr/bin/python3 || PYTHON=python3; }
export PYTHON
# As lib.sh would ask it for each suite.
: "${FFMPEG_VERSION:=$(ffmpeg -version | { read -r _ _ version _ && echo "$version.$(sha256sum | cut -c 1-16)"; })}"
export FFMPEG_VERSION
# The sanitizers cannot look into PoCL and FFmpeg: what they report there is not ours.
export LSAN_OPTIONS="suppressions=$here/lsan.supp:print_suppressions=0"
export ASAN_OPTIONS="abort_on_error=0:detect_leaks=1"
export UBSAN_OPTIONS="print_stacktrace=1"
export TSAN_OPTIONS="suppressions=$here/tsan.supp"

# ---- one suite: its file, or FILE@I/N for a part of it

name_of() { # suite
    case $1 in
    *@*) echo "$(basename "${1%@*}")-$(echo "${1##*@}" | sed 's,/,of,')" ;;
    *) basename "$1" ;;
    esac
}

session_of() { # process that leads a session: all of its processes that live
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/ (.*) / () /' | awk -v s="$1" '$6 == s && $3 != "Z" {print $1}'
}

end_session() { # process that leads it
    # shellcheck disable=SC2046
    kill -KILL $(session_of "$1") 2>/dev/null
}

clear_up() { # scratch folder, with what a suite that was killed left mounted there
    awk -v f="$1/" 'index($2, f) == 1 {print $2}' /proc/mounts | while read -r m; do umount -l "$m"; done
    rm -rf "$1"
}

start_suite() { # suite: in a session of its own, its process in $suite_pid
    file=${1%@*}
    case $1 in
    *@*) set -- --shard "${1##*@}" ;;
    *) set -- ;;
    esac
    case $file in
    *.sh) set -- sh "$file" "$@" ;;
    *.py) set -- "$PYTHON" "$file" "$@" ;;
    */unit_custom) # compilers in threads leave storage of theirs in which the search for leaks crashes
        LSAN_OPTIONS=$LSAN_OPTIONS:use_tls=0
        set -- "${file%/*}/unit" custom
        ;;
    */unit_*) set -- "${file%/*}/unit" "${file##*/unit_}" ;; # a group of the one program
    *) set -- "$file" "$@" ;;
    esac
    case $VARIANT:$file in # minutes under the thread sanitizer, which needs threads rather than cases
    tsan:*/numeric) set -- "$@" --small ;;
    esac
    # What kernels compute is for numeric, reference, point, scans and linear, with optimized ones. The other tests look at
    # all else: kernels that are not optimized are compiled in a third to two thirds of the time.
    case $VARIANT${WHOLE-}:$file in
    release:*/e2e_* | release:*/unit_* | release:*/oracle.py | release:*/pool | release:*/bound | \
        release:*/batches | release:*/fields)
        export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable POCL_CACHE_DIR="$POCL_CACHE_DIR/unoptimized"
        mkdir -p "$POCL_CACHE_DIR"
        ;;
    esac
    export ACCOUNT="$logs/$name.used"
    : >"$ACCOUNT"
    HOME=$scratch XDG_STATE_HOME='' TMPDIR=$scratch setsid timeout -k 10 "$LIMIT" "$@" >"$log" 2>&1 </dev/null &
    suite_pid=$!
}

run_once() { # suite: its status in $rc
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/runnel-XXXXXX") || exit 1
    start_suite "$1"
    trap 'end_session $suite_pid; clear_up "$scratch"; exit 130' INT TERM HUP
    wait $suite_pid
    rc=$?
    end_session $suite_pid
    clear_up "$scratch"
}

# Where a thread ends at that moment the leak checker reads what is no longer there, and dies of it.
is_checker_dead() { grep -aq 'LeakSanitizer has encountered a fatal error' "$log"; }

run_suite() { # suite: what is to be said of it goes to stdout, its counts to NAME.count
    name=$(name_of "$1")
    log=$logs/$name.log
    start=$(date +%s)
    run_once "$1"
    ! is_checker_dead || run_once "$1"
    took=$(($(date +%s) - start))
    times >"$logs/$name.times" # of what this shell has waited for: in $(...) it would be another that asks
    cpu=$(sed -n '2s/[ms]/ /gp' "$logs/$name.times" | cat - "$logs/$name.used" |
        awk '{s += NF > 1 ? 60 * ($1 + $3) + $2 + $4 : $1} END {printf "%.0f", s}')
    rm -f "$logs/$name.times" "$logs/$name.used"

    skip=$(grep -aEc '^(not )?ok .*# *SKIP' "$log") # cmocka says "not ok" of what it skips
    bad=$(grep -a '^not ok' "$log" | grep -vc '# *SKIP')
    good=$(grep -a '^ok' "$log" | grep -vc '# *SKIP')
    hung=
    case $rc in
    124 | 137) [ $took -lt "$LIMIT" ] || hung=yes ;;
    esac
    if [ -n "$hung" ]; then
        bad=$((bad + 1))
        echo "not ok - $name did not end within $LIMIT s" >>"$log"
    elif [ "$bad" = 0 ] && { [ $rc != 0 ] || [ $((good + skip)) = 0 ]; }; then
        bad=1
        echo "not ok - $name ended with status $rc" >>"$log"
    fi
    echo "$name: $good passed, $bad failed, $skip skipped, $took s, CPU $cpu s"
    sed -nE 's/^(not )?(ok .*# *SKIP)/\2/p' "$log"
    if [ "$bad" != 0 ]; then
        [ -n "$hung" ] && grep -a '^ok' "$log" | tail -n 1 # where it hangs
        grep -av '^ok' "$log" | tail -n 100
        echo "(all of it: $log)"
    fi
    echo "$good $bad $skip" >"$logs/$name.count"
    echo "$name $cpu" >"$logs/$name.time"
}

if [ "$only" = --suite ]; then # this script, called by itself
    run_suite "$1" >"$logs/$(name_of "$1").said"
    echo "$name" # print_results shows the rest, so that it does not mix with that of others
    exit 0
fi

# ---- all of them

# ffmpeg, ffprobe, runnel and Python wait with what they load (prestart.c, prestart.py); they end with this process.
if [ -e "$BUILD/tests/prestart.so" ] && ffmpeg=$(command -v ffmpeg); then
    built=$(dirname "${RUNNEL:-$here/../build/runnel}")
    export PRESTARTED="${ffmpeg%/*}:$built" PRESTARTED_AT=$$
    preload=$BUILD/tests/prestart.so
    # With huge pages PoCL reads its library of 10 MB in three quarters of the time, and FFmpeg opens its codecs.
    wait_as() { GLIBC_TUNABLES=glibc.malloc.hugetlb=1 LD_PRELOAD=$preload "$@" </dev/null >/dev/null 2>&1 & }
    wait_as "${ffmpeg%/*}/ffmpeg"
    wait_as "${ffmpeg%/*}/ffprobe"
    if [ "$VARIANT" = release ]; then # the sanitizers want to be loaded first
        # Graphs of filters, as inputs and for fields, need FFmpeg's libraries of them; a device its driver.
        libraries=$(ldd "$ffmpeg" | awk '/libav(device|filter)/ {print $3}')
        driver=$(cat /etc/OpenCL/vendors/pocl.icd 2>/dev/null)
        PRESTART_LOADS="$built/runnel-media.so $libraries" wait_as "$built/runnel"
        PRESTART_LOADS="$built/runnel-media.so $libraries $driver" PRESTARTED_AS=runnel-device wait_as "$built/runnel"
        preload="$preload $BUILD/tests/settle.so"
        PRESTART_LOADS="$built/runnel-play.so $libraries $driver" PRESTARTED_AS=runnel-play wait_as "$built/runnel"
        export PRESTARTED_RUNNEL="$BUILD/tests/started/runnel"
    fi
    if [ "$PYTHON" = "${ffmpeg%/*}/python3" ]; then
        OPENBLAS_NUM_THREADS=1 "$PYTHON" "$here/prestart.py" </dev/null >/dev/null 2>&1 &
        PYTHON=$BUILD/tests/started/python3
    fi
    PATH=$BUILD/tests/started:$PATH
fi

find "$POCL_CACHE_DIR" -maxdepth 2 -name 'tempfile_*' -size 0 -delete # PoCL leaves one of each run

# What many suites need is compiled before all of them, in one process for each cache (ahead.c).
compile_ahead() {
    [ -x "$BUILD/tests/ahead" ] && [ "$VARIANT" = release ] || return 0
    mkdir -p "$POCL_CACHE_DIR/unoptimized"
    POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable POCL_CACHE_DIR="$POCL_CACHE_DIR/unoptimized" "$BUILD/tests/ahead" kernels &
    "$BUILD/tests/ahead"
    wait $!
    times
} >"$logs/ahead.log" 2>&1

# The parts of a suite: as many everywhere, so that the number of tests is the same everywhere.
parts() { # suite
    case $VARIANT:$1 in
    tsan:*) echo "$1" ;;
    */numeric | *oclgrind.sh) for i in 0 1 2 3; do echo "$1@$i/4"; done ;;
    *) echo "$1" ;;
    esac
}

# The file times has the seconds of CPU time; suites that are not there take less than three.
seconds=" $(tr '\n' ' ' <"$here/times")"
cost_of() { # name: its seconds in $cost
    cost=${seconds#* "$1" }
    [ "$cost" != "$seconds" ] && cost=${cost%% *} || cost=1
}

# Before all others the numeric tests: a process that compiles many kernels takes a third of the time for each; and
# what hangs, which mostly waits.
by_time() { # reads suites, prints SECONDS:NAME:SUITE, the longest first
    while read -r suite; do
        name=$(name_of "$suite")
        cost_of "$name"
        case $name in numeric-* | e2e_stall*) echo "0 $cost:$name:$suite" ;; *) echo "1 $cost:$name:$suite" ;; esac
    done | sort -s -k 1,1n -k 2,2nr | cut -d ' ' -f 2-
}

is_wanted() { printf '%s\n' "$1" | grep -qF -- "$(printf '%s\n' $only)"; } # name; all, if there are no words

rm -f "$logs"/*.said
chosen='' windows='' total=0 work=0 known=yes cpus=$(nproc 2>/dev/null || echo 2)
for suite in $(for s; do parts "$s"; done | by_time); do
    cost=${suite%%:*} suite=${suite#*:}
    name=${suite%%:*} suite=${suite#*:}
    is_wanted "$name" || continue
    rm -f "$logs/$name.count"
    total=$((total + 1)) work=$((work + cost))
    case $name in
    e2e_play* | e2e_stall* | long_keys*) windows="$windows $suite" ;;
    *) chosen="$chosen $suite" ;;
    esac
done

print_results() { # of the suites whose names it reads, and the progress: at a terminal in one line that is overwritten
    ended=0 failed=0 spent=0 printed=$begin end=$((begin + work / cpus))
    while read -r name; do
        now=$(date +%s)
        [ ! -t 2 ] || printf '\r\033[K' >&2
        if [ "$name" != tick ]; then
            cost_of "$name"
            ended=$((ended + 1)) spent=$((spent + cost)) printed=$now
            read -r _ bad _ <"$logs/$name.count" && failed=$((failed + bad))
            # The table's estimate weighs as much as a quarter of all suites, measured here.
            end=$((now + (work - spent) * (4 * (now - begin) + work / cpus) / (4 * spent + work)))
            printf "[%${#total}d/$total] " $ended
            cat "$logs/$name.said"
            rm -f "$logs/$name.said"
        fi
        [ $end -gt $now ] || end=$now
        line="[$ended/$total] $failed failed${known:+, about $(((end - now) / 60 + 1)) min left}, running:"
        line="$line $(cd "$logs" && echo *.said | sed 's/\.said//g')"
        if [ -t 2 ]; then
            printf '%.78s' "$line" >&2
        elif [ $((now - printed)) -ge 30 ]; then
            echo "$line" && printed=$now
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# The table knows nothing of the sanitizers, nor of the tests that take long.
case $VARIANT${WHOLE-}$chosen in asan* | tsan* | release1* | *long_*) known= ;; esac
begin=$(date +%s)
[ -n "$only" ] || compile_ahead
echo "suites: $total, the longest first${known:+; on $cpus idle CPUs they take about $((work / cpus / 60 + 1)) min}"
# shellcheck disable=SC2086
{
    while sleep 5 >&2 && kill -0 $$; do echo tick; done 2>/dev/null &
    (echo $windows | xargs -r -n 1 -P $((cpus + 1)) sh "$0" --suite &
        echo $chosen | xargs -r -n 1 -P $((cpus + 1)) sh "$0" --suite; wait)
    kill $!
} | print_results

passed=0 failed=0 skipped=0
for suite in $chosen $windows; do
    count=$logs/$(name_of "$suite").count
    read -r good bad skip <"$count" || good=0 bad=1 skip=0
    [ "$bad" = 0 ] || echo "failed: $logs/$(name_of "$suite").log"
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
done

echo
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ $failed = 0 ] && [ $passed != 0 ]
