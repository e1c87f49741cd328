#!/bin/sh
# What users of ffmpeg, mpv, ImageMagick and ImageJ type, and what Tab gives in three shells. WHOLE=1: all that they
# type; without it every third.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
clip in.mp4 "$root/media/clip.mp4" -frames:v 12 -vf scale=160:90 -c:v libx264 -pix_fmt yuv420p -c:a copy

begin "options, filters and commands of others: the answer has ours"
rows=0
# COMMAND and its files | typed; or typed => ours && ...
while IFS='|' read -r command pairs; do
    printf '%s\n' "$pairs" | sed 's/ && /\n/g' >each
    while read -r pair; do
        rows=$((rows + 1))
        [ -n "${WHOLE-}" ] || [ $((rows % 3)) = 1 ] || continue
        echo "${pair% => *}" | tr ';' '\n' >typed
        while read -r words; do
            # shellcheck disable=SC2086 # words
            fails 2 '' runnel $command $words
            expect_eq "lines" "$(wc -l <err)" 1
            grep -qF -- "${pair#* => }" err || complain "$command $words: $(cat err)"
        done <typed
    done <each
done <<'HABITS'
render in.mp4 null:|-ss 5;--start=5;--seek 5 => : use --from T && --edges;-morphology Close Disk => : use -f with one of
render in.mp4 null:|-to 5;--end=9;--end-time 9 => : use --to T && -strip;-density 72 => tags of the input are kept
render in.mp4 null:|-t 5;--length=9;--duration 9 => --frames N && -loglevel error => : use --log-level LEVEL
render in.mp4 null:|-i x;--input x => INPUT and OUTPUT stand without an option && --from x => see `runnel render --help`
render in.mp4 null:|-o x;--output x => OUTPUT is the second word && -vframes 5;-frames:v 5;--count 5 => : use --frames N
render in.mp4 null:|-filter_complex x;-lavfi x;--vf=gblur;--f x => : use -f CHAIN && --minutes 5 => `runnel plan` has it
render in.mp4 null:|-c:v libx264;-vcodec libx264;-c copy;-codec x;--c:v x => : use --codec NAME && -af x => sound is not
render in.mp4 null:|-c:a aac;-acodec aac;-b:a 192k => --audio ENCODER && -metadata title=x => tags of the input are kept
render in.mp4 null:|-c:s srt => --subs ENCODER && -s 640x480;--resize 50%;--width 64;--height 64;-scale x => --scale WxH
render in.mp4 null:|-crf 20;-preset slow;-tune film;--preset slow;--crf 20;--quality 5 => --codec-opts NAME=VALUE
render in.mp4 null:|--bitrate 2M;-b:v 2M => or --size N for the whole file; see `runnel render --help`
render in.mp4 null:|-fs 5M;--filesize 5M => --size N, such as 25M; see `runnel render --help all` && -hq => --codec-opts
render in.mp4 null:|--lossless => --codec ffv1, or --for archive && --compare x => : `runnel play` has --versus CHAIN
render in.mp4 null:|-an;--no-audio => : use --audio none && -dither => unknown option -dither; && -type Gray => -f gray
render in.mp4 null:|-sn;--no-sub => : use --subs none && -vsync 0;-fps_mode x;-re => frames && -report => --metrics FILE
render in.mp4 null:|-r 25;-framerate 25 => --fps R is for image files && -hwaccel cuda => -d chooses where filters run
render in.mp4 null:|-pix_fmt yuv420p;--pix_fmt x => : use --pix-fmt FMT; see `runnel render --help all`
render in.mp4 null:|-crop 10x10+1+1;-trim => : use --crop WxH+X+Y && -compress zip => : use --compression NAME
render in.mp4 null:|-rotate 90;-flop;--hflip => --rotate 90 && -colorspace Gray => -f with one of gray
render in.mp4 null:|-map 0:v => : use --map STREAM && --force;--overwrite => : use -y && --csv => the command is 'stats'
render in.mp4 null:|-threads 2;--jobs 2 => : use --threads N && --input-ipc-server=s => : `runnel play` has --ipc SOCKET
render in.mp4 null:|-hide_banner;--silent => : use -q && -negate => : use -f invert && -v error => use --log-level error
render in.mp4 null:|--gpu;--cpu => : use -d SEL && -n4 => unknown option -n4; && -copyts => use --keep-start
render in.mp4 null:|-aspect 4:3 => --codec-opts aspect && -flags +ilme x;-movflags x;-bsf:v x => --codec-opts NAME=VALUE
render in.mp4 null:|--format mp4;--muxer mp4 => : use --container NAME && -gaussian-blur 0x2 => with one of median, blur
render in.mp4 null:|--loop-file;-stream_loop 2 => : `runnel play` has --loop; see `runnel play --help`
render in.mp4 null:|--speed=2;--pause => `runnel play` has keys for it && --inflight x => see `runnel render --help all`
render in.mp4 null:|--count=5 => : use --frames N && --nosuch => unknown option --nosuch; see `runnel render --help all`
render in.mp4 null:|--denoise => : use -f median && -nostdin => stdin is read only && -c copy => anew, never copied
render in.mp4 null:|-vn => ffmpeg -vn && -shortest => --to T && -append => `runnel join` && -stats => measures
render in.mp4 null:|-fast => unknown option -fast; && -start_number 3 => use --from T && -planes 1 => -f FILTER=planes=1
stats in.mp4|-print_format json => `runnel info INPUT --json` && out.csv => the result goes to stdout: >out.csv
stats in.mp4|--csv;--format csv => of stats as CSV, or with --json JSON && -o x;--output x => the result goes to stdout
stats in.mp4|--codec x => `runnel stats` has no option --codec: `runnel render` has it; see `runnel render --help`
play in.mp4|--mute;--no-audio => m mutes && -f median sobel => a chain is one word behind -f, as in -f median,sobel
play in.mp4|--fs => : f; && --pause => : Space; && --speed=2 => : [ and ] && --vo=gpu => drawn by SDL
play in.mp4|--script x => --ipc SOCKET && --profile=x => ~/.config/runnel/config && --compare x => : use --versus CHAIN
play in.mp4|--osd-level=3 => `runnel play` has keys && --fs;--mute;--no-audio => `runnel play` has keys for it
render in.mp4 null: -f|scale=640:480 => --scale WxH && medain => (did you mean 'median'?); `runnel filters` lists them
render in.mp4 null: -f|crop=10:10 => --crop WxH+X+Y && yadif => --deinterlace frame && closing=radius:2 => radius=2
render in.mp4 null: -f|hflip;transpose=1 => --rotate && edges => : sobel, prewitt, roberts, laplacian, gradient do this
render in.mp4 null: -f|fps=25 => --fps for image files && xyzzyx => ; there are: blackhat && sobel() => as in sobel
render in.mp4 null: -f|subtitles=x.srt;drawtext=x => left to ffmpeg && unsharp=5:5:1 => 'unsharp' is sharpen here, whose
render in.mp4 null: -f|hqdn3d => : median, blur, boxblur, opening, closing, network do this; `runnel` has the
render in.mp4 null: -f|mask => @mask && edges => @edges
render in.mp4 null: -f|flatten => @flatten && eq=contrast=2 => 'eq' is levels here: levels has no parameter 'contrast'
render in.mp4 null: -f|matroska => --container && median sobel => a chain is one word behind -f, as in -f median,sobel
render in.mp4 null: -f|unsharp=5:5:1 => as in sharpen=amount=1 && median(3);median:3;median(3,4) => as in median=3
render in.mp4 null: -f|threshold=otsu;threshold=auto => threshold=otsu=1 && median=planes=luma;blur=planes=y => planes=1
render in.mp4|o => the name has no extension && -f median sobel => a chain is one word behind -f, as in -f median,sobel
render -f median|sobel in.mp4 null: => a chain is one word behind -f, as in -f median,sobel
render in.mp4 x.mkv --codec|copy => filtered pictures are encoded anew, by ffv1
render in.mp4 x.mkv --audio|no;off => did you mean none?
|preview x;preview -y;view x => did you mean 'play'? && version;-V;-version => did you mean '--version'?
|convert x => did you mean 'render'? && measure x => did you mean 'stats'? && filters closng => did you mean 'closing'?
|list => did you mean 'filters' or 'devices'? && filters --list => `runnel filters` lists them
|devices gpu => chosen by -d gpu && merge x => did you mean 'join'? && mesure x => did you mean 'stats'?
|join => PLAN is missing && probe x => did you mean 'info'? && filters scale => --scale WxH
|--device cpu render => the command comes first && filters closng --json => did you mean 'closing'?
HABITS
[ "$rows" -ge 70 ] || complain "the list is short"
refuses 2 '`runnel render in.mp4 x.mp4` makes it' runnel in.mp4 x.mp4

