# What the suites that read and write volumes share, behind lib.sh: inputs of other programs, and other programs
# that look at the outputs (volumes.py).
# shellcheck shell=sh
export RUNNEL_DEVICE=none # what is tested here knows no device

python3 "$root/tests/volumes.py" make >make.out 2>&1 || { sed 's/^/# /' make.out; exit 1; }
mkfifo questions answers
command "$PYTHON" "$root/tests/volumes.py" check <questions >answers 2>check.err &
exec 3>questions 4<answers
expect_volume() { # file, volume: whether its own reader finds the volume in it
    echo "$1 $2" >&3
    read -r answer <&4 || answer="no answer: $(tail -n 1 check.err)"
    [ "$answer" = yes ] || complain "$answer"
}

expect_every_volume() { # lines on stdin: INPUT VOLUME OUTPUT,OUTPUT... OPTIONS
    while read -r input volume outputs options; do
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
}
