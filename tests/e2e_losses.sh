#!/bin/sh
# The loss report: what of the input the output could not keep is said after the run, one line for each kind of thing,
# and stands in --metrics; --strict makes it status 6. What is kept, or was given up by an option, is not mentioned.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_input() { # output, ffmpeg's options...
    made=$1
    shift
    clip "$made" lavfi:testsrc2=size=64x48:rate=25:duration=0.4 lavfi:sine=frequency=440:duration=0.4 "$@"
}

render() { run runnel render -y -d none "$@"; }
renders() { # status, words
    wanted=$1
    shift
    render "$@"
    expect_rc "$wanted"
}

expect_lost() { # a line's pattern; the number of such lines
    [ "$(grep -c "^runnel: warning: lost: .*$1" err)" = "${2-1}" ] || complain "not said: $1"
}

expect_nothing_lost() { grep "lost:" err >&2 && complain "a loss that is none"; }
keeps() { # input, output, options: without a word
    renders 0 "$@" --strict
    expect_nothing_lost
}

begin "a clip that is kept says nothing: mp4, mkv, mov, nut, ts"
make_input plain.mp4 -c:v libx264 -pix_fmt yuv420p -c:a aac
for e in mp4 mkv mov nut; do
    keeps plain.mp4 "plain_out.$e"
done
make_input bt709.mp4 -map 0 -c:v libx264 -pix_fmt yuv420p -vf setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709
make_input plain.ts -c:v libx264 -pix_fmt yuv420p -c:a aac
keeps plain.ts plain_out.ts

begin "tags: one line with their names, in the metrics, and status 6 with --strict"
make_input tags.mkv -c:v libx264 -pix_fmt yuv420p -c:a aac -metadata title=Clip -metadata MOOD=blue \
    -metadata:s:a:0 language=fre -metadata:s:a:0 title=Commentary
renders 0 tags.mkv tags.ts --metrics metrics.json
expect_lost "tags are not kept: .*MOOD"
expect_lost "tags of streams are not kept: title (audio)"
python3 -c 'import json; print([l["kind"] for l in json.load(open("metrics.json"))["losses"]])' >kinds
[ "$(cat kinds)" = "['streamtags', 'tags']" ] || complain "metrics: $(cat kinds)"
renders 6 tags.mkv tags.ts --strict
renders 0 tags.mkv tags.mkv2 --container matroska --strict

begin "what an FLV says of its own bytes is no tag"
make_input index.flv -c:v libx264 -pix_fmt yuv420p -c:a aac -flvflags add_keyframe_index
for e in flv mp4 mkv; do
    keeps index.flv index_out.$e
done

begin "chapters that AVI has no place for"
printf ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=A\n' >meta
make_input chapters.mkv meta -map_metadata 2 -map 0 -map 1 -c:v libx264 -pix_fmt yuv420p -c:a pcm_s16le
renders 0 chapters.mkv chapters.avi
expect_lost "the chapters are gone"

begin "HDR that only the first picture speaks of: AVI has no place for it"
light="master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400"
make_input hdr.mkv -t 0.12 -map 0 -pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -x265-params "log-level=0:$light" \
    -vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc
renders 0 hdr.mkv hdr.avi
expect_lost "HDR metadata is not kept: mastering display, content light level"
expect_lost "the colour tags are not kept: primaries bt2020, transfer smpte2084, matrix bt2020nc"
renders 0 hdr.mkv hdr_out.mkv --strict

begin "HDR that stands in the pictures alone, where the container has no place for it"
for out in hdr_out.ts hdr_out.flv hdr_out.h264; do
    keeps hdr.mkv $out --codec libx264
done
render hdr.mkv hdr_out.ts --codec libx264 --codec-opts x264-params=mastering-display='G(1,2)B(3,4)R(5,6)WP(7,8)L(9,1)'
expect_lost "HDR metadata is not kept: mastering display" 0 # a wish

begin "a range that nothing stores: fewer levels are a loss, more bits for them are not"
make_input full.mp4 -map 0 -vf scale=out_range=full,format=yuv420p -color_range pc -c:v libx264
renders 0 full.mp4 full.mpg
expect_lost "full-range"
renders 0 full.mp4 full.nut
expect_nothing_lost

begin "transparency that the codec has no place for; but --pix-fmt is a wish"
make_input alpha.mkv -map 0 -vf format=yuva444p -c:v ffv1
renders 0 alpha.mkv alpha.mp4
expect_lost "libx264 takes no yuva444p: pictures are converted to yuv444p"
renders 0 alpha.mkv alpha.mp4 --pix-fmt yuv420p --strict

