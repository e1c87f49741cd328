"""The inputs of the zoo: media as other programs write them, made by a recipe and kept below a folder.

A line of RECIPE is "NAME.EXT | OUTPUTS | ARGUMENTS OF FFMPEG | WHAT IS TRUE". OUTPUTS are those of zoo.py (none:
ffv1.mkv mp4, "=": also the container that it comes from). The arguments may hold the words below; what is true is
said where the file itself does not tell: frames=N, cfr=RATE (frames at that rate, whatever the time stamps)."""
import hashlib  # SPDX-License-Identifier: MIT
import os
import subprocess
import threading

SECONDS = "1.2"
WORDS = {
    "VIDEO": "-f lavfi -i testsrc2=s=96x64:r=25:d=" + SECONDS,
    "SMALL": "-f lavfi -i testsrc2=s=96x64:r=25:d=0.4",
    "SOUND": "-f lavfi -i sine=440:r=48000:d=" + SECONDS,
    "ALPHA": "-f lavfi -i color=red@0.5:s=96x64:r=25:d=0.4,format=rgba,geq=r=X:g=Y:b=128:a=2*X",
    "TEXT": "-i words.srt",
    "META": "-i chapters.meta",
    "H264": "-c:v libx264 -preset veryfast -bf 3 -pix_fmt yuv420p",
    "X265": "-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1",
    "AAC": "-c:a aac -b:a 48k",
    "MAP2": "-map 0 -map 1",
    "MAP3": "-map 0 -map 1 -map 2",
    "WRAP": "-output_ts_offset 95443",
    "FAR": "-output_ts_offset 47000",
}

