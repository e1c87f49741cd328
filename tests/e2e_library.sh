#!/bin/sh
# The library as others meet it: installed, then linked with what its pkg-config file says.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

: "${BUILD:?}" "${VARIANT:=release}"
prefix=$scratch/prefix
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"

[ "$VARIANT" = release ] || { skip "the library is linked by programs without sanitizers"; finish; }

install_to() { # target of make
    run make -C "$root" --no-print-directory B="$BUILD" V="$VARIANT" BIN="$RUNNEL" PREFIX="$prefix" "$1"
}

begin "make install puts program, libraries, headers and the pkg-config file below PREFIX"
install_to install
expect_rc 0
halves=libexec/runnel
for file in bin/runnel $halves/runnel-media.so $halves/runnel-play.so lib/librunnel.a lib/librunnel.so lib/pkgconfig/runnel.pc \
    include/runnel/runnel.h; do
    [ -e "$prefix/$file" ] || complain "no $file"
done
expect_eq "what else is in the folder of its parts" "$(ls "$prefix/libexec")" runnel

begin "the installed program runs"
into want "$prefix/bin/runnel" render "$root/media/clip.mp4" md5: --frames 3
prints want runnel render "$root/media/clip.mp4" md5: --frames 3

if [ -e "${RUNNEL%/*}/runnel-dicom.so" ]; then
    begin "and reads DICOM by the part that stands beside its others"
    ok "$prefix/bin/runnel" render "$root/media/scan.tif" slice_%02d.dcm --frames 1
    ok "$prefix/bin/runnel" info slice_00.dcm
fi

example() { # what, flags of pkg-config...
    what=$1
    shift
    ok cc -Wall -Wextra -Werror -std=c11 -pedantic "$root/tests/example.c" -o "example.$what" \
        $(pkg-config --cflags runnel) $(pkg-config "$@" --libs runnel)
    for device in none ''; do
        ok "./example.$what" invert $device
        expect_eq "what it prints" "$(cat out)" "in  0 4 8 12 16 20 24 28
out 255 251 247 243 239 235 231 227"
    done
    fails 2 '' "./example.$what" nosuchfilter
    expect_eq "one line of error" "$(wc -l <err)" 1
}

begin "the example links against the shared library and filters"
example shared
ldd example.shared | grep -q "$prefix/lib/librunnel.so.0" || complain "it does not use the library"

begin "the example links against the static library and filters"
run mv "$prefix/lib/librunnel.so" aside
example static --static
run mv aside "$prefix/lib/librunnel.so"

begin "a program in C++ lists filters and reads measurements, from the installed headers alone"
if command -v c++ >/dev/null; then
    ok c++ -Wall -Wextra -Werror -std=c++17 -pedantic "$root/tests/example.cpp" -o example.cpp.out \
        $(pkg-config --cflags runnel) $(pkg-config --libs runnel)
    rows=$("$prefix/bin/runnel" filters | grep -c '^[a-z]')
    for device in none ''; do
        ok ./example.cpp.out $device
        expect_eq "what it prints" "$(sed 's/, [0-9]* parameters//' out)" "$("$prefix/bin/runnel" --version |
            sed 's/runnel //') 100: $rows filters
mean 255, l2 4080 of plane 0
without a size: refused"
        expect_eq "what it says" "$(cat err)" \
            "librunnel: error: rn_pool_open: struct rn_geom has size 0: begin it with RN_SIZED(struct rn_geom)"
    done
fi

begin "nothing but runnel/ is in the folder of headers, and all that headers name below it is there"
expect_eq "what is there" "$(ls "$prefix/include")" runnel
expect_eq "flags" "$(pkg-config --cflags runnel | tr -d ' ')" "-I$prefix/include"
expect_eq "includes of the sources" "$(grep -rhE '^#include "filters/' "$prefix/include")" ""
grep -rhoE '\brunnel/[a-z/]+\.h' "$prefix/include" | sort -u | while read -r named; do
    [ -e "$prefix/include/$named" ] || echo "$named"
done >missing
expect_eq "named and not installed" "$(cat missing)" ""

begin "every exported symbol has the version RUNNEL_0"
expect_eq "others" "$(nm -D --defined-only --with-symbol-versions "$prefix/lib/librunnel.so" |
    awk '{print $3}' | grep -vE '^rn_[a-z0-9_]+@@RUNNEL_0$|^RUNNEL_0(@@.*)?$')" ""

begin "the library exports what its headers declare, and nothing else"
nm -D --defined-only "$prefix/lib/librunnel.so" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort -u >exported
find "$prefix/include/runnel" -name "*.h" -exec cat {} + | grep -oE '\brn_[a-z0-9_]+( ?\(|\[\];)' | tr -d ' ([];' |
    sort -u >declared
comm -23 exported declared >more
expect_eq "exported and not declared" "$(cat more)" ""
expect_eq "there is something" "$(grep -c '^rn_runner_open$' exported)" 1
sed -n 's/^ \(rn_.*\)@RUNNEL_0 .*/\1/p' "$root/app/packaging/debian/librunnel0.symbols" | sort >named
expect_eq "not those of librunnel0.symbols" "$(comm -3 exported named | tr -d '\t')" ""

begin "random calls (tests/api_rows.h) know every function"
nm -D --defined-only "$prefix/lib/librunnel.so" | awk '$2 == "T" {sub(/@.*/, "", $3); print $3}' | sort -u >functions
sed -n 's/^    [A-Z]*(\(rn_[a-z0-9_]*\)[,)].*/\1/p' "$root/tests/api_rows.h" | sort -u >called
expect_eq "functions that are not called" "$(comm -23 functions called)" ""
expect_eq "there is something" "$(grep -c '^rn_runner_open$' called)" 1

begin "the library is the engine alone: nothing of the benchmark"
nm -g --defined-only "$prefix/lib/librunnel.a" | awk 'NF == 3 {print $3}' | sort -u >engine
nm -g --defined-only "$BUILD/libbench.a" | awk 'NF == 3 {print $3}' | sort -u >bench
expect_eq "symbols of both" "$(comm -12 engine bench)" ""
expect_eq "symbols of the benchmark in the library" "$(grep -E '^rn_(bench|filtertime|linear|measures|plain|speed|stream|tick)' engine)" ""
expect_eq "there is something" "$(grep -cxE 'rn_linear_open|rn_bench_sources' bench)" 2

begin "each installed header compiles alone, as C and as C++"
find "$prefix/include/runnel" -name '*.h' | while read -r header; do
    printf '#include <%s>\nextern int one;\n' "${header#"$prefix/include/"}" >one.c
    cc -std=c11 -pedantic -Wall -Wextra -Werror $(pkg-config --cflags runnel) -fsyntax-only one.c 2>>said ||
        echo "$header" >>said
    ! command -v c++ >/dev/null || c++ -std=c++17 -pedantic -Wall -Wextra -Werror -x c++ \
        $(pkg-config --cflags runnel) -fsyntax-only one.c 2>>said || echo "$header" >>said
done
[ ! -s said ] || complain "$(head -5 said)"

begin "make uninstall leaves nothing behind"
install_to uninstall
expect_rc 0
expect_eq "what is left" "$(find "$prefix" ! -type d)" ""
