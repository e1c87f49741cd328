# SPDX-License-Identifier: MIT
# What the end-to-end tests share. A test begins with
#     begin "what is tested"
# and ends where the next one begins, is skipped, or with the script, which finish ends before its last line. It runs
# commands in the scratch folder: run keeps stdout in the file out, stderr in err and the status in $rc, takes stdin from the file
# $stdin, if that is set, and ends a command that hangs (status 124); ok, says, fails and refuses are run and what
# is expected most often.
# shellcheck shell=sh

if [ "${is_suite_running-}" ]; then # it has read this file, whose end has begun it anew
    cd "$scratch" || exit 1
    case $suite in play_*) . "$root/tests/window.sh" ;; esac
    return
fi
: "${RUNNEL:=$(cd "$(dirname "$0")/.." && pwd)/build/runnel}"
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/runnel-test-XXXXXX") || exit 1
mounts=
cleanup() {
    cd /
    for m in $mounts; do umount "$m" 2>/dev/null || umount -l "$m"; done
    rm -rf "$scratch" "$scratch-state" "$scratch-config" "$scratch-pid"
}
export XDG_STATE_HOME="$scratch-state" # what is tuned is kept there
export XDG_CONFIG_HOME="$scratch-config" # with keys, if a test makes it
trap cleanup EXIT
trap 'exit 1' INT TERM
umask 022
unset RUNNEL_DEVICE
# What these test knows no device: they start sooner without, and compile nothing.
suite=${0##*/e2e_}
case ${suite%.sh} in
    change | colours | confined | damage | dicom | dicom_frames | dicom_series | dicom_times | dicom_write | \
    disk | exact | files | foreign | headers | hostile | images | ledger | losses | map | numbers | \
    play_compare | play_inputs | play_kept | play_keys | play_layouts | play_overlay | play_panel | \
    play_probe | play_random | play_reference | play_snapshots | play_zoom | \
    reading | sets | streams | sync | tiff | tiff_headers | timeline | verify | volumes | \
    zoo) export RUNNEL_DEVICE=none ;;
esac

number=0 bad=0 failures=0 title=
is_sanitized() { [ "${VARIANT-}" = asan ] || [ "${VARIANT-}" = tsan ]; }
patience=60
! is_sanitized || patience=180 # the sanitizers slow everything down

export started="${PRESTARTED_RUNNEL:-$RUNNEL}" # the same, but for its process, in a tenth of the time
runnel() { "$started" "$@"; }

# The packages of the distribution belong to its own Python.
[ -n "${PYTHON-}" ] || { [ -x /usr/bin/python3 ] && PYTHON=/usr/bin/python3 || PYTHON=python3; }
python3() { command "$PYTHON" "$@"; }
export PYTHONPATH="$root/tests" PYTHONDONTWRITEBYTECODE=1
numpy() { # its arguments; the script on stdin follows the imports of most
    { echo 'import sys, numpy as np; from tiff import noise' && cat; } | python3 - "$@"
}

begin() {
    end
    title=$1 bad=0
}

leave() { :; } # what the test that began last may have left running
end() { # of the test that began last
    leave
    [ -n "$title" ] || return 0
    number=$((number + 1))
    if [ $bad = 0 ]; then
        echo "ok $number - $title"
    else
        failures=$((failures + 1))
        echo "not ok $number - $title"
    fi
    title=
}

skip() { # why
    end
    number=$((number + 1))
    echo "ok $number - # SKIP $1"
}

skip_this() { # why: of the test that has begun, where nothing was wrong until here
    [ $bad = 0 ] || return 0
    number=$((number + 1))
    echo "ok $number - $title # SKIP $1"
    title=
}

finish() {
    end
    [ $failures = 0 ]
    exit
}

complain() {
    bad=1
    echo "# $title: $*"
}