RECIPE = """
# ---- containers
h264.mp4 | ffv1.mkv mp4 mov mkv webm avi ts m2ts flv mpg nut ogv 3gp asf gif apng y4m mjpeg mxf f4v | VIDEO SOUND H264 AAC
h264.mov | = | VIDEO SOUND H264 AAC
h264.mkv | = webm nut | VIDEO SOUND H264 AAC
h264.ts | = m2ts mkv | VIDEO SOUND H264 AAC
h264.m2ts | = | VIDEO SOUND H264 AAC
h264.flv | = mkv | VIDEO SOUND H264 AAC
h264.f4v | = | VIDEO SOUND H264 AAC
h264.3gp | = | VIDEO SOUND H264 AAC
h264.3g2 | = | VIDEO SOUND H264 AAC
h264.nut | = mkv | VIDEO SOUND H264 AAC
h264.avi | = mkv | VIDEO SOUND H264 AAC
h264.asf | = mkv | VIDEO SOUND H264 AAC
h264.m4v | = | VIDEO SOUND H264 AAC
fragments.mp4 | = mkv | VIDEO SOUND H264 AAC -movflags empty_moov+frag_keyframe -g 10
edits.mp4 | = mkv mov | -ss 0.5 -i base.mp4 -c copy
vp8.webm | = mkv | VIDEO SOUND -c:v libvpx -b:v 500k -c:a libvorbis
vp9.webm | = mkv | VIDEO SOUND -c:v libvpx-vp9 -cpu-used 8 -c:a libopus
av1.webm | = mkv | SMALL -c:v libaom-av1 -cpu-used 8 -b:v 200k
av1.mp4 | = | SMALL -c:v libaom-av1 -cpu-used 8 -b:v 200k
svtav1.mkv | | SMALL -c:v libsvtav1 -preset 12
vp9.mp4 | = | VIDEO SOUND -c:v libvpx-vp9 -cpu-used 8 -c:a libopus
hevc.mp4 | = mov mkv ts | VIDEO SOUND X265 AAC -tag:v hvc1
hevc.ts | = | VIDEO SOUND X265 AAC
mpeg1.mpg | = mkv ts | VIDEO SOUND -c:v mpeg1video -c:a mp2
mpeg2.mpg | = mkv ts | VIDEO SOUND -c:v mpeg2video -bf 2 -c:a mp2
mpeg2.vob | = mkv | VIDEO SOUND -c:v mpeg2video -bf 2 -c:a ac3
mpeg2.ts | = mkv | VIDEO SOUND -c:v mpeg2video -bf 2 -c:a mp2
mpeg2.mxf | = mkv mov | VIDEO SOUND -c:v mpeg2video -c:a pcm_s16le
mpeg4.avi | = mkv | VIDEO SOUND -c:v mpeg4 -bf 2 -c:a libmp3lame
mpeg4.mp4 | = | VIDEO SOUND -c:v mpeg4 AAC
xvid.avi | = | VIDEO SOUND -c:v libxvid -c:a ac3
msmpeg4.avi | = mkv | VIDEO SOUND -c:v msmpeg4 -c:a libmp3lame
wmv2.wmv | = mkv | VIDEO SOUND -c:v wmv2 -c:a wmav2
wmv1.asf | = mkv | VIDEO SOUND -c:v wmv1 -c:a wmav1
flv1.flv | = mkv | VIDEO SOUND -c:v flv1 -ar 44100 -c:a libmp3lame
flashsv.flv | = | VIDEO SOUND -c:v flashsv -ar 44100 -c:a libmp3lame
flv1.swf | = mkv | VIDEO SOUND -c:v flv1 -ar 44100 -c:a libmp3lame
rv20.rm | mkv mp4 | VIDEO SOUND -c:v rv20 -c:a ac3
theora.ogv | = mkv | VIDEO SOUND -c:v libtheora -c:a libvorbis
theoraflac.ogg | mkv | VIDEO SOUND -c:v libtheora -c:a flac
mjpeg.avi | = mkv mov | VIDEO SOUND -c:v mjpeg -c:a pcm_s16le
mjpeg.mov | = mkv | VIDEO SOUND -c:v mjpeg -pix_fmt yuvj422p -c:a pcm_s16le
huffyuv.avi | = mkv | VIDEO SOUND -c:v huffyuv -pix_fmt yuv422p -c:a pcm_s16le
ffvhuff.avi | = | VIDEO -c:v ffvhuff -pix_fmt yuv420p
utvideo.avi | = mkv | VIDEO SOUND -c:v utvideo -pix_fmt gbrp -c:a pcm_s24le
magicyuv.avi | = | VIDEO -c:v magicyuv -pix_fmt yuv444p
rawvideo.avi | = mkv | VIDEO -c:v rawvideo -pix_fmt yuyv422
bgr24.avi | = mkv | VIDEO -c:v rawvideo -pix_fmt bgr24
cinepak.avi | | SMALL -c:v cinepak
zmbv.avi | | SMALL -c:v zmbv
prores.mov | = mkv | VIDEO SOUND -c:v prores_ks -c:a pcm_s24le
prores4444.mov | = mkv | ALPHA -c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le
dnxhr.mov | = mkv | -f lavfi -i testsrc2=s=256x144:r=25:d=0.4 -c:v dnxhd -profile:v dnxhr_hq -pix_fmt yuv422p
dnxhr.mxf | = mkv | -f lavfi -i testsrc2=s=256x144:r=25:d=0.4 SOUND -c:v dnxhd -profile:v dnxhr_sq -pix_fmt yuv422p -c:a pcm_s24le -shortest
qtrle.mov | = mkv | ALPHA -c:v qtrle -pix_fmt argb
qtrle24.mov | = | SMALL -c:v qtrle -pix_fmt rgb24
png.mov | = mkv | ALPHA -c:v png -pix_fmt rgba
png.mkv | = | SMALL -c:v png -pix_fmt rgb24
v210.mov | = | SMALL -c:v v210
uyvy.mov | = | SMALL -c:v rawvideo -pix_fmt uyvy422
cfhd.mov | | SMALL -c:v cfhd -pix_fmt yuv422p10le
svq1.mov | | SMALL -c:v svq1
jpeg2000.mov | | SMALL -c:v jpeg2000 -pix_fmt yuv444p
h263.3gp | = | -f lavfi -i testsrc2=s=176x144:r=25:d=0.8 SOUND -c:v h263 AAC
dv.dv | mkv mov avi | -f lavfi -i testsrc2=s=720x576:r=25:d=0.2 -f lavfi -i sine=440:r=48000:d=0.2 -ac 2 -pix_fmt yuv420p -c:v dvvideo -c:a pcm_s16le
dv.avi | = mkv | -f lavfi -i testsrc2=s=720x576:r=25:d=0.2 -pix_fmt yuv420p -c:v dvvideo
gif.gif | = apng mkv | SMALL
loop.gif | = apng | SMALL -loop 3
once.gif | = | SMALL -loop -1
slow.gif | = mkv y4m | -f lavfi -i testsrc2=s=96x64:r=25:d=1.2 -vf select='lt(mod(n\\,10)\\,4)' -vsync vfr
apng.apng | = gif mkv | SMALL -plays 3 -f apng
alpha.apng | = webm mov | ALPHA -plays 0 -f apng
alpha.webm | ffv1.mkv = mkv mov | ALPHA -c:v libvpx-vp9 -cpu-used 8 -pix_fmt yuva420p
alphavp8.webm | ffv1.mkv = mkv | ALPHA -c:v libvpx -b:v 1M -auto-alt-ref 0 -pix_fmt yuva420p
alpha.nut | ffv1.mkv mkv mov webm gif apng avi | ALPHA -c:v ffv1 -pix_fmt yuva420p
yuv.y4m | = mkv avi | SMALL -pix_fmt yuv420p
yuv444p10.y4m | = mkv | SMALL -strict -1 -pix_fmt yuv444p10le
vp8.ivf | = mkv | SMALL -c:v libvpx
vp9.ivf | = mkv | SMALL -c:v libvpx-vp9 -cpu-used 8
raw.h264 | mkv mp4 ts | VIDEO H264
raw.hevc | mkv mp4 | VIDEO X265
raw.m2v | mkv mp4 mpg | VIDEO -c:v mpeg2video -bf 2
raw.mjpeg | mkv mp4 | SMALL -c:v mjpeg
raw.m4v | mkv mp4 | SMALL -c:v mpeg4 -f m4v
raw.obu | mkv | SMALL -c:v libaom-av1 -cpu-used 8 -f obu
wtv.wtv | mkv mp4 | VIDEO SOUND -c:v mpeg2video -c:a mp2
# ---- sound
pcm_s16le.mov | mkv mp4 mov avi ts nut | VIDEO SOUND H264 -c:a pcm_s16le
pcm_s16be.mov | mkv mov avi | VIDEO SOUND H264 -c:a pcm_s16be
pcm_s24le.mkv | mkv mov mp4 | VIDEO SOUND H264 -c:a pcm_s24le
pcm_f32le.mkv | mkv mov avi | VIDEO SOUND H264 -c:a pcm_f32le
pcm_u8.avi | avi mkv mov | VIDEO SOUND -c:v mpeg4 -c:a pcm_u8
mulaw.avi | avi mkv mov mp4 | VIDEO SOUND -c:v mpeg4 -c:a pcm_mulaw
alaw.avi | avi mkv mov | VIDEO SOUND -c:v mpeg4 -c:a pcm_alaw
adpcm_ms.avi | avi mkv mov | VIDEO SOUND -c:v mpeg4 -c:a adpcm_ms
adpcm_ima_wav.avi | avi mkv mov mp4 | VIDEO SOUND -c:v mpeg4 -c:a adpcm_ima_wav
adpcm_ima_qt.mov | mov mkv | VIDEO SOUND H264 -c:a adpcm_ima_qt
alac.mov | mov mkv mp4 | VIDEO SOUND H264 -c:a alac
flac.mkv | mkv mp4 nut webm | VIDEO SOUND H264 -c:a flac
mp3.mkv | mkv mp4 ts avi flv | VIDEO SOUND H264 -c:a libmp3lame
mp3.mp4 | mp4 mkv avi ts | VIDEO SOUND H264 -c:a libmp3lame
ac3.mkv | mkv mp4 ts avi mpg | VIDEO SOUND H264 -c:a ac3
eac3.ts | ts mkv mp4 | VIDEO SOUND H264 -c:a eac3
opus.mkv | mkv webm mp4 ts ogv | VIDEO SOUND H264 -c:a libopus
opus.webm | mkv webm mp4 nut | VIDEO SOUND -c:v libvpx -b:v 500k -c:a libopus
opus.ts | mkv ts mp4 | VIDEO SOUND H264 -c:a libopus
vorbis.mkv | mkv webm mp4 ogv | VIDEO SOUND H264 -c:a libvorbis
dts.ts | mkv ts mp4 | VIDEO SOUND H264 -strict -2 -c:a dca
truehd.mkv | mkv mp4 | VIDEO SOUND H264 -strict -2 -c:a truehd
mp2.mkv | mkv mp4 avi | VIDEO SOUND H264 -c:a mp2
wmav2.asf | asf mkv avi mov | VIDEO SOUND -c:v wmv2 -c:a wmav2
tta.mkv | mkv mp4 | VIDEO SOUND H264 -c:a tta
wavpack.mkv | mkv | VIDEO SOUND H264 -c:a wavpack
s302m.ts | ts mkv | VIDEO SOUND H264 -strict -2 -ac 2 -c:a s302m
surround.mkv | mkv mp4 ts mov | VIDEO SOUND H264 -ac 6 AAC
mono8k.mp4 | mp4 mkv ts flv | VIDEO SOUND H264 -ar 8000 -ac 1 AAC
longsound.mp4 | mp4 mkv ts avi webm flv | SMALL SOUND H264 AAC
longsound.mkv | mp4 mkv ts | SMALL SOUND H264 -c:a libopus
shortsound.mp4 | mp4 mkv ts avi | VIDEO -f lavfi -i sine=440:r=48000:d=0.3 H264 AAC
latesound.mkv | mp4 mkv mov ts avi flv | VIDEO -itsoffset 0.5 SOUND H264 AAC
latesound.mp4 | mp4 mkv mov ts avi flv nut | VIDEO -itsoffset 0.5 SOUND H264 AAC
latevideo.mp4 | mp4 mkv mov ts avi flv nut | -itsoffset 0.5 VIDEO SOUND H264 AAC
latevideo.mkv | mp4 mkv mov ts avi flv nut mpg | -itsoffset 0.5 VIDEO SOUND H264 -c:a libmp3lame
latevideo.ts | mp4 mkv ts | -itsoffset 0.5 VIDEO SOUND H264 -c:a libmp3lame
soundgap.mkv | mp4 mkv mov ts avi nut | VIDEO SOUND -af aselect='not(between(t\\,0.4\\,0.8))' H264 -c:a ac3
# ---- time
vfr.mkv | ffv1.mkv mp4 mov webm ts avi flv nut y4m mpg gif apng mxf ogv asf mjpeg | VIDEO SOUND -vf select='lt(mod(n\\,10)\\,4)' -vsync vfr H264 AAC
vfr.mp4 | ffv1.mkv mp4 mkv ts y4m avi | VIDEO -vf select='lt(mod(n\\,10)\\,4)' -vsync vfr H264 -video_track_timescale 90000
ntsc.mp4 | ffv1.mkv mp4 mkv ts avi y4m webm gif flv mxf mpg | -f lavfi -i testsrc2=s=96x64:r=30000/1001:d=1.2 SOUND H264 AAC
film.mkv | ffv1.mkv mp4 ts avi y4m mpg | -f lavfi -i testsrc2=s=96x64:r=24000/1001:d=1.2 H264
fps50.mp4 | ffv1.mkv mp4 gif avi | -f lavfi -i testsrc2=s=96x64:r=50:d=0.6 H264
fps120.mp4 | ffv1.mkv mp4 gif avi mpg | -f lavfi -i testsrc2=s=96x64:r=120:d=0.4 H264
fps1.mp4 | ffv1.mkv mp4 gif avi mpg y4m ts | -f lavfi -i testsrc2=s=96x64:r=1:d=3 H264
fps15.mp4 | ffv1.mkv mp4 mpg | -f lavfi -i testsrc2=s=96x64:r=15:d=1 H264
one.mp4 | ffv1.mkv mp4 gif avi ts webm y4m | -f lavfi -i testsrc2=s=96x64:r=25:d=0.04 H264
one.gif | ffv1.mkv mp4 gif | -f lavfi -i testsrc2=s=96x64:r=25:d=0.04
one.mkv | ffv1.mkv mp4 webm | -f lavfi -i testsrc2=s=96x64:r=25:d=0.04 SOUND H264 AAC
lastlong.mkv | ffv1.mkv mp4 mov webm gif nut | VIDEO -vf setpts='if(lt(N\\,29)\\,N\\,N+20)/25/TB' -vsync vfr H264
hole.mkv | ffv1.mkv mp4 mov ts flv nut y4m avi | VIDEO SOUND -vf setpts='if(lt(N\\,15)\\,N\\,N+15)/25/TB' -vsync vfr H264 AAC
far.ts | ffv1.mkv mp4 mov ts flv avi | VIDEO SOUND H264 AAC FAR
far.mpg | ffv1.mkv mp4 mpg | VIDEO SOUND -c:v mpeg2video -c:a mp2 FAR
far.mkv | ffv1.mkv mp4 webm | VIDEO SOUND H264 AAC FAR
far.mp4 | ffv1.mkv mp4 | VIDEO SOUND H264 AAC FAR
far.flv | mkv mp4 | VIDEO SOUND H264 AAC FAR
wrap.ts | ffv1.mkv mp4 ts | VIDEO SOUND H264 AAC WRAP
wrap.mpg | ffv1.mkv mp4 | VIDEO SOUND -c:v mpeg2video -c:a mp2 WRAP
# ---- pictures
tff.mp4 | ffv1.mkv mp4 mov x265.mp4 mkv ts | VIDEO -vf setfield=tff -flags +ildct+ilme H264 -x264-params tff=1
bff.mp4 | ffv1.mkv mp4 mov x265.mp4 mkv ts | VIDEO -vf setfield=bff -flags +ildct+ilme H264 -x264-params bff=1
tff.mpg | ffv1.mkv mp4 mpg | VIDEO -vf setfield=tff -flags +ildct+ilme -c:v mpeg2video -top 1
bff.mpg | ffv1.mkv mp4 mpg | VIDEO -vf setfield=bff -flags +ildct+ilme -c:v mpeg2video -top 0
tff.mov | ffv1.mkv mp4 mov | SMALL -vf setfield=tff -flags +ildct+ilme -c:v prores_ks
sar.mp4 | ffv1.mkv mp4 mov mkv webm ts avi mpg flv y4m nut gif asf ogv | VIDEO -vf setsar=4/3 H264
sar.mkv | ffv1.mkv mp4 webm | VIDEO -vf setsar=10/11 H264
sar.mpg | ffv1.mkv mp4 mpg | VIDEO -c:v mpeg2video -aspect 16:9
turned.mp4 | ffv1.mkv mp4 mov mkv webm ts avi gif y4m nut | VIDEO H264 -metadata:s:v rotate=90
turned.mov | mp4 mkv | VIDEO H264 -metadata:s:v rotate=180
bt709.mp4 | ffv1.mkv mp4 mov webm ts avi flv mpg nut y4m x265.mp4 | SMALL H264 -vf setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709
full.mp4 | ffv1.mkv mp4 mov webm ts avi flv mpg nut y4m x265.mp4 mjpeg | SMALL H264 -vf scale=out_range=pc,format=yuv420p,setparams=colorspace=smpte170m
bt2020.mkv | ffv1.mkv mp4 webm mov x265.mp4 | SMALL H264 -vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc -chroma_sample_location topleft
hdr.mkv | ffv1.mkv mp4 webm mov x265.mp4 x265.mkv ts | SMALL X265:hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400 -pix_fmt yuv420p10le
h264p10.mkv | ffv1.mkv mp4 webm mov avi | SMALL -c:v libx264 -pix_fmt yuv420p10le
h264444.mkv | ffv1.mkv mp4 webm mov avi mpg | SMALL -c:v libx264 -pix_fmt yuv444p
h264gray.mkv | ffv1.mkv mp4 y4m | SMALL -c:v libx264 -pix_fmt gray
h264rgb.mkv | ffv1.mkv mp4 gif | SMALL -c:v libx264rgb
gray16.nut | ffv1.mkv mp4 mov y4m | SMALL -c:v ffv1 -pix_fmt gray16le
rgb48.nut | ffv1.mkv mp4 mov | SMALL -c:v rawvideo -pix_fmt rgb48le
pal8.avi | ffv1.mkv mp4 | SMALL -c:v rawvideo -pix_fmt pal8
odd.mkv | ffv1.mkv mp4 mov webm avi ts mpg gif y4m | -f lavfi -i testsrc2=s=97x63:r=25:d=0.4 -c:v ffv1 -pix_fmt yuv420p
oddvp9.webm | ffv1.mkv webm mp4 | -f lavfi -i testsrc2=s=97x63:r=25:d=0.4 -c:v libvpx-vp9 -cpu-used 8
tiny.mkv | ffv1.mkv mp4 webm | -f lavfi -i color=red:s=2x2:r=25:d=0.4 -c:v ffv1
stereo3d.mkv | ffv1.mkv mp4 webm | SMALL H264 -metadata:s:v stereo_mode=left_right
# ---- what stands beside the pictures
chapters.mkv | mkv mp4 mov webm ts nut ogv asf avi | VIDEO SOUND META MAP2 -map_chapters 2 -map_metadata 2 H264 AAC
chapters.mp4 | mp4 mkv mov | VIDEO SOUND META MAP2 -map_chapters 2 -map_metadata 2 H264 AAC
attached.mkv | mkv mp4 webm | VIDEO H264 -attach font.ttf -metadata:s:t mimetype=application/x-truetype-font
cover.mp4 | mp4 mkv mov avi | VIDEO -i cover.png -map 0 -map 1 -c:v:0 libx264 -pix_fmt:v:0 yuv420p -c:v:1 png -disposition:v:1 attached_pic
cover.mkv | mkv mp4 webm | VIDEO H264 -attach cover.png -metadata:s:t mimetype=image/png -metadata:s:t filename=cover.png
timecode.mov | mov mp4 mkv mxf avi | VIDEO SOUND H264 AAC -timecode 01:00:00:00
timecode.mxf | mxf mov mkv | VIDEO -c:v mpeg2video -timecode 01:02:03:04
timecode.mpg | mpg mov mkv | VIDEO -c:v mpeg2video -timecode 01:02:03:04
tracks.mkv | mkv mp4 mov ts webm nut avi asf | VIDEO SOUND TEXT MAP2 -map 1 -map 2 -map 2 H264 AAC -c:s srt -metadata:s:a:0 language=ger -metadata:s:a:1 language=fre -metadata:s:a:1 title=Comments -disposition:a:1 comment -disposition:s:0 forced -disposition:s:1 hearing_impaired -metadata:s:s:1 language=eng
tracks.mp4 | mp4 mkv mov ts | VIDEO SOUND TEXT MAP2 -map 1 -map 2 H264 AAC -c:s mov_text -metadata:s:a:0 language=ger -metadata:s:a:1 language=fre -metadata:s:a:1 title=Comments -disposition:a:0 0 -disposition:a:1 default
tracks.ts | ts mkv mp4 | VIDEO SOUND MAP2 -map 1 H264 -c:a mp2 -metadata:s:a:0 language=ger -metadata:s:a:1 language=fre -disposition:a:1 visual_impaired
ass.mkv | mkv mp4 webm | VIDEO TEXT MAP2 H264 -c:s ass
webvtt.webm | webm mkv mp4 | VIDEO TEXT MAP2 -c:v libvpx -b:v 500k -c:s webvtt
twovideos.mkv | mkv mp4 ts nut avi | VIDEO SMALL MAP2 H264
soundfirst.mkv | mkv mp4 ts nut avi | VIDEO SOUND -map 1 -map 0 H264 AAC
programs.ts | ts mkv | VIDEO SOUND MAP2 -map 0 -map 1 H264 -c:a mp2 -program title=One:st=0:st=1 -program title=Two:st=2:st=3
tags.mkv | mkv mp4 mov webm avi ts flv nut ogv asf mpg gif | VIDEO SOUND H264 AAC -metadata title=T -metadata artist=A -metadata comment=C -metadata CUSTOM=own -metadata date=2001 -metadata:s:v title=Pictures
tags.mp4 | mp4 mkv mov | VIDEO SOUND H264 AAC -metadata title=T -metadata artist=A -metadata CUSTOM=own -metadata creation_time=2001-02-03T04:05:06Z -movflags use_metadata_tags
tags.avi | avi mkv mp4 | VIDEO SOUND -c:v mpeg4 -c:a libmp3lame -metadata title=T -metadata artist=A -metadata comment=C
tags.ogv | ogv mkv | VIDEO SOUND -c:v libtheora -c:a libvorbis -metadata title=T -metadata CUSTOM=own
tags.flv | flv mp4 | VIDEO SOUND H264 AAC -metadata title=T -metadata CUSTOM=own
tags.wmv | asf mkv | VIDEO SOUND -c:v wmv2 -c:a wmav2 -metadata title=T -metadata CUSTOM=own
"""


