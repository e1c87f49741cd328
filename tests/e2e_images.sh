#!/bin/sh
# Image sequences in and out, and y4m through pipes.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

for case in "gray:png" "gray16be:png" "rgb24:png" "rgb48be:png" "gray:tif" "gray16le:tif" "rgb24:tif" "rgb48le:tif"; do
    format=${case%:*} ext=${case#*:}
    begin "$ext $format: depth and pixels are kept"
    fresh a b
    clip "a/s_%04d.$ext" lavfi:testsrc2=s=33x17:r=25 -vf noise=alls=20 -frames:v 3 -pix_fmt "$format"
    ok runnel render "a/s_%04d.$ext" "b/t_%04d.$ext"
    expect_eq "files" "$(ls b | tr '\n' ' ')" "t_0001.$ext t_0002.$ext t_0003.$ext "
    expect_same_of b/t_0001.$ext a/s_0001.$ext about stream=pix_fmt
    sums_of "a/s_%04d.$ext" -pix_fmt "$format" >want
    expect_printed want sums_of "b/t_%04d.$ext" -pix_fmt "$format"
    expect_file want
done

mkdir seq
clip seq/i%d.png lavfi:testsrc2=s=33x17:r=25 -frames:v 12 -pix_fmt gray -start_number 5

begin "pattern, glob and folder name the same pictures in the same order"
into want runnel render 'seq/i%d.png' md5: -q
expect_eq "frames" "$(wc -l <want)" 12
for input in 'seq/i*.png' seq seq/; do prints want runnel render "$input" md5: -q; done

for ext in png jp2 webp; do # with threads of the encoder's own, and without
    begin "$ext: the same files from 1 and 4 threads, each with its picture"
    fresh one four
    for folder in one four; do
        [ $folder = one ] && threads=1 || threads=4
        ok runnel render 'seq/i%d.png' "$folder/o%d.$ext" --threads $threads
    done
    expect_eq "files" "$(ls four | sort -V | tr '\n' ' ')" "$(ls seq | sort -V | sed "s/i/o/;s/png/$ext/" | tr '\n' ' ')"
    for f in one/*; do expect_same "$f" "four/${f#one/}"; done
    [ $ext = png ] || continue # lossy
    prints want runnel render "four/o%d.$ext" md5: -q -f format=gray
done

begin "an encoder that makes one file of several pictures is a loss"
fails 6 '12 frames were encoded, but 1 packet came out and 1 was written' \
    runnel render 'seq/i%d.png' 'animated_%d.webp' --codec libwebp_anim

begin "--compression of PNG: none is the largest, 9 the smallest, the same pixels"
for name in none deflate:1 deflate deflate:9; do
    ok runnel render 'seq/i5.png' png.png -y --compression $name
    stat -c %s png.png
    into one.md5 runnel render png.png md5: -q
done >sizes
expect_eq "sizes" "$(sort -nr sizes | tr '\n' ' ')" "$(tr '\n' ' ' <sizes)"
head -n 1 want >first
expect_same one.md5 first

begin "one picture in, one picture out"
ok runnel render seq/i5.png one.png -f closing
expect_eq "size" "$(about one.png stream=width,height)" 32,16

begin "several pictures for one image: refused before anything is opened, or, where nobody knew, nothing is kept"
for input in seq "$root/media/clip.mp4" "$root/media/scan.tif" 'lavfi:testsrc2=s=32x16:d=0.2'; do
    mkdir none
    for out in none/o.png none/o.jpg none/o.old.webp; do
        refuses 2 '' runnel render "$input" $out -y
        stem=${out##*/}
        expect_message "'$out' holds one picture.*name the files like ${stem%.*}_%04d\.${stem##*.}, .*--frames 1"
        expect_only none
    done
    cp seq/i5.png none/o.png
    fails 2 '' runnel render "$input" none/o.png -y
    expect_same seq/i5.png none/o.png
    ok runnel render "$input" none/one.png --frames 1
    expect_only none o.png one.png
    rm -r none
done
clip one.mkv -loop 1 -t 2 -i seq/i5.png -c:v ffv1 # a picture of two seconds
clip one_only.mkv one.mkv -frames:v 1 -c copy
ok runnel render one_only.mkv only.png

begin "images to a film, --fps"
ok runnel render 'seq/i%d.png' film.mkv --fps 10 --codec ffv1
expect_eq "frames" "$(frames_of film.mkv)" 12
expect_eq "second time" "$(times_of film.mkv | sed -n 2p)" 0.100000

begin "existing images are not overwritten without -y"
cp seq/i7.png kept.png
run runnel render 'seq/i%d.png' 'seq/i%d.png'
[ $rc = 2 ] || [ $rc = 4 ] || complain "status $rc"
expect_same seq/i7.png kept.png
mkdir target
cp kept.png target/o_0009.png # of 5 to 16: known before the first is written
fails 4 '' runnel render 'seq/i%d.png' 'target/o_%04d.png' -f erosion
expect_only target o_0009.png
expect_same target/o_0009.png kept.png
ok runnel render 'seq/i%d.png' 'target/o_%04d.png' -f erosion -y
expect_eq "files" "$(ls target | wc -l)" 12

begin "reports never overwrite an image of the input, not even with -y"
mkdir own
cp seq/i7.png own/i7.png
cp seq/i8.png own/i8.png
for input in 'own/i%d.png' 'own/i*.png' own own/i7.png; do
    for option in --metrics --progress; do
        refuses 2 '' runnel render "$input" null: $option own/i7.png -y
    done
    expect_same own/i7.png seq/i7.png
done
refuses 2 '' runnel render own null: -f stats=file=own/i7.png -y
fails 2 '' runnel render own out.mkv -f stats=file=out.mkv
fails 2 '' runnel stats own --metrics own/../own/i7.png -y
expect_same own/i7.png seq/i7.png
expect_only own i7.png i8.png

for format in yuv420p yuv422p yuv444p gray yuv420p10 yuv444p12 gray16; do
    begin "y4m $format through two pipes"
    case $format in
    *1[026]) strict="-strict -1" ;;
    *) strict= ;;
    esac
    clip in.y4m lavfi:testsrc2=s=33x17:r=30000/1001 -frames:v 4 -pix_fmt $format $strict
    ok sh -c '"$started" render - - -q <in.y4m >mid.y4m'
    expect_same_of mid.y4m in.y4m sums_of -pix_fmt $format
    expect_eq "rate" "$(head -n 1 mid.y4m | grep -o 'F[0-9]*:[0-9]*')" F30000:1001
done

begin "runnel to ffmpeg to runnel"
into got sh -c '"$started" render lavfi:testsrc2=s=64x48:r=25 - --frames 5 -q | "$started" render - md5: -q'
prints got runnel render lavfi:testsrc2=s=64x48:r=25 md5: --frames 5 -q
