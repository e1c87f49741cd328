#!/bin/sh
# Interlaced frames are filtered field by field: the pixels of the separated fields, each filtered as a
# picture of its own, and woven again.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make() { # file, options of ffmpeg
    file=$1
    shift
    clip "$file" lavfi:testsrc2=s=96x64:r=50:d=0.12 "$@"
}

# What runnel gives for the fields, which ffmpeg separates and weaves; lines as of md5:
woven() { # file, chain, frames
    clip fields.y4m "$1" -vf setfield=tff,separatefields -strict -1
    "$started" render fields.y4m filtered.y4m -y -q -d none --fields frame -f "$2" || complain "no fields"
    clip woven.y4m filtered.y4m -vf weave=first_field=top -strict -1
    "$started" render woven.y4m md5: -q -d none --fields frame --frames "$3"
}

count() { grep -c 'filtered field by field' err; }

interlaced=tinterlace=interleave_top,setfield=tff
make mpeg2.mpg -vf $interlaced -flags +ildct+ilme -c:v mpeg2video
make mbaff.mp4 -vf $interlaced -flags +ildct+ilme -c:v libx264 -pix_fmt yuv420p
make bottom.mkv -vf tinterlace=interleave_bottom,setfield=bff -flags +ildct+ilme -c:v libx264 -pix_fmt yuv420p
make prores.mov -vf $interlaced -flags +ildct -c:v prores_ks -profile:v 0
make even.y4m -vf $interlaced,crop=90:60 -pix_fmt yuv420p
make dv.avi -vf $interlaced,scale=720:576:interl=1 -c:v dvvideo -pix_fmt yuv420p -frames:v 2

for case in mpeg2.mpg:cpu mbaff.mp4:none bottom.mkv:none prores.mov:cpu dv.avi:cpu even.y4m:none; do
    file=${case%:*} n=$(frames_of "${case%:*}")
    begin "$file: as its fields"
    woven "$file" blur=1.5:planes=7,closing=radius=2:planes=3 "$n" >want
    prints want runnel render "$file" md5: -d "${case#*:}" -f blur=1.5:planes=7,closing=radius=2:planes=3
    expect_message "  $n frames were filtered field by field"
    expect_eq "such lines" "$(count)" 1
done

begin "an encoder's chroma goes with the lines of its own field"
clip fields.y4m prores.mov -vf setfield=tff,separatefields -strict -1
ok runnel render fields.y4m small.y4m -y -q -d none --fields frame --pix-fmt yuv420p10le
clip woven.y4m small.y4m -vf weave=first_field=top -strict -1
into want runnel render woven.y4m md5: -q -d none
ok runnel render prores.mov small.mkv -y -q -d none --codec ffv1 --pix-fmt yuv420p10le
prints want runnel render small.mkv md5: -q -d none

begin "frames of both kinds: each as it is flagged"
make progressive.m2v -c:v mpeg2video -vf framerate=25
make interlaced.m2v -vf $interlaced -flags +ildct+ilme -c:v mpeg2video
cat progressive.m2v interlaced.m2v progressive.m2v >mixed.m2v
entries mixed.m2v v frame=interlaced_frame >flags
expect_eq "kinds of frames" "$(sort flags | uniq -c | tr -s ' ' | tr '\n' ,)" ' 6 0, 3 1,'
for fields in frame field auto; do
    ok runnel render mixed.m2v md5: -d none -f sharpen --fields $fields --metrics m-$fields.json
    grep ' 0 ' out >$fields
done
paste -d' ' flags frame field | awk '{print ($1 ? $5 " " $6 " " $7 : $2 " " $3 " " $4)}' >want
expect_same auto want
expect_eq "counted" "$(jq .frames_by_field m-frame.json m-field.json m-auto.json | tr '\n' ' ')" '0 9 3 '

begin "what looks at single samples, or at all of them, takes the frame whole"
into want runnel render mpeg2.mpg md5: -d none -f invert,noise,equalize,levels=gamma=2,threshold=otsu=1 --fields frame
prints want runnel render mpeg2.mpg md5: -d none -f invert,noise,equalize,levels=gamma=2,threshold=otsu=1
expect_eq "nothing is said" "$(count)" 0
into want runnel stats mpeg2.mpg -d none --fields frame
prints want runnel stats mpeg2.mpg -d none

begin "the fields of the neighbours, across frames"
woven mpeg2.mpg sharpen 3 >/dev/null
ok runnel render mpeg2.mpg result.y4m -y -q -d none -f median=slices=1:planes=7
for odd in 0 1; do
    clip one.y4m fields.y4m -vf "select=eq(mod(n\,2)\,$odd)" -vsync 0
    run runnel render one.y4m one.out.y4m -y -q -d none --fields frame -f median=slices=1:planes=7
    sums_of one.out.y4m >want
    expect_printed want sums_of result.y4m -vf "setfield=tff,separatefields,select=eq(mod(n\,2)\,$odd)" -vsync 0
    expect_file want
done

begin "--fields takes auto, frame or field"
fails 2 'auto, frame or field' runnel render mpeg2.mpg md5: --fields top
