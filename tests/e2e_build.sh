#!/bin/sh
# The build: whoever builds may choose flags and tools, and loses none of the flags that correctness needs. With WHOLE=1
# parts of the program are built anew.
harden=${HARDEN-1}${CFLAGS+user}${LDFLAGS+user} # of the program under test
unset MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKELEVEL B V WERROR HARDEN CPPFLAGS CFLAGS CXXFLAGS LDFLAGS LIBS
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

build() { make --no-print-directory -s -C "$root" B="$scratch/b" "$@"; } # arguments of make
plan() { # arguments of make: the commands that it would run
    make --no-print-directory -n -C "$root" B="$scratch/b" VERBOSE=1 "$@"
}
words_of() { # plan, source: the words of the command that compiles it
    grep -e " -c $2 " "$1" | tr ' ' '\n' | grep .
}
last() { # plan, source, beginning of a flag: the last such flag, which wins
    words_of "$1" "$2" | grep -e "^$3" | tail -n 1
}
# Every word of the default commands, but for -O2 and -g1, is among those of a plan.
expect_none_lost() { # plan
    for source in filters/blur.c io/read/source.c ui/view.c app/front.c app/main.c tests/numeric.c $cxx; do
        words_of default "$source" | grep -vxe '-O2' -e '-g1' -e '-D_FORTIFY_SOURCE=2' | sort -u >want
        words_of "$1" "$source" | sort -u >got
        [ -s want ] || complain "no command compiles $source"
        expect_eq "words that $1 lost of $source" "$(comm -23 want got | tr '\n' ' ')" ""
    done
}
expect_exact() { # plan
    for source in filters/blur.c filters/base/image.c io/read/source.c tests/numeric.c; do
        expect_eq "$source" "$(last "$1" $source -std=)" "-std=c11"
        expect_eq "$source" "$(last "$1" $source -ffp-contract=)" "-ffp-contract=off"
        expect_eq "$source" "$(last "$1" $source '-f.*fast-math')" "-fno-fast-math"
        expect_eq "$source" "$(last "$1" $source '-f.*unsafe-math')" "-fno-unsafe-math-optimizations"
        expect_eq "$source" "$(last "$1" $source -D_POSIX_C_SOURCE)" "-D_POSIX_C_SOURCE=200809L"
        expect_eq "$source" "$(words_of "$1" $source | grep -m 1 -e '^-I')" "-I."
    done
}

plan all "$scratch/b/tests/numeric" >default
cxx=$(grep -o -e ' -c io/dicom/gdcm/gdcm_header.cpp ' default | cut -d' ' -f3)
wild='-Ofast -std=gnu89 -ffp-contract=fast -ffast-math -funsafe-math-optimizations'

begin "no flag that correctness needs is lost to flags on the command line"
plan all "$scratch/b/tests/numeric" CFLAGS="$wild" CPPFLAGS='-Iwrong -D_POSIX_C_SOURCE=1' \
    CXXFLAGS=-std=c++98 LDFLAGS=-Wl,-O1 LIBS=-lm >theirs
expect_none_lost theirs
expect_exact theirs
[ -z "$cxx" ] || expect_eq "$cxx" "$(last theirs "$cxx" -std=)" "-std=c++17"
for word in -Ofast -Iwrong -D_POSIX_C_SOURCE=1; do
    words_of theirs filters/blur.c | grep -qxe "$word" || complain "$word is not used"
done
grep -e '-o .*/b/runnel-media.so$' default | tr ' ' '\n' | grep . | sort -u >want
grep -e '-o .*/b/runnel-media.so$' theirs | tr ' ' '\n' | grep . | sort -u >got
expect_eq "words lost at the link" "$(comm -23 want got | grep -vxe '-O2' -e '-g1')" ""
grep -qx -e -Wl,-O1 got || complain "LDFLAGS is not used"

begin "nor to flags in the environment"
CFLAGS=$wild CPPFLAGS='-Iwrong -D_POSIX_C_SOURCE=1' CXXFLAGS=-std=c++98 LDFLAGS=-Wl,-O1 LIBS=-lm \
    plan all "$scratch/b/tests/numeric" >environment
expect_same environment theirs