# ---- what ffmpeg does not make: pieces of others, put together

def joined(*files):
    return b"".join(open(f, "rb").read() for f in files)


def voided(file):
    """The second cluster of a Matroska file becomes a Void element of the same size."""
    data = bytearray(open(file, "rb").read())
    at = data.index(b"\x1f\x43\xb6\x75", data.index(b"\x1f\x43\xb6\x75") + 4)
    end = data.index(b"\x1f\x43\xb6\x75", at + 4)
    size = end - at - 9 # an ID of 1 byte, a size of 8
    data[at:end] = b"\xec\x01" + size.to_bytes(7, "big") + bytes(size)
    return bytes(data)


def cut(file, part):
    data = open(file, "rb").read()
    return data[:int(len(data) * part)]


def holed(file, start, size):
    data = bytearray(open(file, "rb").read())
    at = int(len(data) * start)
    data[at:at + size] = bytes(size)
    return bytes(data)


TS, PS = "VIDEO SOUND H264 -c:a mp2", "VIDEO SOUND -c:v mpeg2video -c:a mp2"
CLUSTERS = "VIDEO SOUND H264 -g 5 AAC -cluster_time_limit 200"
# name: outputs, the recipes of the pieces, what becomes of them, what is true
SURGERY = {
    "joined.ts": ("mkv mp4 ts", [("a.ts", TS), ("b.ts", TS)], joined, "frames=60 cfr=25"),
    "flagged.ts": ("mkv mp4", [("a.ts", TS), ("c.ts", TS + " -mpegts_flags initial_discontinuity")], joined,
                   "frames=60 cfr=25"),
    "back.ts": ("mkv mp4", [("d.ts", TS + " FAR"), ("b.ts", TS)], joined, "frames=60 cfr=25"),
    "jump.ts": ("mkv mp4", [("a.ts", TS), ("e.ts", TS + " -output_ts_offset 5000")], joined, "frames=60 cfr=25"),
    "joined.mpg": ("mkv mp4 mpg", [("a.mpg", PS), ("b.mpg", PS)], joined, "frames=60 cfr=25"),
    "jump.mpg": ("mkv mp4", [("a.mpg", PS), ("c.mpg", PS + " -output_ts_offset 5000")], joined, "frames=60 cfr=25"),
    "voided.mkv": ("mkv mp4", [("a.mkv", CLUSTERS)], voided, "frames=30"),
    "cut.mkv": ("mkv mp4", [("a.mkv", CLUSTERS)], lambda f: cut(f, 0.7), "frames=30"),
    "cut.avi": ("mkv mp4", [("a.avi", "VIDEO SOUND -c:v mpeg4 -c:a libmp3lame")], lambda f: cut(f, 0.7), "frames=30"),
    "cut.flv": ("mkv mp4", [("a.flv", "VIDEO SOUND H264 AAC")], lambda f: cut(f, 0.7), "frames=30"),
    "cut.mp4": ("mkv mp4", [("a.mp4", "VIDEO SOUND H264 AAC -movflags +faststart")], lambda f: cut(f, 0.7),
                "frames=30"),
    "cut.ogv": ("mkv", [("a.ogv", "VIDEO SOUND -c:v libtheora -c:a libvorbis")], lambda f: cut(f, 0.7), "frames=30"),
    "cut.ts": ("mkv", [("a.ts", TS)], lambda f: cut(f, 0.7), ""),
    "holed.ts": ("mkv mp4", [("a.ts", TS)], lambda f: holed(f, 0.5, 1880), "frames=30"),
    "holed.mpg": ("mkv mp4", [("a.mpg", PS)], lambda f: holed(f, 0.5, 4096), "frames=30"),
    "noindex.avi": ("avi mkv mp4", [("a.avi", "VIDEO SOUND -c:v mpeg4 -c:a libmp3lame")],
                    lambda f: joined(f)[:joined(f).rindex(b"idx1")], "frames=30"),
}


