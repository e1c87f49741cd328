#!/bin/sh
# A process of another user swaps folders, links, files and sockets while programs start: nothing of his is executed,
# loaded or written through, and each run ends with 0 or one line that says why. ROUNDS=N: so many times over;
# WHOLE=1: once; without either every fifth of the cases.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || { skip "the other user's process: not root"; finish; }
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=alsa
clean="env -u POCL_CACHE_DIR -u XDG_RUNTIME_DIR -u XDG_CACHE_HOME"
src=lavfi:testsrc2=s=32x32:r=5:d=0.4 clip=$root/media/clip.mp4
into want runnel render $src md5: -f invert -q

begin "what is planted leaves a mark where it may be loaded: a kernel"
chmod 755 .
mkdir -m 755 planted precious good mine
mkdir -m 777 open
mkdir -m 1777 sticky
echo precious >precious/file
echo '__attribute__((constructor)) static void mark(void) { close(open(MARK, O_CREAT | O_WRONLY, 0666)); }' >mark.c
make_preload mark -DMARK="\"$scratch/mark\"" || { skip_this "no compiler"; finish; }
ok env POCL_CACHE_DIR="$scratch/planted/kcache" "$RUNNEL" render $src null: -f invert
find planted -name '*.so' -exec cp mark.so {} \;
mkdir -p planted/.cache/pocl planted/pocl planted/.config/runnel planted/runnel
for f in .cache/pocl pocl; do cp -r planted/kcache planted/$f; done
printf 'pcm_type.mark { lib "%s/mark.so" }\npcm.!default { type mark }\n' "$scratch" >planted/.asoundrc
cp -r planted trusted
for f in planted/runnel planted/.config/runnel; do echo 'no key' >$f/keys; done
run $clean POCL_CACHE_DIR="$scratch/trusted/kcache" "$RUNNEL" render $src md5: -f invert
[ -e mark ] || complain "no mark"
rm -f mark

is_ours() { [ -O "$1" ] && [ -S "$1" ] && [ ! -L "$1" ]; }
is_ours_or_ended() { is_ours "$1" || ! kill -0 $player 2>/dev/null; }
play() { # input, socket, environment...: tunes through the socket if there is one; its status in $rc
    input=$1 socket=$2
    shift 2
    $clean "$@" "$RUNNEL" play "$input" -f erosion -d none --ipc "$socket" >out 2>err </dev/null &
    player=$!
    wait_for $patience is_ours_or_ended "$socket" || complain "neither a socket nor an end"
    ! is_ours "$socket" || expect_python -c '
from ipc import *
player = Player(sys.argv[1])
player("set", "erosion.radius", 3)
player("quit")' "$socket"
    [ $bad = 0 ] || kill -9 $player 2>/dev/null # who does not answer does not end
    wait $player
    rc=$?
}

begin "a home of another user: neither his keys nor his settings of sound count, and nothing is kept there"
play "$clip" mine/sock HOME="$scratch/trusted" XDG_CONFIG_HOME=
[ -e mark ] && alsa=yes || alsa=
rm -f mark
chown -R 65534:65534 planted
tell() { find planted precious -printf '%p %u %m %s %T@\n' | sort && cat precious/file planted/.asoundrc; }
tell >before
unharmed() { # what was run
    expect_no_file mark
    tell >after
    expect_same after before
    [ $bad = 0 ] || complain "(that was $*)"
    rm -f mark
    mv after before
}
play "$clip" mine/sock HOME="$scratch/planted" XDG_CONFIG_HOME= XDG_STATE_HOME=
expect_rc 0
expect_message "warning: the keys .* are left out: '.*/planted' is another user's" \
    "warning: HOME is left out: '.*/planted' is another user's"
unharmed play
[ -n "$alsa" ] || skip_this "SDL loads no ALSA here"

begin "the other user's process"
setpriv --reuid=65534 --regid=65534 --clear-groups "$PYTHON" - "$scratch/planted" "$scratch/precious" \
    open/way sticky/way sticky/sock <"$root/tests/races.py" >turns 2>&1 & # he may not enter all folders on the way
other=$!
wait_for $patience [ -s turns ]
expect_eq "what he says" "$(cat turns)" "1000 turns of user 65534"
umask 0
open=$scratch/open sticky=$scratch/sticky cases=0 runs=0
everywhere="XDG_CONFIG_HOME=$open/way XDG_DATA_HOME=$open/way XDG_STATE_HOME=$open/way TMPDIR=$scratch/mine"
race() { # kind, its argument
    cases=$((cases + 1))
    [ -n "${ROUNDS-}${WHOLE-}" ] || [ $((cases % 5)) = 0 ] || return
    case $1 in
    render)
        prints want $clean $everywhere $2 "$RUNNEL" render $src md5: -f invert --log-level debug
        expect_eq "programs taken of his, errors" "$(grep -c "taken from '$scratch/\(open\|planted\)\|error" err)" 0
        ;;
    output)
        run $clean $everywhere HOME="$scratch/planted" "$RUNNEL" render $src "$2" -y -d none --container yuv4mpegpipe
        ;;
    play) play $src "$2" $everywhere HOME="$open/way" ;;
    esac
    [ $rc = 0 ] || expect_refusal 4 "'$2'"
    unharmed "$@"
    runs=$((runs + 1))
    find sticky -mindepth 1 -maxdepth 1 -user 0 -exec rm -rf {} + 2>/dev/null
}

begin "caches are of the run's own, outputs whole, settings left out; or one line says why there is no output or socket"
for round in $(seq "${ROUNDS:-1}"); do
    for where in "HOME=$open/way" "HOME=$scratch/planted" "HOME=$scratch/good XDG_CACHE_HOME=$open/way" \
        "POCL_CACHE_DIR=$open/way/kcache" "POCL_CACHE_DIR=$sticky/way/kcache" "POCL_CACHE_DIR=$sticky/way" \
        "HOME= XDG_RUNTIME_DIR=$open/way TMPDIR=$sticky/way" "HOME= XDG_RUNTIME_DIR=$sticky/way TMPDIR=$sticky"; do
        race render "$where"
    done
    for out in open/way/o.y4m open/o.y4m sticky/way/o.y4m sticky/sock; do race output $out; done
    for socket in open/sock open/way/sock sticky/way/sock sticky/sock; do race play $socket; done
done

begin "nothing of the first user's is in a folder of the other but outputs that were to be written there"
kill $other || complain "he has ended: $(cat turns)"
wait $other 2>/dev/null
find open sticky mine good -user 65534 -type d -exec find {} -user 0 ! -name o.y4m \; >found
expect_eq "found" "$(cat found)" ""
expect_only mine runnel-kernels-0
echo "# $runs runs"