begin "a GIF has transparency where it is transparent, from the first picture on or later"
shown() { # name, alpha of every pixel: an expression
    clip "$1" "lavfi:color=red:s=16x16:r=10:d=0.5,format=rgba,geq=r=N*40:g=0:b=0:a='$2'" -loop 0 \
        -filter_complex 'split[a][b];[a]palettegen[p];[b][p]paletteuse=alpha_threshold=128'
}
shown opaque.gif 255
shown first.gif 255*gt\(X,4\)
shown later.gif 255*lt\(N*X,9\)
renders 0 opaque.gif opaque.mp4 --strict
for f in first later; do
    renders 6 $f.gif $f.mp4 --strict
    expect_lost "libx264 takes no gbrap: pictures are converted to"
done

begin "the channels of sound: none is mixed into others where nobody asks for that, and what is not written down is said"
sound() { # name, layout, rate, codec
    clip "$1" lavfi:testsrc2=s=32x32:d=0.2 "lavfi:anoisesrc=d=0.2:r=$3,aformat=channel_layouts=$2" -map 0 \
        -map 1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a "$4"
}
samples() { clip samples.md5 "$1" -map 0:a -c:a pcm_s32le -f md5 && cat samples.md5; }
sound wide.mov 7.1 48000 pcm_s24le
sound quad.mov quad 48000 pcm_s16le
for f in wide quad; do
    keeps "$f.mov" "$f.mp4"
    expect_same_of "$f.mp4" "$f.mov" samples
done
renders 0 quad.mov quad.mkv # Matroska has the number of channels only
expect_lost "which channels the sound has (quad) is not kept; .mov"
renders 0 quad.mov quad_out.mov --strict
sound fast.mov 7.1 96000 pcm_s16le
renders 0 fast.mov fast.mkv --audio ac3
expect_lost "sound of 8 channels becomes 6"
expect_lost "the sample rate of the sound, 96000 Hz, becomes 48000"
expect_lost "sound begins" 0

begin "images: colours that say what all images are, and JPEG to JPEG, lose nothing"
python3 - <<'EOF'
import struct, zlib
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
srgb = struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
for name, chrm in ("srgb", srgb), ("wide", srgb[:8] + struct.pack(">6I", 64000, 33000, 21000, 71000, 15000, 6000)):
    open(name + ".png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
        + chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"cHRM", chrm)
        + (chunk(b"tEXt", b"Title\0Hello") + chunk(b"pHYs", struct.pack(">IIB", 11811, 11811, 1)) if name == "wide" else b"")
        + chunk(b"IDAT", zlib.compress(bytes(25) * 8)) + chunk(b"IEND", b""))
EOF
clip plain.jpg lavfi:testsrc2=s=32x32 -frames:v 1 -pix_fmt yuvj420p
for f in srgb.png:png plain.jpg:jpg plain.jpg:mkv; do
    keeps "${f%:*}" "plain_image.${f#*:}"
done
render wide.png wide_image.png
expect_lost "the chromaticities of the primaries are not kept"
expect_lost "tags are not kept: Title, resolution"
expect_lost "HDR" 0

begin "closed captions that begin behind the first picture"
clip bare.h264 lavfi:testsrc2=s=32x32:r=25:d=0.4 -c:v libx264 -pix_fmt yuv420p -preset ultrafast -x264-params \
    slices=1:sliced-threads=0:bframes=0
python3 - <<'EOF'
import re
data = bytes([0xb5, 0, 0x31]) + b"GA94" + bytes([3, 0x41, 0xff, 0xfc, 0x94, 0x2c, 0xff])
sei = b"\0\0\0\1\6" + bytes([4, len(data)]) + data + b"\x80"
out, n = b"", 0
for unit in re.split(b"\0\0\0?\1", open("bare.h264", "rb").read())[1:]:
    if unit[0] & 31 in (1, 5):
        out += sei if n >= 3 else b""
        n += 1
    out += b"\0\0\0\1" + unit
open("captions.h264", "wb").write(out)
EOF
renders 0 captions.h264 captions.mkv --codec ffv1
expect_lost "the closed captions in the pictures, from frame 3 on, are gone"
renders 0 captions.h264 captions_out.mkv --strict

