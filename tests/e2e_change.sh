#!/bin/sh
# Pictures that change their size or shape in mid-stream: scaled to the first size, the run's end, or a file for each.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_part() { # file, size, options of ffmpeg...: 1 s, 25 pictures
    out=$1 size=$2
    shift 2
    clip "$out" "lavfi:testsrc2=s=$size:r=25:d=1" lavfi:sine=440:r=48000:d=1 -bf 2 -g 12 -c:a mp2 -b:a 64k \
        -pix_fmt yuv420p "$@" || complain "cannot make $out"
}

sizes_of() { # file: sizes of its pictures, each change of them
    entries "$1" v:0 frame=width,height | uniq | tr '\n' ' '
}

loss() { jq -r ".losses[$1].$2 // empty" m.json; }

expect_loss() { # words in its text
    case $(loss 0 text) in *"$1"*) ;; *) complain "the loss does not say $1: $(loss 0 text)" ;; esac
}

begin "inputs"
make_part a.ts 64x48 -c:v libx264
make_part b.ts 96x72 -c:v libx264
make_part odd.ts 96x72 -c:v libx264 -vf scale=47:35 -pix_fmt yuv444p
make_part wide.ts 96x54 -c:v libx264
make_part narrow.ts 64x48 -c:v mpeg2video -aspect 4:3
make_part broad.ts 64x48 -c:v mpeg2video -aspect 16:9
make_part large.mpg 96x72 -c:v mpeg2video
make_part small.mpg 64x48 -c:v mpeg2video
cat a.ts b.ts >two.ts
cat a.ts odd.ts a.ts >back.ts
cat a.ts wide.ts >wide2.ts
cat narrow.ts broad.ts >sar.ts
cat small.mpg large.mpg >two.mpg
clip two.mkv two.ts -map 0 -c copy
for e in ts mkv; do expect_eq "sizes in two.$e" "$(sizes_of two.$e)" "64,48 96,72 "; done

