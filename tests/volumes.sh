# SPDX-License-Identifier: MIT
# What the suites that read and write volumes share, behind lib.sh: inputs of other programs, and other programs
# that look at the outputs (volumes.py).
# shellcheck shell=sh
export RUNNEL_DEVICE=none # what is tested here knows no device

python3 "$root/tests/volumes.py" make >make.out 2>&1 || { sed 's/^/# /' make.out; exit 1; }
start_judge "$root/tests/volumes.py" check
expect_volume() { expect_judged "$1 $2"; } # file, volume: whether its own reader finds the volume in it

expect_every_volume() { # lines on stdin: INPUT,INPUT... VOLUME OUTPUT,OUTPUT... OPTIONS
    while read -r inputs volume outputs options; do
        set -f # an input may be a pattern
        set -- $(echo "$inputs" | tr , ' ')
        set +f
        for input; do
            begin "$input${options:+ $options}: values, place and order in $outputs"
            for ext in $(echo "$outputs" | tr , ' '); do
                case $ext in
                dcm) output=from_${volume}_%02d.dcm ;;
                *) output=from_$volume.$ext ;;
                esac
                run runnel render "$input" "$output" -y -q $options
                [ "$ext" = dcm ] && [ "$rc" = 2 ] && grep -q libgdcm-dev err && continue
                expect_rc 0
                expect_volume "$output" "$volume"
            done
        done
    done
}
