#!/bin/sh
# SPDX-License-Identifier: MIT
# Hygiene: what reviewers should not have to look for. Prints every finding, fails if there is one.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${CC:=cc}" "${NM:=nm}" "${CPPFLAGS:=-I.}" "${LIB:=build/release/libprogram.a}"
findings=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# Prints what a command finds (its output) under a title.
none() { # title, command...
    title=$1
    shift
    "$@" >"$scratch/found" 2>&1
    [ -s "$scratch/found" ] || return 0
    findings=$((findings + 1))
    echo "lint: $title"
    sed 's/^/    /' "$scratch/found" | head -n 40
}

# Both also see files that are not added yet.
files() { git ls-files -co --exclude-standard "$@"; } # pathspec...
lines() { # options of grep, pattern, pathspec...
    options=$1 pattern=$2
    shift 2
    git grep --untracked "$options" "$pattern" -- "$@"
}
in_c() { lines -nE "$@"; } # pattern, pathspec...

# ---- dependencies point one way

cl='^#include [<"](CL|OpenCL)/'
av='^#include [<"](libav|libsw|libpostproc|tiff)'
sdl='^#include [<"](SDL|fontconfig)'
none "only filters/core/device/opencl.h sees OpenCL" in_c "$cl" '*.[ch]' ':!filters/core/device/opencl.h'
none "only filters/, tests/ and what stands for libOpenCL include opencl.h" in_c '"filters/core/device/opencl.h"' \
    '*.[ch]' ':!filters' ':!tests' ':!app/python/opencl.c'
none "only io/ (and an oracle in tests/) sees libav and libtiff" in_c "$av" '*.[ch]' ':!io' ':!tests/unit_*.c'
none "only ui/ (and what stands before it in tests) sees SDL" in_c "$sdl" '*.[ch]' ':!ui' ':!tests/settle.c'
none "only io/volumes/mat/mat_worker.c sees libmatio" in_c '^#include <matio' '*.[ch]' ':!io/volumes/mat/mat_worker.c'
none "only io/dicom/gdcm/* sees GDCM" in_c '^#include <gdcm' '*.[ch]' '*.cpp' ':!io/dicom/gdcm/*'
none "filters/ includes nothing of io, app, ui" in_c '^#include "(io|app|ui)/' filters
none "filters/base includes nothing but itself" in_c '^#include "filters/[^b]' filters/base
none "filters/core includes no filter and no part" in_c '^#include "filters/([^/"]*"|parts/)' filters/core
none "filters/parts includes no filter" in_c '^#include "filters/[^/"]*"' filters/parts
none "io/ includes nothing of app, ui, filters but base" in_c '^#include "(app/|ui/|filters/([^/"]*"|core/|parts/))' io
none "io/write sees descriptions of inputs (io/common/media.h), never sources" \
    in_c '\brn_read_(source|media|stream_of)\b' io/write
none "io/common includes nothing of io/read, io/write, io/dicom" in_c '^#include "io/(read|write|dicom)/' io/common
none "volumes give frames, not packets in disguise" in_c 'AVPacket|AVCodec' io/volumes io/dicom
none "only app/main.c includes something of app/play" in_c '^#include "app/play/' app filters io ui ':!app/play' ':!app/main.c'
# Clang takes them as an extension; NVIDIA's compiler, from which no test has an answer, refuses the file.
none "kernels have no macros of a variable number of arguments" \
    git grep -nE '#define.*\.\.\.\)' -- 'kernels/*.cl' 'kernels/*.clh' ':!kernels/builtins.clh'
none "ui/ includes nothing of io, app" in_c '^#include "(io|app)/' ui
# Elsewhere they would hold up the window: whoever wants a runner requests it.
none "only the preview's job thread builds kernels" \
    in_c '\b(rn_runner_(open|poll)\w*|rn_rebuild_run|rn_pool_open|rn_app_session_(bind_pool|open_source))\(' \
    app/play ':!app/play/runners/pending_runner.c' ':!app/play/view/reference.c'
none "only filters/base/threads/thread.c starts threads" in_c '\bpthread_create\(' \
    app filters io ui ':!filters/base/threads/thread.c' ':!io/dicom/gdcm/worker_main.c'