for case in two.ts:50:25 two.mkv:50:25 two.mpg:50:25 back.ts:75:25 wide2.ts:50:25; do
    in=${case%%:*} rest=${case#*:}
    n=${rest%:*} scaled=${rest#*:}
    begin "$in: all $n pictures in the first size"
    for threads in 1 4; do
        ok runnel render $in out.mkv -y -q --codec ffv1 --metrics m.json --threads $threads
        expect_eq "sizes" "$(sizes_of out.mkv)" "64,48 "
        expect_eq "pictures" "$(frames_of out.mkv)" "$n"
        expect_eq "kind" "$(loss 0 kind)" size
        for words in "$scaled frames" "frame 25" "64x48"; do expect_loss "$words"; done
        [ $threads = 1 ] || expect_same out.mkv one.mkv
        mv out.mkv one.mkv
    done
done

begin "another shape is told"
says "16:9 instead of 4:3" runnel render wide2.ts out.mkv -y --codec ffv1
ok runnel render two.ts out.mkv -y --codec ffv1
! grep -q "4:3" err || complain "the shape is the same"
fails 6 '' runnel render wide2.ts out.mkv -y --codec ffv1 --strict

begin "another shape of the samples is a loss"
ok runnel render sar.ts out.mkv -y -q --codec ffv1 --metrics m.json
expect_eq "pictures" "$(frames_of out.mkv)" 50
expect_eq "losses" "$(jq '.losses | length' m.json)" 1
expect_eq "kind" "$(loss 0 kind)" aspect
for words in "25 frames" "frame 25" "4:3" "16:9"; do expect_loss "$words"; done
ok runnel render sar.ts out.mkv -y --from 30f --codec ffv1 --strict
expect_eq "shape from the second part on" "$(about out.mkv stream=display_aspect_ratio)" 16:9

psnr() { # two files: how alike their pictures are, in dB
    ffmpeg -nostdin -v info -i "$1" -i "$2" \
        -lavfi '[0]settb=1/25,setpts=N[a];[1]settb=1/25,setpts=N[b];[a][b]psnr' -f null - 2>&1 |
        sed -n 's/.*average:\([^ .]*\).*/\1/p'
}

expect_alike() { # two files
    n=$(psnr "$1" "$2")
    [ "$n" = inf ] || [ "${n:-0}" -ge 35 ] || complain "$1 against $2: $n dB"
}

begin "scaled pictures are the same pictures, in every format"
for case in gray16be ya8 rgba pal8:rgb24; do
    format=${case%:*} as=${case#*:}
    clip s1.png lavfi:testsrc2=s=128x96:r=25 -frames:v 1 -vf boxblur=3 -pix_fmt $format
    clip s0.png lavfi:testsrc2=s=128x96:r=25 -frames:v 1 -vf scale=64:48 -pix_fmt $format
    ok runnel render s%d.png t_%d.png -y -q --on-change scale
    clip want.png s1.png -vf scale=64:48:flags=bicubic+accurate_rnd -pix_fmt $as
    expect_alike t_1.png want.png
done
make_part long.ts 128x96 -c:v libx264 -crf 4 -pix_fmt yuv422p10le -vf boxblur=3
cat odd.ts long.ts >sl.ts
ok runnel render sl.ts scaled.nut -y -q --codec ffv1 --drop a
ok runnel render scaled.nut last.nut -y -q --from 25f --codec ffv1
clip want.nut long.ts -an -vsync passthrough -vf scale=47:35:flags=bicubic+accurate_rnd -pix_fmt yuv444p -c:v ffv1
expect_alike last.nut want.nut

begin "--on-change stop: what came before is kept"
for in in two.ts two.mkv sar.ts; do
    rm -f out*
    refuses 3 '' runnel render $in out.mkv --codec ffv1 --on-change stop -y --metrics m.json
    expect_eq "pictures of $in" "$(frames_of out.partial.mkv)" 25
    expect_message "frame 25 " "out.partial.mkv"
    expect_eq "output" "$(jq -r .output_path m.json)" out.partial.mkv
    expect_eq "sizes" "$(sizes_of out.partial.mkv)" "64,48 "
done
ok runnel render a.ts out.mkv --codec ffv1 --on-change stop
for options in "--crop 32x32" "--scale 32x24"; do # which hide the change
    rm -f out*
    fails 3 "frame 25 is 96x72, those before it are 64x48" \
        runnel render two.ts out.mkv --codec ffv1 --on-change stop -q $options
    expect_eq "pictures with $options" "$(frames_of out.partial.mkv)" 25
done
says "lost: .*from 64x48 to 96x72 at frame 25: --crop takes another part" runnel render two.ts null: --crop 32x32
ok runnel render two.ts null: --scale 32x24 --strict
fails 3 '' runnel stats two.ts --on-change stop
expect_eq "rows" "$(grep -c '^[0-9]' out)" 75

begin "the end of the sound and the number of the frame, whatever was done before"
for options in "--deinterlace field:all" "--from 0.8" "--from 10f"; do
    rm -f out*
    fails 3 '' runnel render two.ts out.mkv --codec ffv1 --on-change stop -q $options
    case $options in
    --d*) expect_message "frame 50 " ;;
    *f) expect_message "frame 25 " ;;
    *) expect_message "the picture at 1.0" ;; # nobody has asked for numbers
    esac
    for type in v a; do
        entries out.partial.mkv $type packet=pts_time | sort -g | tail -n 1
    done >ends
    awk '{t[NR] = $1} END {exit !(t[2] > t[1] - 0.1 && t[2] < t[1] + 0.1)}' ends ||
        complain "$options: pictures and sound end at $(tr '\n' ' ' <ends)"
done
says "from the picture at 1.0.* on" runnel render two.ts out.mkv --codec ffv1 -y --from 0.8
says "from frame 25 on" runnel render two.ts null: -f noise --from 0.8

begin "stats and checksums of all pictures"
ok runnel stats two.ts
expect_eq "rows" "$(grep -c '^[0-9]' out)" 150
expect_message "96x72"
ok runnel render two.ts md5: -q
expect_eq "checksums" "$(grep -c . out)" 150
cp out whole
ok runnel render two.ts md5: -q --from 20f
tail -n 90 whole | cut -d' ' -f2- >want
expect_printed want cut -d' ' -f2- out
ok runnel render two.ts md5: -q --from 30f --strict