run() {
    case $1,${PRESTARTED_RUNNEL:+prestarted} in
    runnel,prestarted)
        shift
        PATIENCE=$patience "$started" "$@" >out 2>err <"${stdin:-/dev/null}"
        rc=$?
        return
        ;;
    runnel,)
        shift
        set -- "$RUNNEL" "$@"
        ;;
    esac
    timeout -k 5 $patience "$@" >out 2>err <"${stdin:-/dev/null}"
    rc=$?
}

ok() { # command...
    run "$@"
    expect_rc 0
}

fails() { # status, pattern that a line of stderr has or '', command...
    wanted_rc=$1 wanted_words=$2
    shift 2
    run "$@"
    expect_rc "$wanted_rc"
    [ -z "$wanted_words" ] || expect_message "$wanted_words"
}

refuses() { # the same, with a single error line; with 2, 3 or 5 render makes no output
    not_made=
    case "$1 $3 $4" in
    [235]" runnel render") [ -e "${6-}" ] || not_made=${6-} ;;
    esac
    fails "$@"
    expect_one_line
    [ ! -e "$not_made" ] || complain "'$not_made' is there"
}

says() { fails 0 "$@"; } # pattern of a line of stderr, command...: status 0

into() { # file for stdout, command...: status 0
    into_file=$1
    shift
    ok "$@"
    cp out "$into_file"
}

prints() { # file, command...: status 0, and the same on stdout
    prints_file=$1
    shift
    ok "$@"
    expect_same out "$prints_file"
}

ends() { # process that was started here, status
    wait "$1"
    rc=$?
    expect_rc "$2"
}

lacks_gdcm() { [ "$rc" != 0 ] && grep -q libgdcm-dev err; } # whether the last run was refused for that

nap() { sleep "$1"; }

fresh() { rm -rf "$@" && mkdir "$@"; } # folders: empty ones

metric() { jq -r "$1" m.json; } # what jq finds in the file of --metrics

# Waits for what has to happen, never for a time that should be enough.
wait_for() { # seconds, command...: until it succeeds
    tries=$((10 * $1 + 11)) intervals="0.01 0.01 0.02 0.02 0.04 0.04 0.05 0.05 0.05 0.05 0.05" # most of it comes soon
    shift
    until "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        nap ${intervals%% *}
        case $intervals in
        *' '*) intervals=${intervals#* } ;;
        *) intervals=0.1 ;;
        esac
    done
}

# ---- other processes: what /proc says of them

takes_sigint() { # process: whether it does not ignore it, as what the shell starts with & does at first
    case $(sed -n 's/^SigIgn:[[:blank:]]*//p' "/proc/$1/status" 2>/dev/null) in
    '' | *[2367abef]) return 1 ;;
    esac
}

# Not the shell that will become it, which catches signals of its own.
takes_signals() { # process
    grep -q '^Name:.*runnel' "/proc/$1/status" && grep -q '^SigCgt:.*[4-7c-f]...$' "/proc/$1/status"
}