begin "what the user's own options set is no loss"
for o in color_primaries=bt470bg:color_trc=smpte170m:colorspace=smpte170m aspect=2 field_order=tt x264-params=sar=2/1; do
    keeps bt709.mp4 asked.mkv --codec-opts "$o"
done

begin "the date of a recording is one of its tags, to the second"
make_input dated.mkv -map 0 -c:v libx264 -pix_fmt yuv420p -metadata creation_time=2020-05-06T07:08:09.123Z
renders 0 dated.mkv dated.mp4 --strict
renders 0 dated.mkv dated.ts
expect_lost "tags are not kept: creation_time"

begin "a disposition that MPEG-TS has no place for"
make_input flags.mkv -c:v libx264 -pix_fmt yuv420p -c:a aac -disposition:a:0 comment
renders 0 flags.mkv flags.ts
expect_lost "dispositions are not the same: comment (audio) is gone"

begin "subtitles that are shown unasked: the first track of MP4 always is"
printf '1\n00:00:00,100 --> 00:00:00,300\nWords\n' >words.srt
for default in 0 default; do
    make_input words.mkv words.srt -map 0 -map 1 -map 2 -c:v libx264 -pix_fmt yuv420p -c:a aac -c:s srt \
        -disposition:a 0 -disposition:s "$default"
    renders 0 words.mkv words.mp4
    expect_lost "dispositions are not the same: default (subtitle) is new" "$([ $default = 0 ] && echo 1 || echo 0)"
    renders 0 words.mkv again.mkv --strict
done

begin "a stream that stays behind is lost, but not where the user asks for that"
renders 0 plain.mp4 plain.y4m
expect_lost "stream 1 of the input (audio, aac) is not copied: this container holds pictures only"
renders 0 plain.mp4 plain.y4m --drop a --strict
renders 0 plain.mp4 plain.y4m --audio none --strict

begin "rotation that MPEG-TS has no place for is said, or the pixels are turned, which is said, too"
turned_clip turned.mp4 90 plain.mp4
renders 0 turned.mp4 turned.ts
grep -q "rotat\|turned by" err || complain "not said"
renders 0 turned.mp4 turned.mov --strict

begin "image files: the rotation, if the pixels are not turned, but not the colours that all images have"
for out in turned.png turned_%d.jpg turned.tif; do
    renders 0 turned.mp4 "$out" --frames 1
    grep -q "rotat\|turned by" err || complain "not said"
done
renders 0 bt709.mp4 flat.png --frames 1 --strict

begin "codings that have the colours of BT.601 get them, so that pictures of BT.709 look the same"
clip green.mp4 lavfi:color=0x20c040:s=64x48:r=25:d=0.2,format=gbrp \
    -vf scale=out_color_matrix=bt709:out_range=tv,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709 \
    -pix_fmt yuv420p -c:v libx264 -qp 1
for out in green.jpg green.webp green.jp2 green.png green.tif 'green.mkv --codec mjpeg' 'green.mov --codec mjpeg'; do
    keeps green.mp4 $out --frames 1
    clip rgb "${out%% *}" -frames:v 1 -pix_fmt rgb24 -f rawvideo
    rgb=$(od -An -tu1 -N3 rgb)
    echo "$rgb" | awk '{d = $1 - 32; e = $2 - 192; f = $3 - 64; ok = d*d < 17 && e*e < 17 && f*f < 17} END {exit !ok}' ||
        complain "$out: $rgb instead of 32 192 64"
done
clip full709.mkv green.mp4 -vf scale=out_range=pc -pix_fmt yuv420p -c:v ffv1 -color_range pc -colorspace bt709
renders 0 full709.mkv full709.jpg --frames 1 --strict
! grep "takes no" err || complain "$(cat err)"

begin "fields of another order in mid-stream"
for order in tff:1 bff:0; do
    make_input "${order%:*}.ts" -map 0 -vf "fieldorder=${order%:*},setfield=${order%:*}" -c:v mpeg2video \
        -flags +ilme+ildct -top "${order#*:}"
done
cat tff.ts bff.ts >both.ts
render both.ts both.mkv
expect_lost "the order of the fields changes at frame 10"
render tff.ts one.mkv
expect_nothing_lost

begin "an animation that is to be played twice"
clip twice.gif lavfi:testsrc2=s=16x16:r=10:d=0.5 -loop 1
renders 0 twice.gif twice.apng
grep -q "plays 1 times, not 2 times" err ||
    [ "$(od -An -tx1 twice.apng | tr -d ' \n' | grep -c '6163544c.\{8\}00000002')" = 1 ] || complain "not said"