begin "images of different sizes are refused, but for --on-change scale"
clip i%d.png lavfi:testsrc2=s=64x48:r=25 -frames:v 2
clip i3.png lavfi:testsrc2=s=32x24:r=25 -frames:v 1
fails 3 "i3.png' is 32x24" runnel render i%d.png md5: -q
says "lost: .*1 frame was scaled to 64x48: from frame 2" \
    runnel render i%d.png o.tif -y --on-change scale --metrics m.json
expect_eq "kind" "$(loss 0 kind)" size
fails 2 '' runnel render i%d.png md5: --on-change Scale

coded() { # kind (v or a), files...: what is coded in them, one behind the other
    kind=$1
    shift
    for f; do clip coded.data "$f" -map 0:$kind:0 -c copy -f data && cat coded.data; done
}

pixels() { # files...: their pictures, one behind the other
    for f; do clip pixels.raw "$f" -map 0:v:0 -pix_fmt yuv420p -f rawvideo && cat pixels.raw; done
}

begin "--on-change split: every size and shape in a file of its own, nothing lost and nothing twice"
make_part small.ts 64x48 -c:v mpeg2video
make_part large.ts 96x72 -c:v mpeg2video
cat small.ts large.ts small.ts >three.ts
rm -f m.json
ok runnel render three.ts p.mkv --codec ffv1 --on-change split --metrics m.json --strict
expect_no_file p-4.mkv
expect_eq "sizes" "$(sizes_of p.mkv)$(sizes_of p-2.mkv)$(sizes_of p-3.mkv)" "64,48 96,72 64,48 "
pixels small.ts large.ts small.ts >want
expect_printed want pixels p.mkv p-2.mkv p-3.mkv
coded a three.ts >want
expect_printed want coded a p.mkv p-2.mkv p-3.mkv
for f in p p-2 p-3; do
    grep -q "'$f.mkv': 25 frames of " err || complain "not told: $f.mkv"
    [ $f = p ] || expect_eq "start of $f" "$(about $f.mkv stream=start_time)" 0.000000
    first=$(entries $f.mkv a:0 packet=pts_time | head -n 1)
    awk "BEGIN { exit !(${first:-9} < 0.08) }" || complain "the sound of $f begins at $first"
done
expect_eq "outputs" "$(jq -c '[.outputs[] | [.path, .width, .height, .frames, .complete]]' m.json)" \
    '[["p.mkv",64,48,25,true],["p-2.mkv",96,72,25,true],["p-3.mkv",64,48,25,true]]'
expect_eq "frames" "$(jq -c '[.frames_in, .frames_out, .ledger.packets_written, .losses]' m.json)" "[75,75,75,[]]"
ok runnel render sar.ts s.mp4 --codec ffv1 --on-change split --codec libx264
shape=stream=display_aspect_ratio
expect_eq "shapes" "$(about s.mp4 $shape) $(about s-2.mp4 $shape)" "4:3 16:9"
ok runnel render a.ts one.mkv -y --codec ffv1 --on-change split
expect_no_file one-2.mkv

begin "--on-change split: chapters and tags of a part"
printf '%s\n' ';FFMETADATA1' title=T '[CHAPTER]' TIMEBASE=1/10 START=0 END=5 title=a \
    '[CHAPTER]' TIMEBASE=1/10 START=5 END=30 title=b >chapters
clip two2.mkv two.ts chapters -map 0 -map_metadata 1 -map_chapters 1 -c copy
chapters_of() { # file
    entries "$1" '' chapter=start_time,end_time | sed 's/....,/ /;s/....$//' | tr '\n' ' '
}
for e in mkv mp4; do
    ok runnel render two2.mkv c.$e --on-change split --codec libx264
    ! grep -q lost: err || complain "$(grep lost: err)"
    expect_eq "chapters" "$(chapters_of c.$e)| $(chapters_of c-2.$e)" "0.00 0.50 0.50 1.01 | 0.00 1.99 "
    expect_eq "title" "$(entries c-2.$e '' format=tag:title)" T