begin "warnings are errors only for developers"
words_of default filters/blur.c | grep -qx -e -Werror && complain "by default they are"
plan all WERROR=1 >strict
words_of strict filters/blur.c | grep -qx -e -Werror || complain "with WERROR=1 they are not"
plan all V=debug >debug
words_of debug filters/blur.c | grep -qx -e -Werror || complain "with V=debug they are not"

begin "flags of packagers combine with the program's own without a word"
objects="$scratch/b/filters/base/threads/queue.o $scratch/b/filters/base/log.o"
set -- "CPPFLAGS=-Wdate-time -D_FORTIFY_SOURCE=2" "CPPFLAGS=-D_FORTIFY_SOURCE=3" \
    "CFLAGS=-O2 -Wp,-U_FORTIFY_SOURCE -Wp,-D_FORTIFY_SOURCE=3" "CFLAGS=-O0 -g" \
    "CFLAGS=-O1 -fsanitize=address" "CFLAGS=-O2 -fno-pie -fno-stack-protector" "CPPFLAGS=-D_GNU_SOURCE"
[ -n "${WHOLE-}" ] || set -- "$1" "$5"
for flags; do
    build WERROR=1 "$flags" $objects >out 2>err || complain "make '$flags' failed"
    expect_eq "what make '$flags' says" "$(cat err)" ""
done
if [ -n "$cxx" ] && [ -n "${WHOLE-}" ]; then
    build WERROR=1 CXXFLAGS='-O0 -D_FORTIFY_SOURCE=3 -U_FORTIFY_SOURCE' "$scratch/b/io/dicom/gdcm/gdcm_header.o" >out 2>err
    expect_eq "what the C++ compiler says" "$(cat err)" ""
fi

begin "what is built is not built again"
build "$scratch/b/kernels_gen.o" >out
expect_eq "what the next make says" "$(build "$scratch/b/kernels_gen.o")" ""

begin "what is built does not know the folder in which it was built"
for tree in one another/place; do
    mkdir -p "$tree"
    cp -r "$root/Makefile" "$root/app" "$root/filters" "$root/io" "$root/kernels" "$root/ui" "$tree"
    make --no-print-directory -s -C "$tree" B=b BIN=b/runnel CFLAGS='-O1 -g' b/filters/base/border.o b/app/front.o ||
        complain "it is not built"
done
for object in filters/base/border.o app/front.o; do cmp one/b/$object another/place/b/$object || complain "$object"; done

begin "the version is the same wherever it stands, and what is packed has it"
ok sh "$root/app/packaging/check" release

begin "tools are taken from PKG_CONFIG, CC, CXX and AR"
printf '#!/bin/sh\npkg-config "$@" | sed "s/\\$/ -DASKED/"\n' >my-pkg-config
chmod +x my-pkg-config
plan all PKG_CONFIG="$scratch/my-pkg-config" CC="cc -DMY" CXX="c++ -DMY" AR=my-ar >tools
for source in io/read/source.c ui/view.c app/main.c; do
    words_of tools $source | grep -qx -e -DASKED || complain "$source: PKG_CONFIG is not asked"
    words_of tools $source | grep -qx -e -DMY || complain "$source: CC is not used"
done
grep -q "my-ar rcs $scratch/b/libprogram.a" tools || complain "AR is not used"

begin "installed below DESTDIR, at PREFIX"
# As it stands: with flags of its own make would build anew what other tests run at the same time.
make --no-print-directory -s -C "$root" -o all -o lib B="$BUILD" BIN="$RUNNEL" install DESTDIR="$scratch/a stage" PREFIX=/usr
expect_file "$scratch/a stage/usr/bin/runnel" "$scratch/a stage/usr/libexec/runnel/runnel-media.so"
make --no-print-directory -s -C "$root" uninstall DESTDIR="$scratch/a stage" PREFIX=/usr
expect_no_file "$scratch/a stage/usr/bin/runnel" "$scratch/a stage/usr/libexec/runnel/runnel-media.so"

if [ "${VARIANT:-release}" != release ] || [ "$harden" != 1 ]; then
    skip "the program is hardened: built with other flags"
elif ! command -v readelf >/dev/null; then
    skip "the program is hardened: readelf is not installed"