begin "through a pipe: what was written first is looked at"
ok sh -c '"$0" render -d none --container matroska tags.mkv - >piped.mkv' "$started"
expect_nothing_lost
ok sh -c '"$0" render -d none --container mpegts tags.mkv - >piped.ts' "$started"
expect_lost "tags are not kept: .*MOOD"
ok sh -c '"$0" render -d none bt709.mp4 - >piped.y4m' "$started"
expect_lost "the colour tags are not kept"

printf ';FFMETADATA1\ntitle=Clip\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=A\n' >meta
printf '[CHAPTER]\nTIMEBASE=1/1000\nSTART=200\nEND=400\ntitle=B\n' >>meta
printf '1\n00:00:00,100 --> 00:00:00,300\nWords\n' >rich.srt
printf 'a font' >font.ttf
make_input rich.mkv meta rich.srt -map_metadata 2 -map 0 -map 1 -map 3 -c:v libx264 -pix_fmt yuv420p -r 25 \
    -attach font.ttf -metadata:s:t:0 mimetype=font/ttf -timecode 01:00:00:00

begin "outputs of nothing but pictures list all that stands beside them, each way to write them"
for out in - rich.y4m rich_%d.png rich_%d.tif rich.tif rich.nrrd rich.nii rich.npy rich_%d.dcm rich_%d.jpg rich.yuv; do
    rm -f rich_*
    case $out in
    *.nrrd | *.nii | *.npy | *.dcm) set -- -f gray ;;
    *) set -- ;;
    esac
    render rich.mkv $out --frames 4 "$@"
    [ $rc = 2 ] && grep -q 'libgdcm-dev' err && continue
    expect_rc 0
    for line in 'stream 1 of the input (audio, .*) is not copied: .* holds pictures only' \
        'stream 2 of the input (subtitle, .*) is not copied' 'stream 3 of the input (attachment, .*) is not copied' \
        'tags are not kept: .*title' 'the chapters are gone' 'the timecode .*is not kept'; do
        expect_lost "'$out': $line"
    done
    expect_eq "the lines" "$(sed -n 's/.*lost: //p' err | sort | uniq -d)" ''
    renders 6 rich.mkv $out --frames 4 --strict "$@"
done

begin "null: and md5: are to keep nothing: they lose nothing"
for out in null: md5:; do
    for in in tags rich; do
        keeps $in.mkv "$out"
    done
done

begin "what the user gives up, or is not in the range, is no loss of an image sequence either"
render rich.mkv none_%d.png --from 0.1 --to 0.16 --audio none --subs none
expect_lost "is not copied" 1 # the font
expect_lost "the chapters are gone"
make_input late.mkv meta -map_metadata 2 -map 0 -c:v libx264 -pix_fmt yuv420p
render late.mkv late_%d.png --from 0.4
[ $rc = 0 ] || [ $rc = 2 ] || complain "status $rc"
expect_lost "the chapters are gone" 0
keeps bt709.mp4 plain_%d.png
renders 0 plain.mp4 plain_%d.png --drop a --strict

begin "the rate of pictures that are no film any more, unless it is that of all image files, and times that vary"
clip fast.mkv lavfi:testsrc2=s=32x32:r=30000/1001:d=0.3 -pix_fmt gray -c:v ffv1
clip varies.mkv lavfi:testsrc2=s=32x32:r=25:d=1 -vf "select='not(eq(mod(n,5),3))'" -vsync vfr -pix_fmt gray -c:v ffv1
for out in fast_%d.png fast_%d.tif; do
    render fast.mkv $out
    expect_lost "'$out': the rate of the pictures is not kept: --fps 30000/1001 when they are read again"
done
for out in fast.nrrd fast.nii fast.tif; do # have a place for it
    renders 0 fast.mkv $out --strict
done
renders 0 fast.mkv one.png --frames 1 --strict
for out in varies_%d.png varies.tif varies.nrrd; do
    renders 0 varies.mkv $out
    expect_lost "'$out': the times of the pictures, which vary, are not kept"
done
renders 0 varies.mkv varies.y4m
expect_message 'has a constant rate, .* frames were repeated'

begin "the shape of pixels, fields and rotation in volumes; images and stacks keep the shape"
make_input wide.mkv -map 0 -c:v ffv1 -pix_fmt gray -vf setsar=16/11
make_input fields.mkv -map 0 -c:v ffv1 -pix_fmt yuv420p -vf setfield=tff -field_order tt
for out in wide.nrrd wide.npy; do
    renders 0 wide.mkv $out
    expect_lost "'$out': the pixels' aspect 16:11 is gone"