done

begin "--on-change split of a range, of images, and with recorded changes"
ok runnel render three.ts r.mkv --codec ffv1 --on-change split --from 30f --to 60f
expect_eq "frames" "$(frames_of r.mkv) $(frames_of r-2.mkv)" "20 10"
expect_eq "sizes" "$(sizes_of r.mkv)$(sizes_of r-2.mkv)" "96,72 64,48 "
printf '%s\n' '{"chain":"noise=amount=0"}' '{"frame":40,"stage":0,"param":"amount","value":"1"}' \
    '{"frame":55,"to":99,"stage":0,"param":"amount","value":"0.1"}' >tape
ok runnel render three.ts t.mkv -q --codec ffv1 --replay tape --on-change split
for part in 2:25:50 3:50:75; do
    range=${part#*:}
    ok runnel render three.ts range.mkv -y -q --codec ffv1 --replay tape --from "${range%:*}f" --to "${range#*:}f"
    pixels range.mkv >want
    expect_printed want pixels t-"${part%%:*}".mkv
done
pixels r-2.mkv >want
! cmp -s got want || complain "nothing was changed"
ok runnel render s%d.png i.mkv --codec ffv1 --on-change split -f noise=seed=3
expect_eq "sizes" "$(sizes_of i.mkv)$(sizes_of i-2.mkv)" "64,48 128,96 "
ok runnel render s%d.png scaled.mkv --codec ffv1 --on-change split --scale 32x24
expect_eq "frames" "$(frames_of scaled.mkv)" 2

begin "--on-change split: a file that stands there, and a failure in a later part"
rm -f p*.mkv m.json
echo old >p-2.mkv
fails 4 "'p-2.mkv' exists" runnel render three.ts p.mkv --codec ffv1 --on-change split --metrics m.json
expect_eq "the first part" "$(frames_of p.mkv)" 25
expect_eq "the old file" "$(cat p-2.mkv)" old
expect_no_file p-3.mkv p-2.partial.mkv
expect_eq "outputs" "$(jq -c '[.outputs[].path]' m.json)" '["p.mkv"]'
rm -f p*.mkv
cp three.ts p-2.mkv
fails 2 '' runnel render p-2.mkv p.mkv -y --codec ffv1 --on-change split
expect_same p-2.mkv three.ts
rm -f p*.mkv
fails 2 "p-2.mkv" runnel render three.ts p.mkv -y --codec ffv1 --on-change split --metrics p-2.mkv

begin "--on-change split needs a media file, and no table"
for out in null: md5: - q.tif q_%d.png /dev/null; do
    refuses 2 '' runnel render three.ts $out --on-change split
done
for out in - /dev/null; do
    fails 2 '' runnel render three.ts $out --on-change split --container matroska
done
for command in stats play; do
    refuses 2 '' runnel $command three.ts --on-change split
done
refuses 2 '' runnel render three.ts q.mkv -f stats=file=q.csv --on-change split
expect_no_file q.mkv q.csv

begin "--on-change split: a signal in the second part"
rm -f p*.mkv
mkfifo pipe
second_is_begun() { # it has no name yet, or another one
    [ -e p.mkv ] && ls -l "/proc/$1/fd" | grep -q -e "$scratch/#" -e "$scratch/\.p-2" && is_idle "$1"
}
{
    cat small.ts large.ts
    wait_for 20 second_is_begun "$(cat pid)"
    kill -INT "$(cat pid)"
    wait_for 20 sh -c '! kill -0 "$(cat pid)"' # who reads on before the signal comes has a whole second part
} >pipe 2>/dev/null &
feeder=$!
run sh -c 'echo $$ >pid; exec "$1" render - p.mkv --codec ffv1 --on-change split <pipe' sh "$RUNNEL"
kill $feeder 2>/dev/null
wait $feeder 2>/dev/null
expect_rc 130
expect_eq "the first part" "$(frames_of p.mkv)" 25
expect_message "p-2.partial.mkv"
expect_no_file p-2.mkv p-3.mkv
