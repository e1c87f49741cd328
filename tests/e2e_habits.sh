#!/bin/sh
# What users of ffmpeg, mpv, ImageMagick and ImageJ type, and what Tab gives in three shells. WHOLE=1: all that they
# type; without it every third.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
clip in.mp4 "$root/media/clip.mp4" -frames:v 12 -vf scale=160:90 -c:v libx264 -pix_fmt yuv420p -c:a copy

begin "options and filters of others: the answer has ours"
cat >habits <<'HABITS'
-ss 5|--from T
-t 5|--to T
-to 5|--to T
-i x|INPUT and OUTPUT stand without an option
-filter_complex x|-f CHAIN
-lavfi x|-f CHAIN
-c:v libx264|--codec NAME
-vcodec libx264|--codec NAME
-c copy|--codec NAME
-c:a aac|--audio ENCODER
-acodec aac|--audio ENCODER
-c:s srt|--subs ENCODER
-crf 20|--codec-opts NAME=VALUE
-preset slow|--codec-opts NAME=VALUE
-b:v 2M|--codec-opts NAME=VALUE
-tune film|--codec-opts NAME=VALUE
-b:a 192k|--audio ENCODER
-an|--audio none
-sn|--subs none
-r 25|--fps R is for image files
-pix_fmt yuv420p|--pix-fmt FMT
-s 640x480|--scale WxH
-vframes 5|--frames N
-frames:v 5|--frames N
-map 0:v|--map STREAM
-threads 2|--threads N
-loglevel error|--log-level LEVEL
-hide_banner|-q
-metadata title=x|tags of the input are kept
-hwaccel cuda|-d chooses where filters run
-aspect 4:3|--codec-opts aspect
--start=5|--from T
--end=9|--to T
--length=9|--frames N
--vf=gblur|-f CHAIN
--no-audio|--audio none
--input-ipc-server=s|--ipc SOCKET
--loop-file|--loop
--speed=2|keys [ and ]
-resize 50%|--scale WxH
-crop 10x10+1+1|--crop WxH+X+Y
-rotate 90|--rotate 90
-flop|--rotate 90
-negate|-f invert
-morphology Close Disk|-f erosion, dilation, opening, closing
-gaussian-blur 0x2|-f blur=sigma=S
-colorspace Gray|-f gray
-compress zip|--compression NAME
-f scale=640:480|--scale WxH
-f crop=10:10|--crop WxH+X+Y
-f hflip|--rotate
-f transpose=1|--rotate
-f yadif|--deinterlace frame
-f fps=25|--fps for image files
-f subtitles=x.srt|left to ffmpeg
-f drawtext=x|left to ffmpeg
-f hqdn3d|median or blur
-f matroska|--container
-f unsharp=5:5:1|'unsharp' is sharpen here
-f eq=contrast=2|levels has no parameter 'contrast'
HABITS
lines=0
while IFS='|' read -r typed ours; do
    lines=$((lines + 1))
    [ -n "${WHOLE-}" ] || [ $((lines % 3)) = 1 ] || continue
    # shellcheck disable=SC2086 # words
    run runnel render in.mp4 null: $typed
    expect_rc 2
    expect_eq "lines" "$(wc -l <err)" 1
    grep -qF -- "$ours" err || complain "$typed: $(cat err)"
done <habits
[ "$(wc -l <habits)" -ge 60 ] || complain "the list is short"

begin "letters of several options, values and operands are no habits; a comma for a colon is not an alias"
ok runnel render in.mp4 null: --frames 1 -d none -qn
ok runnel render in.mp4 null: --frames 1 -d none -vf gblur=sigma=1
refuses 2 "are parted by ':'" runnel render in.mp4 x.mkv -f levels,gamma=2
refuses 2 "one value too many" runnel render in.mp4 x.mkv -f grayscale=1

begin "names of filters elsewhere do the same, and a line names ours"
for pair in gblur:blur erode:erosion negate:invert Minimum:erosion histeq:equalize; do
    into want runnel render in.mp4 md5: --frames 2 -q -d none -f "${pair#*:}"
    run runnel render in.mp4 md5: --frames 2 -d none -f "${pair%%:*}"
    expect_message "'${pair%%[:=]*}' is the filter"
    expect_same out want
done

settings=$XDG_CONFIG_HOME/runnel
mkdir -p "$settings/presets"