done
for out in wide_%d.png wide.tif wide.y4m; do
    renders 0 wide.mkv $out
    expect_lost "aspect" 0
done
for out in fields_%d.png fields.tif fields.nrrd; do
    renders 0 fields.mkv $out -f gray
    expect_lost "'$out': the field order is another: no fields, not the top field first"
done
for out in turned.nrrd turned.npy turned_%d.png; do
    renders 0 turned.mp4 $out -f gray --rotate none
    expect_lost "'$out': the rotation by .*is gone"
done

begin "samples without a header: what one has to know to read them is said, and they are all there"
renders 0 bt709.mp4 bare.raw --container rawvideo
expect_lost "no header says that the pictures are 64x48, yuv420p, 25 fps"
expect_eq "bytes" "$(wc -c <bare.raw)" 46080
clip flat.mkv lavfi:color=white:s=192x192:d=1 -pix_fmt gray16le -c:v ffv1
renders 0 flat.mkv flat.raw --container rawvideo

begin "--strict says what is lost where warnings are not shown"
renders 6 rich.mkv strict.ts --strict -q
expect_eq "lines" "$(wc -l <err)" 1
expect_message "error: 10 frames written to 'strict.ts', but lost: .*attachment.*; .*tags .*(--strict)$"
grep -q above err && complain "nothing is above"
renders 6 tags.mkv strict.ts --strict
expect_message "but 2 losses are listed above (--strict)$"
long=$(printf '%0200d' 0)
make_input long.mkv -map 0 -c:v libx264 -pix_fmt yuv420p $(for i in 1 2 3 4 5 6; do echo "-metadata k$i$long=x"; done)
renders 6 long.mkv long_%d.png --strict --log-level error
expect_eq "lines" "$(wc -l <err)" 1
run runnel bench rich.mkv bench.ts --strict -q -d none --repeats 1 --frames 2
[ $rc = 2 ] || expect_message 'lost: .*--strict'

begin "sound that begins late or pauses has silence there in AVI and MXF: nothing is lost, and it is said"
clip pause.mkv -f lavfi -i testsrc2=size=64x48:rate=25:duration=1 -itsoffset 0.2 -f lavfi -i sine=d=0.8 \
    -af "aselect='not(between(t,0.4,0.6))'" -c:v libx264 -pix_fmt yuv420p -c:a ac3
for e in avi mxf; do
    renders 0 pause.mkv pause.$e --codec mpeg2video
    expect_lost "sound begins" 0
    expect_message "the sound of stream 1 pauses for 0\.[0-9]* s; silence stands there"
done

begin "text subtitles in another coding: converted where text and style stay, else lost"
cue() { printf '1\n00:00:00,100 --> 00:00:00,300\n%s\n\n' "$1" >>"$2.srt"; }
cue 'Plain, with a comma' same
cue '<b>Bold</b> and <i>italic</i> words' same
cue 'Plain' styled
cue '<font color="#ff0000">Red</font> words' styled
for n in same styled; do
    make_input text-$n.mkv $n.srt -map 0:v -map 2 -c:v libx264 -pix_fmt yuv420p -c:s srt
    make_input text-$n.mp4 $n.srt -map 0:v -map 2 -c:v libx264 -pix_fmt yuv420p -c:s mov_text
done
for case in same.mkv:mp4:0 same.mp4:mkv:0 styled.mkv:mp4:1; do
    in=text-${case%%:*}
    out=$(echo "$case" | cut -d: -f2) lost=${case##*:}
    renders 0 $in converted.$out --metrics m.json
    expect_lost "stream 1 of the input becomes" "$lost"
    expect_eq "losses of a coding in $in" "$(jq '[.losses[] | select(.kind == "codec")] | length' m.json)" "$lost"
    [ "$lost" = 1 ] || expect_message "stream 1 of the input becomes .*, losslessly"
done

begin "a container without times: how long pictures last is no loss"
make_input silent.mkv -map 0 -c:v ffv1 -pix_fmt gbrp
renders 0 silent.mkv out.fits
expect_nothing_lost
clip fits.raw out.fits -pix_fmt rgb24 -f rawvideo
clip silent.raw silent.mkv -pix_fmt rgb24 -f rawvideo
expect_same fits.raw silent.raw
