#!/bin/sh
# The binding for Python, built in place and by pip. WHOLE=1 runs each filter on each type of samples.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

: "${BUILD:?}" "${VARIANT:=release}"
python=/usr/bin/python3
[ "$VARIANT" != tsan ] || { skip "Python cannot load what has this sanitizer"; finish; }
begin "make python"
ok make -C "$root" --no-print-directory B="$BUILD" V="$VARIANT" PYTHON="$python" python
PYTHONPATH="$BUILD/python:$PYTHONPATH" RUNNEL="$started"
export RUNNEL
[ "$VARIANT" != asan ] || preload="$(cc -print-file-name=libasan.so)"
python3() { env ${preload+ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$preload"} "$python" "$@"; }

test_of() { # name of a function in binding.py, its argument
    begin "$(sed -n "/^def $1(/{n;s/^ *\"*//;s/\"*\$//p;}" "$root/tests/binding.py")"
    expect_python -W error "$root/tests/binding.py" "$@"
}
test_of filters "${WHOLE-}"
for name in ways bad slots ${WHOLE:+threads memory} files; do test_of $name; done
RUNNEL_DEVICE=none test_of tables
DEVICE=none test_of slots
OCL_ICD_VENDORS=/nonexistent test_of without

begin "the example runs: a notebook that is a script"
expect_python "$root/app/python/example.py"

if [ "$VARIANT" = release ]; then
    begin "pip installs it, without a network, and leaves nothing in the sources"
    before=$(ls -A "$root/app/python")
    ok env RUNNEL_BUILD="$BUILD" "$python" -m pip install -q --no-index --no-deps --no-build-isolation --target there \
        "$root/app/python"
    PYTHONPATH=there expect_python "$root/app/python/example.py"
    grep -qs abi3 there/runnel-*/WHEEL || complain "it is no wheel for all versions"
    expect_eq "the sources" "$(ls -A "$root/app/python")" "$before"
fi
