#!/bin/sh
# Ctrl-C, SIGTERM, readers that go away, and whose stdin it is.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

endless="lavfi:testsrc2=s=320x240:r=25"

heard() { # the first signal: it says so, or has come to its end
    grep -q 'again to give up\|a second signal to give up' err || ! kill -0 $timer 2>/dev/null
}

# Starts the program in the background, waits until frames flow, sends it signals.
interrupted() { # "SIGNAL..." output options...
    signals=$1
    shift
    timeout -k 5 $patience "$RUNNEL" render "$endless" "$@" --progress progress.json >out 2>err </dev/null &
    timer=$!
    wait_for $patience frames_written progress.json 1 || complain "no frames are written"
    child=$(cat /proc/$timer/task/$timer/children)
    for s in $signals; do
        kill -"$s" $child 2>/dev/null
        wait_for $patience heard || complain "SIG$s is not heard"
        sleep 0.3 # a second signal sooner than that counts as the echo of the first
    done
    start=$(date +%s)
    wait $timer
    rc=$?
    took=$(($(date +%s) - start))
    rm -f progress.json
}

for pair in INT:130 TERM:143; do
    begin "one SIG${pair%:*}: a playable partial file"
    fresh o
    echo old >o/x.mp4
    interrupted "${pair%:*}" o/x.mp4 -y -f convolution=preset=sharpen
    expect_rc "${pair#*:}"
    expect_only o x.mp4 x.partial.mp4
    expect_eq "old file" "$(cat o/x.mp4)" old
    expect_least_frames o/x.partial.mp4 1
done

# ---- before anything is open

expect_ended_by() { # signal, status: the child of `timer`, which then leaves nothing in o
    kill -"$1" $(cat /proc/$timer/task/$timer/children)
    ends $timer "$2"
    expect_only o
}

begin "an input that nobody writes: one signal ends it, and nothing is left"
for pair in INT:130 TERM:143; do
    rm -rf o pipe
    mkdir o
    mkfifo pipe
    timeout -k 5 $patience "$RUNNEL" render pipe o/x.mkv -f invert >out 2>err </dev/null &
    timer=$!
    child=
    opening() {
        child=$(cat /proc/$timer/task/$timer/children) && [ -n "$child" ] && takes_signals ${child% } &&
            takes_sigint ${child% }
    }
    wait_for $patience opening || complain "it takes no signals"
    expect_ended_by "${pair%:*}" "${pair#*:}"
done

cat >slow.c <<'EOF2'
static int slow(const char *path, int flags, int mode)
{
    size_t n = strlen(path);
    if (n >= 8 && !strcmp(path + n - 8, "slow.mkv")) {
        close((int)syscall(SYS_openat, AT_FDCWD, "reached", O_CREAT | O_WRONLY, 0600));
        for (;;)
            pause();
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;                          \
        va_end(args);                                                                              \
        return slow(path, flags, mode);                                                            \
    }
OPEN(open)
OPEN(open64)
EOF2
begin "a file that cannot be opened for long, while drivers load beside it: likewise"
make_preload slow
clip slow.mkv lavfi:testsrc2=s=64x48:d=0.2 -c:v ffv1
for pair in INT:130 TERM:143; do
    rm -rf o reached
    mkdir o
    timeout -k 5 $patience env $(preload slow) "$RUNNEL" render slow.mkv o/x.mkv -f invert >out 2>err </dev/null &
    timer=$!
    wait_for $patience test -e reached || complain "the input is not opened"
    expect_ended_by "${pair%:*}" "${pair#*:}"
done

begin "a partial file does not take the place of a file that the run reads, not even with -y"
fresh o
echo 0 0 0 0 1 0 0 0 0 >o/x.partial.mkv
interrupted INT o/x.mkv -y -f convolution=file=o/x.partial.mkv --codec ffv1
expect_rc 130
expect_only o x.partial.mkv x.partial-2.mkv
expect_eq "the matrix" "$(cat o/x.partial.mkv)" "0 0 0 0 1 0 0 0 0"

begin "twice: gone at once, nothing left"
fresh o
interrupted "INT INT" o/x.mkv -f closing=radius=31:iterations=16 --codec ffv1
expect_rc 130
[ "$took" -le 5 ] || complain "it took $took s to end"
# the first may have been enough for a short file
[ -e o/x.partial.mkv ] && n=1 || n=0
[ "$(ls -A o | wc -l)" = $n ] || complain "left behind: $(ls -A o)"

begin "interrupted image sequence: whole images only"
fresh o
interrupted INT o/i%05d.png -f erosion
expect_rc 130
for f in $(ls o | tail -n 2); do
    ffmpeg -v error -xerror -i o/"$f" -f null - 2>/dev/null || complain "$f is broken"
done

begin "the progress file ends with its last word after SIGTERM"
timeout -k 5 $patience "$RUNNEL" render "$endless" null: --progress p.json 2>err &
timer=$!
wait_for $patience frames_written p.json 1 || complain "no frames are written"
kill -TERM "$(cat /proc/$timer/task/$timer/children | tr -d ' ')"
ends $timer 143
jq -e . p.json >/dev/null 2>jq.err || complain "not JSON lines: $(cat jq.err)"
expect_eq "last event" "$(tail -n 1 p.json | jq -r .event)" error

begin "a reader that goes away: status 4, and one line that says why"
for command in "render $endless -" "render $endless md5:" "render $endless - --container matroska" "stats $endless"; do
    run sh -c '{ "$started" $1 -q; echo $? >status; } | head -n 1 >/dev/null' sh "$command"
    rc=$(cat status)
    expect_refusal 4 'stdout: its reader has gone'
done

begin "stdin is nobody's but for -"
printf 'one\ntwo\nthree\n' >names
prints names \
    sh -c 'while read -r n; do "$started" render lavfi:testsrc2=s=32x32:r=25 null: --frames 2 -q; echo "$n"; done <names'

begin "no terminal: no control characters, whatever the level"
ok runnel render lavfi:testsrc2=s=64x48:r=25 null: --frames 50 --log-level debug
expect_plain err
expect_eq "stdout" "$(wc -c <out)" 0
