#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes media/clip.mp4 from nothing but ffmpeg's own generators: make-clip.sh [OUTPUT]
# 7 seconds of 720p: moving shapes with fine spokes (for sharpening), small dark holes and specks (for a
# closing), a gradient; a soft chord, three chapters, subtitles, a title.
set -eu
out=${1:-$(dirname "$0")/clip.mp4}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/meta" <<'META'
;FFMETADATA1
title=Spokes and specks
artist=the runnel authors
comment=Made by media/make-clip.sh
[CHAPTER]
TIMEBASE=1/1000
START=0
END=2000
title=Wheel
[CHAPTER]
TIMEBASE=1/1000
START=2000
END=4500
title=Board
[CHAPTER]
TIMEBASE=1/1000
START=4500
END=7000
title=Rings
META

cat >"$work/words.srt" <<'SRT'
1
00:00:00,500 --> 00:00:02,000
A wheel turns.

2
00:00:02,500 --> 00:00:04,500
A board drifts by.

3
00:00:05,000 --> 00:00:06,500
Rings pass by.
SRT

# Shapes are painted once, with transparency, and then moved. R and T are polar coordinates.
r='hypot(X-W/2\,Y-H/2)'
t='atan2(Y-H/2\,X-W/2)'
# a hole of 2 px in one of every 9 cells of 16 px
hole="lt(hypot(mod(X\,16)-8\,mod(Y\,16)-8)\,2.1)*eq(mod(floor(X/16)*7+floor(Y/16)*5\,9)\,0)"
wheel="geq=r='if($hole,20,235-90*gt(sin($t*24),0)*between($r,90,200))':\
g='if($hole,20,190-90*gt(sin($t*24),0)*between($r,90,200))':\
b='if($hole,30,70+50*lt($r,80))':\
a='255*lt($r,225+18*gt(sin($t*12),0))*gt($r,26)'"
board="geq=r='if($hole,10,60+150*mod(floor(X/30)+floor(Y/30),2))':\
g='if($hole,10,120+110*mod(floor(X/30)+floor(Y/30),2))':\
b='if($hole,20,200-60*mod(floor(X/30)+floor(Y/30),2))':a=255"
rings="geq=r='225':g='110+110*gt(sin($r*$r/420),0)':b='90':a='255*gt(sin($r*$r/420),0)*lt($r,150)'"
specks="geq=r=8:g=8:b=8:a='255*lt(random(0),0.0016)'"

ffmpeg -v error -y \
    -f lavfi -i "gradients=s=1280x720:r=30:d=7:c0=0x16324f:c1=0xb0623c:n=2:x0=0:y0=0:x1=1280:y1=720:speed=0.00001:seed=7" \
    -f lavfi -i "color=black:s=520x520:r=30,format=rgba,trim=end_frame=1,$wheel,loop=-1:1,setpts=N/30/TB" \
    -f lavfi -i "color=black:s=300x240:r=30,format=rgba,trim=end_frame=1,$board,loop=-1:1,setpts=N/30/TB" \
    -f lavfi -i "color=black:s=320x320:r=30,format=rgba,trim=end_frame=1,$rings,loop=-1:1,setpts=N/30/TB" \
    -f lavfi -i "color=black:s=1280x720:r=30,format=rgba,trim=end_frame=1,$specks,loop=-1:1,setpts=N/30/TB" \
    -f lavfi -i "sine=220:r=48000:d=7" \
    -f lavfi -i "sine=277.18:r=48000:d=7" \
    -f lavfi -i "sine=329.63:r=48000:d=7" \
    -i "$work/words.srt" -i "$work/meta" \
    -filter_complex "\
[1]rotate=a=t*0.5:c=none[w];\
[2]rotate=a=0.15*sin(t):c=none[b];\
[0][w]overlay=x=110:y=100:shortest=1[x];\
[x][b]overlay=x=620+260*sin(t*0.9-1.6):y=110+40*cos(t*1.3):shortest=1[y];\
[y][3]overlay=x=800-120*cos(t*0.7):y=350+20*sin(t*2):shortest=1[z];\
[z][4]overlay=x=0:y=0:shortest=1,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p[v];\
[5][6][7]amix=inputs=3,volume=0.5,tremolo=f=0.5:d=0.6,afade=t=in:d=1,afade=t=out:st=6:d=1,\
aformat=channel_layouts=stereo[a]" \
    -map '[v]' -map '[a]' -map 8 -map_metadata 9 -map_chapters 9 -t 7 \
    -c:v libx264 -preset slow -crf 23 -pix_fmt yuv420p -g 60 \
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv \
    -c:a aac -b:a 96k -c:s mov_text -metadata:s:s:0 language=eng \
    -movflags +faststart -fflags +bitexact -flags:v +bitexact -flags:a +bitexact "$out"