circles() {
    files 'app/*.[ch]' 'filters/*.[ch]' 'io/*.[ch]' 'ui/*.[ch]' | python3 tests/circles.py
}
none "no more than three modules include each other in a circle" circles
beyond_engine() {
    in_c '^#include ["<](io/|app/|ui/|libav|SDL|cmocka|jansson)' \
        tests/numeric.c tests/reference.c tests/point.c tests/bound.c tests/fields.c tests/scans.c tests/linear.c tests/ahead.c tests/bench.c tests/peer.c tests/check.h tests/engine.h tests/samples.h tests/streams.h | grep -v '"app/process/environment.h"'
    in_c '^#include "' 'app/process/environment.[ch]' 'app/process/kernel_cache.[ch]' |
        grep -vE '"(app/process/(environment|kernel_cache)|filters/(base/[a-z_/]*|core/device/device))\.h"'
}
none "the engine's tests and benchmark need nothing but the engine and what prepares the environment" beyond_engine

none "app/front.c, which starts quickly, needs nothing of io and ui" in_c '^#include "(io|ui)/' \
    app/front.c app/commands/filters.c app/process/standard_io.c app/process/terminal.c

# What containers are like stands in one table: names of demuxers and muxers elsewhere are messages.
container_names() {
    compare='(str(n|case|ncase)?cmp|str(case)?str|av_(match_name|strstart|stristart|strcasecmp))'
    names='mov|mp4|matroska|webm|mpegts|mpeg|avi|ogg|asf|apng|nut|mxf|gxf|dv|wtv|hls|ivf|ipod|lavfi'
    names="$names|image2|yuv4mpegpipe|rawvideo"
    {
        in_c "\\b$compare *\\([^;]*([io]format|\\bof|\\bformat|demuxer|muxer)->name\\b" io app
        in_c "\"([a-z0-9_]+,)*($names)(,[a-z0-9_]+)*\"" io app
        in_c 'av_match_ext\([^;]*"[^"]*\b(m2?ts|mkv|mp4|mov|avi|webm|og[gv]|gif|flv|nut|mxf)\b' io app
    } | grep -v '^io/containers/table\.[ch]:'
}
none "names of containers outside io/containers/table.c" container_names

unlisted() {
    lines -ohE '^const struct rn_stage_desc rn_[a-z0-9]+' 'filters/*.c' |
        sed 's/.* rn_//' | while read -r name; do
        grep -q "F($name)" filters/registry.c || echo "$name"
    done
}
none "filters that are not in filters/registry.c" unlisted

# ---- text

none "unfinished work" lines -nIE '\b(TO''DO|FIX''ME|X''XX|HA''CK)\b'
none "blanks at the end of lines" lines -nIE '[ 	]+$'
none "tabs" lines -nIP '^ *\t' '*.[ch]' '*.cpp' '*.cl' '*.clh' '*.sh' '*.py' '*.awk'
none "lines of more than 100 columns" lines -nIE '^.{101,}' '*.c' '*.h' '*.cpp' '*.cl' '*.clh'
none "conflict markers" lines -nE '^(<<<<<<<|>>>>>>>)'
top_level() {
    files | cut -d/ -f1 | sort -u |
        grep -vxE '\..*|Makefile|README.md|LICENSE|app|filters|kernels|io|ui|tests|media'
}
none "what stands at the top level" top_level
large() { files -z | xargs -0 -I{} find {} -size +2048k; }
none "files larger than 2 MB" large
none "atomics that are not those of C11" in_c '__(atomic|sync)_|ATOMIC_RELAXED' '*.[ch]'
none "numbers read past filters/base/text/number.h" in_c '\b(strto(d|f|ld)|atof)(_l)? *\(' \
    filters io ui ':!filters/base/text/number.c'