else
    begin "the program is hardened"
    for program in "$RUNNEL" "$(dirname "$RUNNEL")/runnel-play.so"; do
        readelf -hldW "$program" >elf
        readelf -W --dyn-syms "$program" >symbols
        grep -q 'Type: *DYN' elf || complain "$program: it is not position-independent"
        grep -q GNU_RELRO elf || complain "$program: no read-only relocations"
        grep -qE 'BIND_NOW|Flags:.* NOW' elf || complain "$program: symbols are bound late"
        grep -q __stack_chk_fail symbols || complain "$program: no stack protector"
        grep -qE '__(v?snprintf|memcpy)_chk' symbols || complain "$program: not fortified"
    done
fi

[ -n "${WHOLE-}" ] || finish

if [ "${VARIANT:-release}" != release ] || [ "$harden" != 1 ]; then
    skip "without GDCM, libmatio and libseccomp it is whole, too, and names the package: built with other flags"
else
    begin "without GDCM, libmatio and libseccomp it is whole, too, and names the package"
    bare=$scratch/bare without="GDCM= MATIO= SECCOMP= CFLAGS=-O0 B=$scratch/bare"
    anew=$(cd "$root" && grep -rl --include="*.c" RN_HAVE_ io | sed "s|\(.*\)\.c$|$bare/\1.o|")
    build WERROR=1 $without $anew 2>&1 || complain "make $without failed"
    plan $without all | grep -e " rcs $bare/libprogram.a" -e "-o $bare/runnel-media.so$" |
        while read -r line; do # all other objects are as they stand
            for word in $line; do
                case $word in
                "$bare"/*.o) [ -e "$word" ] || word=$BUILD/${word#"$bare/"} ;;
                esac
                printf '%s ' "$word"
            done
            echo
        done >link
    (cd "$root" && sh -e "$scratch/link") || complain "it does not link"
    cp "$RUNNEL" bare/runnel
    { head -c 128 /dev/zero && printf 'DICM\2\0\0\0UL\4\0\0\0\0\0'; } >in.dcm
    { printf '%-124s' 'MATLAB 5.0 MAT-file' && printf '\0\1IM'; } >in.mat
    for case in dcm:libgdcm-dev mat:libmatio-dev; do
        refuses 3 "${case#*:}" bare/runnel info in.${case%:*}
    done
fi

# With a * b + c in one instruction these chains would differ from the device.
flags=-Ofast
case $(uname -m) in
x86_64)
    grep -qw fma /proc/cpuinfo && grep -qw avx2 /proc/cpuinfo && flags="-Ofast -march=haswell"
    ;;
aarch64 | ppc64le | riscv64 | s390x) flags="-Ofast " ;;
esac
if [ "${VARIANT:-release}" != release ] || [ "$harden" != 1 ]; then
    skip "the references are exact with -Ofast on a CPU with fused multiply-add: built with other flags"
elif [ "$flags" = -Ofast ]; then
    skip "the references are exact with -Ofast on a CPU with fused multiply-add: this CPU has no fused multiply-add"
else
    begin "the references are exact with -Ofast on a CPU with fused multiply-add"
    objects=$(cd "$root" && ls filters/base/image.c filters/*.c filters/parts/*.c |
        sed "s|\(.*\)\.c$|$scratch/b/\1.o|" | grep -E 'convol|blur|differ|format|image|parts/(matrix|separable|lut)')
    build CFLAGS="$flags" $objects 2>&1 || complain "make CFLAGS='$flags' failed"
    plan CFLAGS="$flags" "$scratch/b/tests/numeric" | grep -e '-o .*/b/tests/numeric$' >link
    sed -i "s|$scratch/b/tests/numeric\([._]\)|$BUILD/tests/numeric\1|g; s|/numeric.o |&$(echo $objects) |
        s|$scratch/b/app/|$BUILD/app/|g; s|$scratch/b/lib|$BUILD/lib|g; s|\(-o .*\)b/tests/numeric$|\1numeric|" link
    (cd "$root" && sh "$scratch/link") || complain "it does not link: $(cat link)"
    nm numeric | grep -q set_fast_math && complain "denormals are flushed"
    for chain in "convolution=matrix='1.1 2.3 1.7 2.9 4.1 2.2 1.3 2.7 1.9'" blur=sigma=2.5 sharpen=37.3 format=gbrp; do
        run ./numeric --chain "$chain" --size 161x93 --format yuv420p10
        grep '^not ok' out | sed 's/^/# /'
        expect_rc 0
    done
fi