begin "filters WORD finds filters by what they do; the only one, or an alias, is shown"
while IFS='|' read -r words found; do
    for word in $words; do
        ok runnel filters "$word"
        expect_eq "$word" "$(sed -n '1,/^$/s/^\([a-z]*\)\(: \|   *\).*/\1/p' out | tr '\n' ' ')" "$found "
    done
done <<'WORDS'
edges outline|gradient laplacian prewitt roberts sobel
denoise Smooth|blur boxblur closing median network opening
grow|dilation
shrink|erosion
contrast brightness|equalize levels
morphology|blackhat closing dilation erosion gradient opening tophat
binarize|threshold
gblur|blur
WORDS

begin "letters of several options, values and operands are no habits; a comma for a colon is not an alias"
ok runnel render in.mp4 null: --frames 1 -dnone -fmedian -qn
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
for preset in "$root"/app/presets/*.chain; do ok runnel render in.mp4 null: --frames 1 -q -d none -f "@$preset"; done
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
fails 5 'nowhere' env RUNNEL_DEVICE=nowhere "$started" render in.mp4 null: -f gray
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
    ! grep '^ \{20,\}' out || complain "$command --help: a line is wrapped"
    expect_narrow out
    into all runnel $command --help all
    prints all runnel help $command all
    expect_narrow all
done
ok runnel render --help
expect_eq "lines that say all" "$(grep -c 'web, phone, tv, archive, edit\|none (plain C)\|copy (default), none' out)" 3
into want runnel render --help all
[ "$(grep -c '^ .* --[a-z]' want)" -gt 40 ] || complain "--help all does not have all"

begin "runnel FILE plays it"
SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy "$RUNNEL" in.mp4 --untimed -d none --md5 >out 2>err &
pid=$!
shows() { takes_signals $pid && [ -s out ]; }
wait_for $patience shows || complain "it does not come to its end: $(cat err)"
kill $pid
wait $pid
[ -s out ] || complain "it has shown nothing: $(cat err)"

begin "Tab: commands, options, words, filters, parameters, values and files"
candidates() { # words: prints what the last can be
    runnel complete -- "$@" | cut -f 1 | grep -v '^//open' | tr '\n' ' '
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
for words in 'a -f closing=shape=' 'a -f ' 'a --for ' 'a --fields ' 'a -d ' 'a --'; do
    # shellcheck disable=SC2086 # words
    ! runnel complete -- render ${words% } "${words##* }" | grep -v '^//' | grep -v '	.' || complain "nothing is said of them"
done

begin "bash, zsh and fish complete -f closing=shape=disk:radius="
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
        typed = ("di\t", "sk"), (":ra\t", "dius="), ("3\x01echo \x05\n", "closing=shape=disk:radius=3"), ("", "READY")
        for more, shown in typed: # no blank stays behind a value
            child.send(more)
            child.expect(shown)
        print(shell)
    except pexpect.exceptions.ExceptionPexpect:
        print(shell, "gave", child.before)
    child.close(force=True)
PY
mkdir bin && ln -s "$RUNNEL" bin/runnel
"$PYTHON" ./shells.py "$root/app/packaging/completion" >done 2>&1
expect_eq shells "$(tr '\n' ' ' <done)" "bash zsh fish "
