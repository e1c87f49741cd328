# What the end-to-end tests share. A test begins with
#     begin "what is tested"
# and ends where the next one begins, is skipped, or with finish, which ends the script. It runs commands in the
# scratch folder: run keeps stdout in the file out, stderr in err and the status in $rc, and ends a command that
# hangs (status 124); ok, says, fails and refuses are run and what is expected
# most often.
# shellcheck shell=sh

: "${RUNNEL:=$(cd "$(dirname "$0")/.." && pwd)/build/runnel}"
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/runnel-test-XXXXXX") || exit 1
mounts=
cleanup() {
    cd /
    for m in $mounts; do umount "$m" 2>/dev/null || umount -l "$m"; done
    rm -rf "$scratch" "$scratch-state" "$scratch-config"
}
export XDG_STATE_HOME="$scratch-state" # what is tuned is kept there
export XDG_CONFIG_HOME="$scratch-config" # with keys, if a test makes it
trap cleanup EXIT
trap 'exit 1' INT TERM
cd "$scratch" || exit 1
umask 022
unset RUNNEL_DEVICE

number=0 bad=0 failures=0 title=
# The sanitizers slow everything down.
case ${VARIANT:-release} in
asan | tsan) patience=180 ;;
*) patience=60 ;;
esac

runnel() { "$RUNNEL" "$@"; }

# The packages of the distribution belong to its own Python.
[ -n "${PYTHON-}" ] || { [ -x /usr/bin/python3 ] && PYTHON=/usr/bin/python3 || PYTHON=python3; }
python3() { command "$PYTHON" "$@"; }
export PYTHONPATH="$root/tests" PYTHONDONTWRITEBYTECODE=1

begin() {
    end
    title=$1 bad=0
}

end() { # of the test that began last
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
    [ "$1" = runnel ] && { shift; set -- "$RUNNEL" "$@"; }
    timeout -k 5 $patience "$@" >out 2>err </dev/null
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

refuses() { # the same, with a single error line
    fails "$@"
    expect_one_line
}

says() { # pattern of a line of stderr, command...: status 0
    fails 0 "$@"
}

into() { # file for stdout, command...
    into_file=$1
    shift
    run "$@"
    mv out "$into_file"
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

# Waits for what has to happen, never for a time that should be enough.
wait_for() { # seconds, command...: until it succeeds
    tries=$((10 * $1 + 11)) intervals="0.01 0.01 0.02 0.02 0.04 0.04 0.05 0.05 0.05 0.05 0.05" # most of it comes soon
    shift
    until "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep ${intervals%% *}
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
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
C
    ${CC:-cc} -shared -fPIC -include ./preload.h "$made.c" -o "$made.so" "$@" -ldl 2>cc.out ||
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

expect_eq() { # what, got, wanted
    [ "$2" = "$3" ] || complain "$1: got '$2', not '$3'"
}

expect_same() { # two files
    cmp -s "$1" "$2" && return
    complain "$1 differs from $2"
    diff "$1" "$2" 2>/dev/null | head -n 6 | sed 's/^/#   /'
}

expect_narrow() { # file: lines of at most 80 columns, but those that name devices
    long=$(grep -v '^device' "$1" | grep -E '^.{81}' | head -n 1)
    [ -z "$long" ] || complain "more than 80 columns in $1: $long"
}

expect_no_file() {
    for f; do [ ! -e "$f" ] || complain "'$f' is there"; done
}

expect_file() {
    for f; do [ -s "$f" ] || complain "'$f' is not there or empty"; done
}

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

# The sanitizers' memory does not count.
expect_memory() { # MiB at the most, status, command...; its messages are in err
    most=$1 wanted_rc=$2
    shift 2
    expect_python - "$most" "$wanted_rc" "$@" <<'PY'
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
    if LC_ALL=C tr -d '\n\t\200-\377' <"$1" | LC_ALL=C grep -q '[^ -~]'; then
        complain "$1 holds control characters"
    fi
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

# ---- fixtures

clips=${BUILD:-$root/build/release}/clips

# Makes one file with ffmpeg, once for all suites: whoever gives the same recipe and files later gets a copy.
clip() { # file, inputs (files or lavfi:GRAPH), options
    : "${ffmpeg_is:=$(ffmpeg -version 2>/dev/null | sha256sum)}"
    clip_file=$1 clip_recipe=$ffmpeg_is clip_inputs=yes
    shift
    rm -f "$clip_file"
    for word; do
        shift
        [ ! -f "$word" ] || clip_recipe="$clip_recipe $(sha "$word")"
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
    clip_format=${clip_file##*/}
    clip_format=${clip_format##*.}
    clip_key=$(printf '%s\n' "$clip_recipe" "$@" "$clip_format" | sha256sum | cut -c 1-40)
    if [ ! -e "$clips/$clip_key" ]; then
        mkdir -p "$clips"
        clip_part=$clips/$clip_key.$$.$clip_format
        ffmpeg -nostdin -v error -y "$@" "$clip_part" && mv "$clip_part" "$clips/$clip_key" || {
            [ -n "$title" ] || begin "the inputs of the tests"
            complain "cannot make $clip_file"
            return 1
        }
    fi
    cp "$clips/$clip_key" "$clip_file"
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

about() { # file, entries of its first video stream
    ffprobe -v error -select_streams v:0 -show_entries "$2" -of csv=p=0 "$1" | head -n 1 | sed 's/,*$//'
}

frames_of() { # number of frames in the first video stream, by decoding
    ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames \
        -of csv=p=0 "$1" | head -n 1 | tr -d ,
}

times_of() { # presentation times of the first video stream
    ffprobe -v error -select_streams v:0 -show_entries frame=pts_time -of csv=p=0 "$1" |
        tr -d , | grep . # side data of a frame makes an empty line
}

packets_of() { # sizes, times and checksums of the packets of a kind of stream: file, a or s
    ffprobe -v error -select_streams "$2" -show_packets -show_data_hash md5 \
        -show_entries packet=pts_time,duration_time,size,flags,data_hash -of csv=p=0 "$1"
}