begin "-f @NAME: a file, a preset of the user, one that is installed"
into want runnel render in.mp4 md5: --frames 2 -q -d none -f median=radius=1,sharpen=amount=0.3
prints want runnel render in.mp4 md5: --frames 2 -q -d none -f @denoise
printf '# mine\ninvert\n' >"$settings/presets/denoise.chain"
into want runnel render in.mp4 md5: --frames 2 -q -d none -f invert
prints want runnel render in.mp4 md5: --frames 2 -q -d none -f @denoise
echo gray >denoise
into want runnel render in.mp4 md5: --frames 2 -q -d none -f gray
prints want runnel render in.mp4 md5: --frames 2 -q -d none -f @denoise
rm denoise
mkdir -p 'odd [x]*/runnel/presets' && echo invert >'odd [x]*/runnel/presets/odd.chain' # no pattern
XDG_CONFIG_HOME="$PWD/odd [x]*" ok runnel render in.mp4 null: --frames 2 -q -d none -f @odd
refuses 2 "neither a file nor a preset 'denoize' (did you mean 'denoise'?)" runnel render in.mp4 x.mkv -f @denoize
ok runnel filters --presets
expect_eq presets "$(sed '/^$/,$d' out | tr -s ' \n' ' ' | cut -c 1-24)" "denoise mine edges Draws"
printf 'custom=%s\n' "$root/media/vignette.cl" >"$settings/presets/mine.chain"
refuses 2 'allow-code' runnel render in.mp4 x.mkv -f @mine
for preset in "$root"/app/presets/*.chain; do
    ok runnel render in.mp4 null: --frames 1 -q -d none -f "@$preset"
done
rm -r "$settings/presets"

begin "the user's options: for those commands that have them, after the command line and the environment"
printf '# mine\r\n--frames = 2\nfilters gray\n\ndevice=none\nuntimed\n  quiet  \ncrop 32x32\n' >"$settings/config"
into want runnel render in.mp4 md5: --no-config --frames 2 -q -d none -f gray --crop 32x32
prints want runnel render in.mp4 md5:
expect_eq "stderr" "$(wc -c <err)" 0
into want runnel render in.mp4 md5: --no-config --frames 3 -q -d none -f invert --rotate hflip --crop 32x32
prints want runnel render in.mp4 md5: --frames 3 -f invert --rotate hflip
run runnel render in.mp4 md5: -v
expect_message "frames"
fails 5 'nowhere' env RUNNEL_DEVICE=nowhere "$RUNNEL" render in.mp4 null: -f gray
RUNNEL_DEVICE='' ok runnel render in.mp4 null: -q
ok runnel devices
for wrong in 'framse 2|unknown option --framse (did you mean --frames?)' 'frames many|--frames takes' 'frames|needs a value' \
    'exact yes|takes no value' 'help|command line alone' 'json|command line alone' \
    'quiet|--quiet stands in two lines' 'for web|command line alone'; do
    printf 'quiet\n%s\n' "${wrong%|*}" >"$settings/config"
    refuses 2 "runnel/config:2: .*${wrong#*|}" runnel render in.mp4 x.mkv
    ok runnel render in.mp4 null: --frames 1 -q -d none --no-config
    ok runnel render --help
done
begin "what has nothing to do is refused or named where it was asked for, and left out where the settings say it"
clip i%d.png "lavfi:testsrc2=s=16x16:d=1" -frames:v 2
cat >nothing <<'NOTHING'
in.mp4 a.mkv --fps 10|error: --fps is for image input
i%d.png a%d.png --codec ffv1|error: .*--codec ffv1 makes no files of this name
in.mp4 null: --codec ffv1 --codec-opts g=1 --pix-fmt gray --replace-set -y|--\(codec\|codec-opts\|pix-fmt\|replace-set\) .*: no file
i%d.png a.mkv --audio aac --subs srt --probesize 1M --exact|--\(audio\|subs\|probesize\|exact\) has nothing to do
in.mp4 a%d.png --keep-start --batch 2 --audio aac|--\(keep-start\|batch\|audio\) has nothing to do
in.mp4 a.mkv --audio none --subs none --exact --frames 1 --keep-start --replace-set -y|error: --replace-set is for
NOTHING
printf '%s\n' 'fps 10' 'map v' 'map a?' 'channel 2' 'deinterlace frame' 'codec ffv1' 'codec-opts slices=4' 'pix-fmt rgb24' \
    'compression deflate:9' 'container nut' 'audio aac' replace-set verify exact 'on-change split' >"$settings/config"
while IFS='|' read -r words said; do
    run runnel render --no-config $words -d none
    n=$(printf %s "$words" | sed 's/-y//; s/--yes//' | grep -o -- ' --[a-z]' | wc -l)
    case $said in
    error*) expect_refusal 2 "$said" ;;
    *) expect_eq "$words" "$(grep -c -- "$said" err)" "$n" ;;
    esac
    rm -f a*
done <nothing
for out in 'in.mp4 a.mp4' 'i%d.png a.mkv' 'in.mp4 null:' 'i%d.png md5:' 'in.mp4 a%d.png' 'in.mp4 a.tif' 'i%d.png a.npy'; do
    ok runnel render $out -y --frames 2 -d none -f format=gray
    ! grep 'nothing to do\|error' err || complain "$out: $(cat err)"
done
expect_eq "codec of the settings" "$(about a.mkv stream=codec_name,pix_fmt,r_frame_rate)" "ffv1,gray,10/1"
ok runnel stats in.mp4 -d none -q
rm "$settings/config" a*

begin "--help is one screen, --help all has the rest"
for command in '' render play stats info bench devices filters; do
    ok runnel $command --help
    [ "$(wc -l <out)" -le 24 ] || complain "$command --help has $(wc -l <out) lines"
    into all runnel $command --help all
    prints all runnel help $command all
    expect_narrow all
done
into want runnel render --help all
[ "$(grep -c '^ .* --[a-z]' want)" -gt 40 ] || complain "--help all does not have all"

begin "runnel FILE plays it"
SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy "$RUNNEL" in.mp4 --untimed -d none --md5 >out 2>err &
pid=$!
shows() { takes_signals $pid && is_idle $pid; }
wait_for $patience shows || complain "it does not come to its end: $(cat err)"
kill $pid
wait $pid
[ -s out ] || complain "it has shown nothing: $(cat err)"

begin "Tab: commands, options, words, filters, parameters, values and files"
candidates() { # words: prints what the last can be
    runnel complete -- "$@" | cut -f 1 | tr '\n' ' '
}
expect_eq commands "$(candidates re)" "render //files  "
expect_eq option "$(candidates render a --on)" "--on-change "
expect_eq word "$(candidates render a --on-change st)" "stop "
expect_eq parameter "$(candidates render a -f gray,closing=sh)" "gray,closing=shape= "
expect_eq values "$(candidates render a -f closing=shape=)" "closing=shape=cross closing=shape=square closing=shape=disk "
expect_eq "after a value" "$(candidates render a -f closing=shape=disk:r)" "closing=shape=disk:radius= "
expect_eq joined "$(candidates render a --filters=closing=sh)" "--filters=closing=shape= "
expect_eq filter "$(candidates filters clo)" "closing "
expect_eq device "$(candidates render a -d no)" "none "
expect_eq "chain file" "$(candidates render a -f @x)" "//files @ "
expect_eq preset "$(candidates render a -f @den)" "@denoise //files @ "
expect_eq preview "$(candidates play a --unt)" "--untimed "

begin "bash, zsh and fish complete -f closing=sh"
cat >shells.py <<'PY'
import os, sys, pexpect
os.environ.update(PATH=os.getcwd() + "/bin:" + os.environ["PATH"], TERM="dumb", HOME=os.getcwd())
folder = sys.argv[1]
for shell, options, first in (
        ("bash", ["--norc", "--noprofile"], f"PS1=READY; . {folder}/runnel.bash"),
        ("zsh", ["-f"], f"fpath=({folder} $fpath); autoload -U compinit; compinit -u -D; PS1=READY"),
        ("fish", ["--no-config"], f"source {folder}/runnel.fish; function fish_prompt; echo -n READY; end")):
    child = pexpect.spawn(shell, options, encoding="utf-8", timeout=60, dimensions=(24, 100))
    child.sendline(first + "; echo BE''GUN") if shell != "fish" else child.sendline(first + "; echo BE'GUN'")
    child.expect("BEGUN")
    child.expect("READY")
    child.send("runnel render a b -f closing=sh\t")
    try:
        child.expect("closing=sh.*ape=|ape=")
        print(shell)
    except pexpect.exceptions.ExceptionPexpect:
        print(shell, "gave", child.before)
    child.close(force=True)
PY
mkdir bin
ln -s "$RUNNEL" bin/runnel
"$PYTHON" ./shells.py "$root/app/packaging/completion" >done 2>&1
expect_eq shells "$(tr '\n' ' ' <done)" "bash zsh fish "

finish