used() { # process: the CPU time of its threads, and whether one runs or wants to
    sed 's/.*) //' "/proc/$1/task"/*/stat 2>/dev/null | awk '{print $12, $13} $1 == "R" {print $1}'
}

is_idle() { # process: whether all of its threads only wait for something, for half a second
    before=$(used "$1")
    case $before in
    '' | *R*) return 1 ;;
    esac
    sleep 0.5
    [ "$before" = "$(used "$1")" ]
}

frames_written() { # progress file, at least how many
    n=$(grep -o '"frames": *[0-9]*' "$1" 2>/dev/null | tail -n 1 | tr -dc 0-9)
    [ "${n:-0}" -ge "$2" ]
}

# ---- a library of a few lines of C that stands before those of the program

# NAME.c begins behind the headers that most need; REAL(function) is the function that one of its own replaces.
make_preload() { # NAME, compiler flags: makes NAME.so of NAME.c; fails where there is no compiler
    made=$1
    shift
    cat >preload.h <<'C'
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<CL/cl.h>)
#include <CL/cl.h>
#endif
#if __has_include(<SDL.h>)
#include <SDL.h>
#endif
/* FFmpeg and SDL are found behind a library that is linked with them: give make_preload their flags. In the function
 * that replaces one, that one needs no declaration. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
C
    ${CC:-cc} -shared -fPIC -include ./preload.h "$made.c" -o "$made.so" -Wl,--no-as-needed "$@" -ldl 2>cc.out ||
        { sed 's/^/# /' cc.out; return 1; }
    rm -f cc.out preload.h
}

# Makes the library NAME as make_preload does: with it the device has memory of its own, to which
# frames are copied.
make_own_memory() { # NAME
    cat >"$1.c" <<'C'
cl_int clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void *value, size_t *n)
{
    cl_int err = REAL(clGetDeviceInfo)(id, what, size, value, n);
    if (!err && value && what == CL_DEVICE_HOST_UNIFIED_MEMORY)
        *(cl_bool *)value = CL_FALSE;
    if (!err && value && what == CL_DEVICE_TYPE)
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    return err;
}
C
    make_preload "$1"
}

preload() { # NAME: the variables with which env(1) starts a program behind it
    echo "LD_PRELOAD=$scratch/$1.so ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0"
}

# ---- what is expected

expect_rc() {
    if [ "$rc" != "$1" ]; then
        complain "status $rc, not $1"
        sed 's/^/#   stderr: /' err | tail -n 8
    fi
}

expect_eq() { [ "$2" = "$3" ] || complain "$1: got '$2', not '$3'"; } # what, got, wanted

expect_same() { # two files
    cmp -s "$1" "$2" && return
    complain "$1 differs from $2"
    diff "$1" "$2" 2>/dev/null | head -n 6 | sed 's/^/#   /'
}

expect_printed() { # file, command...: what the command prints
    printed=$1
    shift
    "$@" >got
    expect_same got "$printed"
}

expect_same_of() { # two files, command: what it says of each, which is something
    same_got=$1 same_want=$2
    shift 2
    command=$1
    shift
    "$command" "$same_got" "$@" >got
    "$command" "$same_want" "$@" >want
    expect_same got want
    [ -s want ] || complain "$command says nothing of $same_want"
}

expect_narrow() { # file: lines of at most 80 columns, but those that name devices
    long=$(grep -v '^device' "$1" | grep -E '^.{81}' | head -n 1)
    [ -z "$long" ] || complain "more than 80 columns in $1: $long"
}

expect_no_file() { for f; do [ ! -e "$f" ] || complain "'$f' is there"; done; }

expect_file() { for f; do [ -s "$f" ] || complain "'$f' is not there or empty"; done; }

expect_message() { # grep patterns: each of a line of stderr
    for message_part; do
        grep -q -- "$message_part" err && continue
        complain "no message has '$message_part'"
        sed 's/^/#   stderr: /' err | tail -n 8
    done
}

expect_python() { # what python3 takes: status 0, or its last words are what is wrong
    python3 "$@" >py.out 2>&1 || complain "$(tail -n 1 py.out)"
}

# Starts a script that answers each line of its stdin with "yes" or what is wrong: NumPy takes 90 ms to load.
start_judge() { # script, its arguments
    mkfifo questions answers
    python3 "$@" <questions >answers 2>judge.err &
    exec 8>questions 9<answers
}

expect_judged() { # question, what it is about where the question does not tell
    echo "$1" >&8
    read -r answer <&9 || answer="no answer: $(tail -n 1 judge.err)"
    [ "$answer" = yes ] || complain "${2:-$1}: $answer"
}

# The sanitizers' memory does not count. A script that was prestarted would count for more than the command.
expect_memory() { # MiB at the most, status, command...; its messages are in err
    most=$1 wanted_rc=$2
    shift 2
    PRESTARTED_AT='' expect_python - "$most" "$wanted_rc" "$@" <<'PY'
import os, resource, subprocess, sys
status = subprocess.run(sys.argv[3:], stdin=subprocess.DEVNULL, stdout=open('out', 'w'), stderr=open('err', 'w')).returncode
mib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
if status != int(sys.argv[2]) or mib > int(sys.argv[1]) and os.environ.get('VARIANT') not in ('asan', 'tsan'):
    sys.exit(f'status {status}, {mib} MiB')
PY
}

# Exactly one error line on stderr, and nothing that redraws.
expect_one_line() {
    n=$(grep -c 'error' err)
    [ "$n" = 1 ] || {
        complain "$n error lines, not 1"
        sed 's/^/#   stderr: /' err | tail -n 8
    }
    expect_plain err
}

expect_plain() { # file without control characters other than newline
    ! LC_ALL=C tr -d '\n\t\200-\377' <"$1" | LC_ALL=C grep -q '[^ -~]' || complain "$1 holds control characters"
}

expect_refusal() { # status, grep patterns
    expect_rc "$1"
    shift
    expect_one_line
    expect_message "$@"
}

# No files but those named stand in folder $1.
expect_only() {
    folder=$1
    shift
    got=$(ls -A "$folder" | sort | tr '\n' ' ')
    want=$([ $# = 0 ] || printf '%s\n' "$@" | sort | tr '\n' ' ')
    expect_eq "files in $folder" "$got" "$want"
}

sha() { sha256sum <"$1" | cut -d' ' -f1; }

# ---- FFmpeg: what it makes and says of the same bytes is kept for all suites and later runs

# Its version and the sum of its other answers, which run.sh asks once for all suites.
: "${FFMPEG_VERSION:=$(ffmpeg -version | { read -r _ _ version _ && echo "$version.$(sha256sum | cut -c 1-16)"; })}"
clips=${BUILD:-$root/build/release}/clips/$FFMPEG_VERSION

sums_of_inputs() { # words: the sums of the files that they name, one or by a pattern
    for word; do
        case $word in
        *%*d*)
            behind=${word#*%}
            sha256sum "${word%%%*}"*"${behind#*d}" 2>/dev/null
            ;;
        *) [ ! -f "$word" ] || sha256sum <"$word" ;;
        esac
    done
}

# Makes a file or images with ffmpeg. With an option in front of an input all arguments are those of ffmpeg.
clip() { # file or pattern, inputs (files or lavfi:GRAPH), options
    clip_file=$1 clip_name=${1##*/} clip_inputs=yes
    shift
    for word; do
        shift
        case $clip_inputs$word in
        yes-*) clip_inputs= ;;
        yeslavfi:*)
            set -- "$@" -f lavfi -i "${word#lavfi:}"
            continue
            ;;
        yes*)
            set -- "$@" -i "$word"
            continue
            ;;
        esac
        set -- "$@" "$word"
    done
    clip_sum=$({ printf '%s\n' "$clip_name" "$@" && sums_of_inputs "$@"; } | sha256sum)
    clip_kept=$clips/${clip_sum%% *}
    if [ ! -d "$clip_kept" ]; then
        mkdir -p "$clip_kept.$$"
        if ! ffmpeg -nostdin -v error -y "$@" "$clip_kept.$$/$clip_name"; then
            rm -r "$clip_kept.$$"
            [ -n "$title" ] || begin "the inputs of the tests"
            complain "cannot make $clip_file"
            return 1
        fi
        mv -T "$clip_kept.$$" "$clip_kept" 2>/dev/null || rm -r "$clip_kept.$$" # another suite was faster
    fi
    cp -f "$clip_kept"/* "${clip_file%"$clip_name"}."
}

make_clip() { # name, seconds; 64x48, 25 fps, audio, subtitles, chapters
    printf ';FFMETADATA1\ntitle=A title\nartist=Somebody\n' >meta
    printf '[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n' >>meta
    printf '[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=Two\n' >>meta
    printf '1\n00:00:00,100 --> 00:00:00,400\nFirst words\n\n' >words.srt
    printf '2\n00:00:00,600 --> 00:00:00,900\nMore words\n' >>words.srt
    case $1 in
    *.mp4 | *.mov) codec=mov_text ;;
    *) codec=srt ;;
    esac
    clip "$1" "lavfi:testsrc2=s=64x48:r=25:d=$2" "lavfi:sine=440:r=44100:d=$2" words.srt meta -map 0 -map 1 \
        -map 2 -map_metadata 3 -map_chapters 3 -c:v libx264 -preset fast -crf 18 -pix_fmt yuv420p -c:a aac \
        -b:a 64k -c:s $codec
}

turned_clip() { # file, degrees, input: it has a display matrix
    case $FFMPEG_VERSION in
    [0-5].*) clip "$1" "$3" -c copy -metadata:s:v:0 rotate="$2" ;;
    *) clip "$1" -display_rotation "$2" -i "$3" -c copy ;;
    esac
}

sums_of() { # file or pattern, options of ffmpeg: a checksum of every picture of its first video stream
    clip sums.framemd5 "$@" -f framemd5 && awk -F ', *' '!/^#/ {print $6}' sums.framemd5
}

# Sets $probed to the file with ffprobe's answers. A line is STREAM|SECTION|KEY=VALUE|..., with STREAM as in a:0; it is
# empty in lines of the whole file.
probe() { # file
    probe_sum=$(sha256sum <"$1") || return
    probed=$clips/${probe_sum%% *}.${1##*.}
    [ ! -e "$probed" ] || return 0
    mkdir -p "$clips"
    ffprobe -v error -show_format -show_streams -show_chapters -show_packets -show_frames -show_data_hash md5 \
        -of compact "$1" >"$probed.raw.$$" 2>/dev/null || { rm "$probed.raw.$$" && probed=/dev/null && return; }
    awk -F '|' '
        {gsub(/\|side_datum\/[^|:]*:/, "|")} # before the keys of side data, since FFmpeg 7
        /^(packet|frame|subtitle|stream|chapter|format)\|/ {n++}
        {line[n] = line[n] (line[n] == "" || /^\|/ ? "" : "|") $0} # side data begins a line
        $1 == "stream" {
            match($0, /\|codec_type=../)
            type = substr($0, RSTART + 12, 2)
            type = type == "at" ? "t" : substr(type, 1, 1)
            name[substr($2, 7)] = type ":" of_type[type]++ + 0
        }
        END {
            for (i = 1; i <= n; i++)
                if (match(line[i], /\|(stream_)?index=[0-9]+/)) {
                    stream = substr(line[i], RSTART, RLENGTH)
                    sub(/.*=/, "", stream)
                    print name[stream] "|" line[i]
                } else
                    print "|" line[i]
        }' "$probed.raw.$$" >"$probed.$$" && rm "$probed.raw.$$" && mv "$probed.$$" "$probed"
}

entries() { # file, streams (v, a:0, '' for all), SECTION=KEY,...: their values, a line for each thing
    probe "$1" || return
    awk -F '|' -v streams="$2" -v section="${3%%=*}" -v keys="${3#*=}" '
        BEGIN {n = split(keys, key, ",")}
        $2 == section && index($1, streams) == 1 {
            values = ""
            for (i = 1; i <= n; i++)
                for (k = 3; k <= NF; k++)
                    if (index(tolower($k), key[i] "=") == 1)
                        values = values "," substr($k, length(key[i]) + 2)
            print substr(values, 2)
        }' "$probed"
}

about() { entries "$1" v:0 "$2" | head -n 1; } # file, SECTION=KEY,...: of its first video stream
frames_of() { about "$1" stream=nb_read_frames; } # file: number of frames in the first video stream, by decoding
expect_least_frames() { # file, at least how many
    n=$(frames_of "$1")
    [ "${n:-0}" -ge "$2" ] || complain "'$1' has ${n:-no} frames, not $2"
}
times_of() { entries "$1" v:0 frame=pts_time; } # file: presentation times of the first video stream

packets_of() { # file, streams: sizes, times and checksums of their packets
    entries "$1" "$2" packet=pts_time,duration_time,size,flags,data_hash
}

# The suite itself, from here, so that none has to say that it has come to its end.
is_suite_running=yes
. "$root/tests/${0##*/}"
finish