# Where a format string with a floating-point number belongs to a printf of the C library.
local_numbers() {
    files 'filters/*.c' | xargs awk '
        { for (rest = $0; match(rest, /[a-z_]+\(|%[-+ #0-9.*]*l?[aefgAEFG]/);
               rest = substr(rest, RSTART + RLENGTH)) {
              found = substr(rest, RSTART, RLENGTH)
              if (found !~ /^%/) call = found
              else if (call ~ /^v?(f|s|sn|d|as)?printf\($/) print FILENAME ":" FNR ":" $0 } }' | uniq
}
none "numbers printed past filters/base/text/number.h" local_numbers
none "struct typedefs" in_c '^typedef struct' 'app/*.[ch]' 'filters/*.[ch]' 'io/*.[ch]' 'ui/*.[ch]'

# ---- headers and symbols

headers() {
    files '*.h' | while read -r h; do
        case $h in tests/unit.h) continue ;; esac
        # shellcheck disable=SC2086
        printf '#include "%s"\n' "$h" | $CC $CPPFLAGS -std=c11 -Wall -Wextra -fsyntax-only -x c - ||
            echo "$h does not compile alone"
    done
}
none "every header compiles alone" headers
# Whatever stands in two headers, a tag or a macro, shows when one unit includes them all.
together() {
    # shellcheck disable=SC2086
    files 'app/*.h' 'filters/*.h' 'io/*.h' 'ui/*.h' | sed 's/.*/#include "&"/' |
        $CC $CPPFLAGS -std=c11 -Wall -Wextra -fsyntax-only -x c -
}
none "the headers of all rooms compile together" together
unguarded() { files 'app/*.h' 'filters/*.h' 'io/*.h' 'io/*.hpp' 'ui/*.h' 'tests/*.h' | xargs grep -Lx '#pragma once'; }
none "headers without #pragma once" unguarded
internal() {
    in_c '^#include ".*_internal\.h"' app filters io ui | awk -F '[:"]' '{
        folder = $4; sub(/[^\/]*$/, "", folder) } index($1, folder) != 1'
}
none "what is internal to a folder is included there and below alone" internal
crowded() {
    files 'app/*.[ch]' 'filters/*.[ch]' 'io/*.[ch]' 'io/*.[ch]pp' 'ui/*.[ch]' | sed 's|/[^/]*$||' | sort | uniq -c |
        awk '$1 > 30'
}
none "folders of more than 30 files" crowded
# A room has one prefix, and so have those below it that are not listed.
prefix() { # path
    case $1 in
    app/play/*) echo rn_play ;;
    app/onnx/*) echo rn_onnx ;;
    app/*) echo rn_app ;;
    ui/*) echo rn_ui ;;
    io/containers/*) echo rn_container ;;
    io/dicom/gdcm/*) echo 'rn_(dicom|gdcm)' ;;
    io/dicom/*) echo rn_dicom ;;
    io/pixels/*) echo rn_pix ;;
    io/read/*) echo 'rn_(read|io_media)' ;;
    io/volumes/*) echo rn_vol ;;
    io/write/*) echo rn_write ;;
    io/*) echo rn_io ;;
    esac
}
foreign_tags() {
    files 'app/*.h' 'io/*.h' 'ui/*.h' ':!*_internal.h' | while read -r h; do
        grep -noE '^(struct|union|enum) \w+ \{' "$h" | grep -vE " $(prefix "$h")(_| )" | sed "s|^|$h:|"
    done
}
none "tags without the prefix of their room" foreign_tags
foreign_symbols() {
    files 'app/*.c' 'io/*.c' 'ui/*.c' | while read -r c; do
        [ ! -f "${LIB%/*}/${c%.c}.o" ] || $NM -g --defined-only "${LIB%/*}/${c%.c}.o" |
            awk 'NF == 3 && $2 != "W" && $3 ~ /^rn_/ {print $3}' | grep -vE "^$(prefix "$c")_" | sed "s|^|$c: |"
    done
}
[ -f "$LIB" ] && none "symbols without the prefix of their room" foreign_symbols
# They are built for `make fuzz` alone, which takes clang.
fuzz_targets() {
    files 'tests/fuzz*.c' | while read -r f; do
        # shellcheck disable=SC2086
        $CC $CPPFLAGS -std=c11 -Wall -Wextra -fsyntax-only "$f"
    done
}
none "fuzz targets compile" fuzz_targets
symbols() {
    $NM -g --defined-only "$LIB" "${LIB%/*}/libplay.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^(_Z|DW\.)|^_*(rn_|__)/ {print $3}' | sort -u
}
[ -f "$LIB" ] && none "every symbol has the prefix rn_ or is of C++" symbols

# What is below app/ may stand in anybody's process: it neither ends it nor changes its environment, and
# says what it has to say through rn_log. Exempt are the log's own sink for want of another, the sums that
# were asked for on stdout, and the readers of DICOM and .mat, which are processes of their own.
process_calls() {
    ends='exit|_exit|_Exit|quick_exit|abort|atexit|on_exit|at_quick_exit|__cxa_atexit'
    changes='setenv|unsetenv|putenv|clearenv'
    speaks='stderr|perror|psignal|v?warnx?|v?errx?|v?syslog|v?printf|__v?printf_chk|puts|putchar'
    files 'filters/*.c' 'io/*.c' 'ui/*.c' | while read -r f; do
        allowed=none
        case $f in
        io/dicom/* | io/volumes/mat/mat_worker.c) continue ;;
        filters/base/log.c) allowed=stderr ;;
        io/write/sinks/sink_md5.c) allowed='v?printf|__v?printf_chk' ;;
        esac
        nm -u "${LIB%/*}/${f%.c}.o" | awk '{print $2}' | grep -xE "$ends|$changes|$speaks" |
            grep -vxE "$allowed" | sed "s|^|$f: |"
    done
}
[ -f "$LIB" ] && none "below app/ nothing ends the process, changes its environment, or prints" process_calls

# ---- tools, where they are installed

sources=$(files '*.c' '*.h')
if command -v clang-format >/dev/null; then
    # shellcheck disable=SC2086
    none "clang-format (make format)" clang-format --dry-run -Werror $sources io/dicom/gdcm/*.[ch]pp
else
    echo "lint: clang-format is not installed"
fi
if command -v cppcheck >/dev/null; then
    # shellcheck disable=SC2086
    none "cppcheck" cppcheck -q --std=c11 -I. $(printf '%s\n' $CPPFLAGS | grep '^-D') -j2 \
        --enable=warning,performance,portability --inline-suppr --suppress=missingInclude \
        --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=readdirCalled \
        --suppress=arrayIndexThenCheck --library=posix --error-exitcode=1 \
        app filters io ui
else
    echo "lint: cppcheck is not installed"
fi
# What is left out fires on what is meant: adjacent ints, int arithmetic on samples, memcpy. The
# analyzer's core checks do not know that rn_fail never returns 0, and that of memory not what a scope
# releases (RN_OWNED): leaks are the sanitizer's to find.
checks='-*,clang-diagnostic-*,bugprone-*,misc-redundant-expression,clang-analyzer-unix.*,clang-analyzer-deadcode.*'
checks=$checks,clang-analyzer-security.*
for c in bugprone-easily-swappable-parameters bugprone-narrowing-conversions \
    bugprone-reserved-identifier bugprone-implicit-widening-of-multiplication-result \
    bugprone-branch-clone bugprone-assignment-in-if-condition bugprone-macro-parentheses \
    bugprone-sizeof-expression bugprone-signal-handler bugprone-suspicious-include bugprone-misplaced-widening-cast \
    clang-analyzer-unix.Malloc clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling; do
    checks=$checks,-$c
done
tidy() {
    export CPPFLAGS checks
    files 'app/*.c' 'filters/*.c' 'io/*.c' 'ui/*.c' | xargs -P 2 -n 4 sh -c \
        'clang-tidy --quiet --warnings-as-errors="*" --checks="$checks" "$@" -- $CPPFLAGS -std=c11 -Wall -Wextra -Wno-unused-parameter' \
        sh 2>/dev/null | grep -E 'warning:|error:'
}
if command -v clang-tidy >/dev/null; then
    none "clang-tidy" tidy
else
    echo "lint: clang-tidy is not installed"
fi

if [ $findings = 0 ]; then
    echo "lint: nothing found"
else
    echo "lint: $findings kinds of findings"
    exit 1
fi