class Case:
    """An input: where it is, the outputs wanted of it, and what is true of it (a dict of texts)."""

    def __init__(self, name, path, outputs, truth):
        self.name, self.path, self.outputs = name, path, outputs
        self.truth = dict((word.split("=") + [""])[:2] for word in truth.split())


def outputs_of(name, wanted):
    out = []
    for word in wanted.split() or ["ffv1.mkv", "mp4"]:
        if word == "=":
            out += ["ffv1.mkv", "mp4", name.rpartition(".")[2]]
        else:
            out.append(word)
    return list(dict.fromkeys(out))


class Maker:
    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        version = subprocess.run(["ffmpeg", "-version"], capture_output=True, check=True).stdout.split(b"\n")[0]
        self.salt = version
        self.write("words.srt", b"1\n00:00:00,100 --> 00:00:00,400\nFirst words\n\n"
                   b"2\n00:00:00,600 --> 00:00:00,900\nMore <i>words</i>\n")
        self.write("chapters.meta", b";FFMETADATA1\ntitle=A title\n"
                   b"[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n"
                   b"[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1200\ntitle=Two\n")
        self.write("font.ttf", b"\0\1\0\0" + bytes(range(200)))
        self.make("cover.png", "-f lavfi -i color=blue:s=16x16 -frames:v 1 -update 1")
        self.make("base.mp4", "VIDEO SOUND H264 -g 10 AAC")

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            temp = f"{path}.{threading.get_ident()}"
            with open(temp, "wb") as f:
                f.write(data)
            os.replace(temp, path)
        return path

    def make(self, name, recipe):
        """The path of a file that ffmpeg makes, if it does not stand there already; None if it cannot."""
        mark = hashlib.sha256(self.salt + recipe.encode()).hexdigest()[:12]
        keep = name in ("cover.png", "base.mp4") # other recipes name them
        path = os.path.join(self.folder, name if keep else f"{mark}-{name}")
        if os.path.exists(path):
            return path
        args = []
        for word in recipe.split():
            head, colon, rest = word.partition(":")
            if word in WORDS:
                args += WORDS[word].split()
            elif head in WORDS:
                args += (WORDS[head] + colon + rest).split()
            else:
                args.append(word.replace("'", ""))
        temp = os.path.join(self.folder, f"{mark}-{threading.get_ident()}.{name}")
        run = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *args, "-bitexact", temp],
                             cwd=self.folder, capture_output=True, check=False)
        if run.returncode:
            print(f"# {name}: {run.stderr.decode(errors='replace').strip()[:300]}")
            if os.path.exists(temp):
                os.remove(temp)
            return None
        os.replace(temp, path)
        return path

    def operate(self, name, pieces, surgeon):
        paths = [self.make(*piece) for piece in pieces]
        if None in paths:
            return None
        data = surgeon(*paths)
        return self.write(hashlib.sha256(data).hexdigest()[:12] + "-" + name, data)


def planned(maker):
    """Yields (name, function that makes the case, or gives None where this ffmpeg cannot)."""
    def case(name, path, outs, truth):
        return path and Case(name, path, outputs_of(name, outs), truth)

    for line in RECIPE.splitlines():
        if line and not line.startswith("#"):
            name, outs, args, truth = ([p.strip() for p in line.split("|")] + [""])[:4]
            yield name, (lambda n=name, o=outs, a=args, t=truth: case(n, maker.make(n, a), o, t))
    for name, (outs, pieces, surgeon, truth) in SURGERY.items():
        yield name, (lambda n=name, o=outs, p=pieces, s=surgeon, t=truth: case(n, maker.operate(n, p, s), o, t))
