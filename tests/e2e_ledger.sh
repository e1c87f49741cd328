#!/bin/sh
# What an input announces is counted against what was read, decoded and written: a loss is status 6, and what
# only looks like one is not.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

base_clip() { # name, options of ffmpeg behind the input
    name=$1
    shift
    clip "$name" lavfi:testsrc2=s=64x48:r=25:d=3 -pix_fmt yuv420p "$@"
}

expect_whole() { # file, frames: nothing is called lost
    ok runnel render "$1" null: -d none --metrics m.json -y
    expect_eq "frames of $1" "$(metric .ledger.frames_written)" "$2"
}

base_clip base.mkv -c:v libx264 -bf 2 -g 12

# ---- what a file has lost

begin "clusters overwritten by a void element"
clip clusters.mkv lavfi:testsrc2=s=64x48:r=25 -frames:v 101 -c:v ffv1 -cluster_time_limit 150
python3 - <<'PY'
data = bytearray(open('clusters.mkv', 'rb').read())
starts = []
at = data.find(b'\x1f\x43\xb6\x75')
while at >= 0:
    starts.append(at)
    at = data.find(b'\x1f\x43\xb6\x75', at + 4)
# The first of a few clusters stay, so that no two pictures follow each other.
for first, last in ((1, 12), (13, len(starts) - 1)):
    size = starts[last] - starts[first] - 9
    data[starts[first]:starts[last]] = b'\xec\x01' + size.to_bytes(7, 'big') + bytes(size)
open('voided.mkv', 'wb').write(data)
PY
refuses 6 '' runnel render voided.mkv null: -d none --metrics m.json -y
expect_eq "frames that are there or missing" "$(metric '.ledger.frames_written + .frames_missing')" 101

begin "a chunk of an avi that is no chunk any more"
base_clip whole.avi -c:v mjpeg
python3 - <<'PY'
data = bytearray(open('whole.avi', 'rb').read())
at = data.index(b'movi')
for _ in range(4):
    at = data.index(b'00dc', at + 4)
data[at:at + 8] = bytes(8)
open('hole.avi', 'wb').write(data)
data = data[:data.rindex(b'idx1')] + b'JUNK' + data[data.rindex(b'idx1') + 4:]
open('noindex.avi', 'wb').write(data)
PY
for f in hole.avi noindex.avi; do
    refuses 6 '' runnel render $f null: -d none --metrics m.json -y
    expect_eq "announced by $f" "$(metric .ledger.packets_announced)" 75
    expect_eq "missing in $f" "$(metric .frames_missing)" $((75 - $(metric .ledger.packets_read)))
done

begin "a matroska file with fewer frames than its statistics say"
clip stale.mkv base.mkv -c copy -metadata creation_time=2020-01-02T03:04:05Z -metadata:s:v NUMBER_OF_FRAMES=77 \
    -metadata:s:v _STATISTICS_WRITING_DATE_UTC='2020-01-02 03:04:05'
expect_whole stale.mkv 75
python3 - <<'PY'
import re
data = open('stale.mkv', 'rb').read()
open('merged.mkv', 'wb').write(re.sub(rb'Lavf[0-9.]+', lambda found: b'libebml v1.4.0'[:len(found[0])], data))
PY
refuses 6 '' runnel render merged.mkv null: -d none --metrics m.json -y
expect_eq "announced" "$(metric .ledger.packets_announced)" 77
expect_eq "missing" "$(metric .frames_missing)" 2

begin "files joined with cat of which libav reads the first"
for e in mp4 flv wmv apng rm wtv; do
    case $e in
    apng) clip first.$e base.mkv -c:v apng -f apng ;;
    rm | wtv) clip first.$e base.mkv ;;
    *) clip first.$e base.mkv -c copy ;;
    esac
    cat first.$e first.$e >joined.$e
    refuses 6 '' runnel render joined.$e null: -d none
    [ $e = rm ] || expect_message "another file follows" # of it some is read
    expect_whole first.$e 75
done
clip first.gif base.mkv
cat first.gif first.gif >joined.gif
run runnel render joined.gif null: -d none --metrics m.json -y
[ "$rc" = 6 ] || expect_rc 0
expect_eq "read or missing" "$(metric '.ledger.frames_written + .frames_missing')" 150
expect_whole first.gif 75

begin "recordings joined with cat under other PIDs"
for n in 1 2 3; do
    clip part$n.ts base.mkv lavfi:sine=440:r=48000:d=3 -c:v copy -c:a mp2 -mpegts_start_pid 0x${n}00 \
        -mpegts_pmt_start_pid 0x1${n}00
done
cat part1.ts part1.ts part1.ts >same.ts
cat part1.ts part2.ts part3.ts >pids.ts
cat part2.ts part1.ts part2.ts >again.ts
run runnel render same.ts md5: -d none
cut -d' ' -f3 out >want
run runnel render same.ts same.mkv -d none
for f in pids.ts again.ts; do
    ok runnel render $f out.mkv -y -d none --metrics m.json
    expect_eq "frames of $f" "$(metric .ledger.frames_written)" 225
    expect_eq "sound of $f" "$(packets_of out.mkv a | wc -l)" "$(packets_of same.mkv a | wc -l)"
    run runnel render $f md5: -d none
    expect_printed want cut -d' ' -f3 out
done
run runnel render pids.ts md5: -d none
awk '$1 >= 130' out >want
prints want runnel render pids.ts md5: -d none --from 130f
clip other.ts part2.ts -c:a copy -c:v mpeg2video -mpegts_start_pid 0x500
cat part1.ts other.ts >codecs.ts
fails 6 '' runnel render codecs.ts null: -d none

begin "joined MPEG-PS, the second with other stream ids"
clip first.mpg base.mkv -c:v mpeg2video
python3 - <<'PY'
data = open('first.mpg', 'rb').read()
open('ids.mpg', 'wb').write(data + data.replace(b'\0\0\1\xe0', b'\0\0\1\xe1'))
PY
fails 6 "the pictures go on in another stream" runnel render ids.mpg null: -d none

begin "fragments of a movie that are damaged or gone"
clip fragments.mp4 base.mkv -c copy -movflags empty_moov+frag_keyframe
expect_whole fragments.mp4 75
python3 - <<'PY'
data = open('fragments.mp4', 'rb').read()
boxes, at = [], 0
while at < len(data):
    size = int.from_bytes(data[at:at + 4], 'big')
    boxes.append(data[at:at + size])
    at += size
third = [i for i, b in enumerate(boxes) if b[4:8] == b'moof'][2]
moof = boxes[third]
run = moof.index(b'trun') - 4
def save(name, now):
    open(name, 'wb').write(b''.join(boxes[:third] + [now] + boxes[third + 1:]))
save('run.mp4', moof[:run] + bytes(16) + moof[run + 16:])
save('norun.mp4', moof[:run + 4] + b'free' + moof[run + 8:])
save('free.mp4', moof[:4] + b'free' + moof[8:])
PY
for f in run norun free; do
    fails 6 "fragments of the movie" runnel render $f.mp4 null: -d none
done

# What a library would have to say and does not: its functions, with a call less.
cat >loser.c <<'C'
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

static int nth(const char *what)
{
    static int n;
    const char *lose = getenv("LOSE");
    return lose && !strcmp(lose, what) && ++n == 5;
}

int avcodec_receive_frame(AVCodecContext *ctx, AVFrame *frame)
{
    int ret = REAL(avcodec_receive_frame)(ctx, frame);
    return !ret && ctx->width && nth("frame") ? avcodec_receive_frame(ctx, frame) : ret;
}

int avcodec_receive_packet(AVCodecContext *ctx, AVPacket *pkt)
{
    int ret = REAL(avcodec_receive_packet)(ctx, pkt);
    return !ret && ctx->width && nth("encoded") ? avcodec_receive_packet(ctx, pkt) : ret;
}

int av_interleaved_write_frame(AVFormatContext *fmt, AVPacket *pkt)
{
    const char *what = getenv("LOSE");
    if (pkt && what && !strcmp(what, "time")) {
        pkt->pts /= 2;
        pkt->dts /= 2;
        pkt->duration /= 2;
    }
    if (!pkt || !nth("written"))
        return REAL(av_interleaved_write_frame)(fmt, pkt);
    av_packet_unref(pkt);
    return 0;
}

int av_read_frame(AVFormatContext *fmt, AVPacket *pkt)
{
    int ret = REAL(av_read_frame)(fmt, pkt);
    if (ret || !nth("memory"))
        return ret;
    av_packet_unref(pkt);
    ret = REAL(av_read_frame)(fmt, pkt);
    errno = ENOMEM;
    return ret;
}
C
make_preload loser $(pkg-config --cflags --libs libavformat libavcodec 2>/dev/null) && [ "${VARIANT:-release}" != tsan ] &&
    loser=1 || loser=

for what in frame:decoder encoded:encoded written:encoded memory:memory "time:lasts another time"; do
    if [ -z "$loser" ]; then
        skip "lost without a word, ${what%:*}: needs a compiler and the headers of FFmpeg"
        continue
    fi
    begin "lost without a word: ${what%:*}"
    fails 6 "error: .*${what#*:}" env $(preload loser) LOSE=${what%:*} "$RUNNEL" render base.mkv out.mkv -y \
        -d none --codec ffv1 --metrics m.json
    [ "${what%:*}" = time ] || expect_one_line
done

# ---- what looks like a loss and is none

begin "frames of variable rate, in containers with and without durations"
clip vfr.mkv lavfi:testsrc2=s=64x48:r=60:d=2 -vf "select='lt(mod(n*7,10),6)'" -vsync vfr -c:v libx264 -pix_fmt yuv420p
for e in ts flv nut mp4; do clip vfr.$e vfr.mkv -c copy; done
for e in avi webm asf gif; do clip vfr.$e vfr.mkv -vsync vfr; done
for e in mkv ts flv nut mp4 avi webm asf; do expect_whole vfr.$e 72; done
expect_whole vfr.gif "$(frames_of vfr.gif)"

begin "a start within a group of pictures, an edit list, joined recordings"
base_clip open.ts -c:v mpeg2video -bf 2 -g 12
tail -c +$(($(stat -c %s open.ts) * 4 / 10 / 188 * 188 + 1)) open.ts >middle.ts
ok runnel render middle.ts null: -d none --metrics m.json -y
[ "$(metric .ledger.packets_leading)" -gt 0 ] || complain "no leading pictures"
expect_message 'begins within a group'
base_clip open264.ts -c:v libx264 -g 40 -bf 3
tail -c +"$(($(stat -c %s open264.ts) * 3 / 10))" open264.ts >middle264.ts
ok runnel render middle264.ts null: -d none --metrics m.json -y
cat open.ts open.ts >joined.ts
expect_whole joined.ts 150
clip edits.mp4 -ss 1.3 -i base.mkv -c copy
expect_whole edits.mp4 "$(frames_of edits.mp4)"
expect_eq "packets of edits.mp4" "$(metric '.ledger.packets_hidden > 0')" true

begin "ranges of files whose packets are listed"
clip base.avi base.mkv -c copy -bsf:v h264_mp4toannexb
clip base.mp4 base.mkv -c copy
for f in base.mp4 base.avi base.mkv; do
    for range in "--from 1" "--from 1 --to 2" "--from 20f --to 40f" "--frames 7"; do
        ok runnel render $f null: -d none $range --metrics m.json -y
    done
done

begin "pictures that are only referred to, one packet for each field or none"
clip arf.webm lavfi:testsrc2=s=64x48:r=25:d=2 -c:v libvpx-vp9 -deadline good -cpu-used 5 -lag-in-frames 20 \
    -auto-alt-ref 1 -b:v 60k
expect_whole arf.webm 50
clip still.avi lavfi:color=gray:s=64x48:r=25:d=2 -c:v mpeg4 -bf 2
expect_whole still.avi 50

begin "an AVI whose recorder left pictures out"
base_clip paused.avi -c:v mpeg4 -vf "select='not(between(n,30,45))'" -vsync vfr
expect_whole paused.avi 59

begin "a GIF with something behind its end, or without a mark there"
clip whole.gif lavfi:testsrc2=s=32x24:r=10 -frames:v 8
python3 - <<'PY'
data = open('whole.gif', 'rb').read()
comment = b'\x21\xfe\x10Created with it!\0'
for name, end in (('unmarked', b''), ('zeros', b';' + bytes(400)), ('comment', comment + b';' + bytes(9)),
                  ('text', b';\r\n<!-- served by x, y! -->'), ('blocks', b';\x1a\x14\0;;\xba\nD\x14\0;;')):
    open(name + '.gif', 'wb').write(data[:-1] + end)
open('cut.gif', 'wb').write(data[:-30])
open('stray.gif', 'wb').write(data[:data.rindex(b'\x21\xf9\x04')] + b'\1' + data[data.rindex(b'\x21\xf9\x04'):])
PY
for f in unmarked zeros comment text blocks; do
    expect_whole $f.gif 8
    ! grep -q warning err || complain "$f: $(grep warning err)"
done
for f in cut stray; do fails 6 '' runnel render $f.gif null: -d none; done

begin "an FLV whose counter of milliseconds goes round, or begins behind 2^31"
base_clip clock.flv -c:v libx264 -bf 2
python3 - <<'PY'
for name, offset, bits in (('far', 3000000000, 32), ('over', 2**31 - 1000, 32), ('round24', 2**24 - 1000, 24),
                           ('round31', 2**31 - 1000, 31), ('round32', 2**32 - 1000, 32)):
    data = bytearray(open('clock.flv', 'rb').read())
    at = 13
    while at < len(data):
        size = int.from_bytes(data[at + 1:at + 4], 'big')
        time = int.from_bytes(data[at + 4:at + 7], 'big') | data[at + 7] << 24
        time = (time + offset) % 2**bits if data[at] != 18 else 0
        data[at + 4:at + 8] = (time & 0xffffff).to_bytes(3, 'big') + bytes([time >> 24])
        at += 11 + size + 4
    open(name + '.flv', 'wb').write(data)
PY
for f in far over round24 round31 round32; do
    expect_whole $f.flv 75
    run runnel render $f.flv out.mkv -d none -y
    expect_eq "pictures of $f.flv" "$(entries out.mkv v packet=pts_time | sort -n | sed -n '1p;75p' | xargs)" \
        "0.000000 2.960000"
done

begin "an announced length that no packets fill, where the index follows the last one"
for case in avi:mpeg4 wmv:wmv2; do
    e=${case%:*}
    clip late.$e -f lavfi -i testsrc2=s=64x48:r=25:d=1 -itsoffset 5 -f lavfi -i sine=d=2 -map 0 -map 1 \
        -c:v ${case#*:} -frames:v 3
    expect_whole late.$e 3
    base_clip full.$e -c:v ${case#*:} -g 5
    python3 - $e <<'PY'
import sys
data = bytearray(open('full.' + sys.argv[1], 'rb').read())
index = data.rindex(b'idx1') if sys.argv[1] == 'avi' else data.rindex(b'\x90\x08\x00\x33')
size = len(data) // 2
data[index - size:index] = bytes(size)
open('emptied.' + sys.argv[1], 'wb').write(data)
PY
    fails 6 '' runnel render emptied.$e null: -d none
done

begin "a recording that pauses and then goes fast, where every picture claims the average duration"
base_clip fast.mp4 -c:v libx264 -preset ultrafast -vf "select='eq(n,0)+gte(n,60)'" -vsync vfr
clip fast.mkv fast.mp4 -c copy
for codec in ffv1 libx264; do
    ok runnel render fast.mkv out.mkv -d none -y --codec $codec --metrics m.json
    expect_eq losses "$(metric '.losses | length')" 0
done

begin "Theora: pictures left out, chained files"
base_clip t.ogv -c:v libtheora -q:v 7 -g 12
cat t.ogv t.ogv >chained.ogv
base_clip still.ogv -c:v libtheora -b:v 60k
expect_whole still.ogv "$(frames_of still.ogv)"
n=$(frames_of t.ogv)
expect_whole chained.ogv $((2 * n))
run runnel render chained.ogv md5: -d none
awk -v n=$((n + 5)) '$1 >= n' out >want
run runnel stats chained.ogv -d none -q
from=$(awk -F, -v n=$((n + 5)) '$1 == n && $3 == 0 {print $2}' out)
prints want runnel render chained.ogv md5: -d none --from "$from"
python3 - <<'PY'
data = open('t.ogv', 'rb').read()
at = [0]
while data.find(b'OggS', at[-1] + 4) > 0:
    at.append(data.find(b'OggS', at[-1] + 4))
open('lost.ogv', 'wb').write(data[:at[3]] + data[at[4]:])
PY
fails 6 '' runnel render lost.ogv null: -d none

begin "messages of decoders that tell of no damage"
base_clip old.mkv -c:v h261 -s 176x144
expect_whole old.mkv 75
base_clip opengop.mkv -c:v libx264 -g 25 -x264-params open-gop=1:bframes=3:b-pyramid=normal
clip cutgop.mkv -ss 1.3 -i opengop.mkv -c copy
expect_whole cutgop.mkv "$(frames_of cutgop.mkv)"

begin "an open group of pictures of HEVC, cut, in Matroska"
base_clip open265.mkv -c:v libx265 -preset ultrafast -x265-params log-level=0:open-gop=1:keyint=25:bframes=4
clip cut265.mkv -ss 1.3 -i open265.mkv -c copy
expect_whole cut265.mkv 50
[ "$(metric .ledger.packets_leading)" -gt 0 ] || complain "no leading pictures"

begin "a stream that was cut where it is decoded, and an AVI from a pipe"
base_clip tail265.mkv -c:v libx265 -preset ultrafast -x265-params log-level=0:keyint=30:bframes=4
for end in 1.37 1.5 1.6; do
    clip tail265.ts tail265.mkv -t $end -c copy
    expect_whole tail265.ts "$(frames_of tail265.ts)"
done
clip groups.avi lavfi:testsrc2=s=160x120:r=25:d=3 -c:v mpeg4 -bf 2 -g 20
clip group.avi -ss 1.5 -i groups.avi -c copy
expect_whole group.avi "$(frames_of group.avi)"
expect_eq "leading packets" "$(metric .ledger.packets_leading)" 2
ffmpeg -v error -i whole.avi -c copy -f avi - >piped.avi # whose sizes are not filled in
expect_whole piped.avi 75
head -c $(($(stat -c %s piped.avi) * 2 / 3)) piped.avi >broken.avi
fails 6 '' runnel render broken.avi null: -d none

# ---- how many there will be

begin "the number that is expected is right, or an estimate"
clip ms.avi base.mkv -c copy -bsf:v h264_mp4toannexb -copytb 1 # places of 1 ms, most of them empty
clip late.avi -itsoffset 5 -i base.mkv -f lavfi -i sine=d=9 -map 0 -map 1 -c:v mpeg4 -shortest
for f in base.avi ms.avi late.avi; do
    run runnel render $f null: -d none --metrics m.json -y
    expect_eq "expected of $f" "$(metric .frames_expected)" 75
    expect_eq exact "$(metric .ledger.expected_exact)" true
    expect_message ' 75/75 frames'
done
run runnel render base.mkv null: -d none --metrics m.json -y
expect_eq "exact in Matroska" "$(metric .ledger.expected_exact)" false
expect_message ' 75 frames'
clip far.mkv base.mkv -c copy -output_ts_offset 47000
run runnel render far.mkv null: -d none --metrics m.json -y
expect_eq "expected long after 0" "$(metric .frames_expected)" 75

begin "no number is expected where there is nothing to count it by"
clip sound.wmv lavfi:testsrc2=s=64x48:r=25:d=1 lavfi:sine=d=9 -c:v wmv2
clip sound.flv base.mkv lavfi:sine=d=9:r=44100 -c:v flv1
base_clip one.wmv -c:v wmv2 -frames:v 1
clip base.h264 base.mkv -c copy -bsf:v h264_mp4toannexb
for f in sound.wmv sound.flv one.wmv base.h264; do
    run runnel render $f null: -d none --metrics m.json -y
    expect_eq "expected of $f" "$(metric .frames_expected)" null
done
# As they come: these claim 25 fps, and become slower and slower.
base_clip slower.mkv -c:v libx264 -preset ultrafast -vf "setpts=N*N/500/TB" -vsync passthrough
run runnel render slower.mkv null: -d none --progress p.json -y
expect_eq "expected at the end" "$(jq -s '.[-1].frames_expected' p.json)" null

begin "the ledger of a run"
ok runnel render base.mp4 out.mkv -y -d none --from 25f --to 50f --metrics m.json --codec ffv1
expect_eq counts "$(metric '.ledger | [.frames_filtered, .frames_written, .frames_encoded, .packets_encoded,
    .packets_written, .frames_repeated, .frames_dropped, .gaps] | @csv')" 25,25,25,25,25,0,0,0
expect_eq "announced and read" "$(metric '.ledger.packets_announced == .ledger.packets_read')" true

# ---- fewer than were asked for

clip p%d.png lavfi:testsrc2=s=16x16:r=25 -frames:v 4
for range in "--to 100f" "--to 20" "--frames 80" "--from 70f --frames 6"; do
    begin "an input that ends before $range"
    says "ends before .*: $(case $range in *70f*) echo 5 ;; *) echo 75 ;; esac) frames came" \
        runnel render base.mkv null: -d none $range
    for command in "render base.mkv null:" "render p%d.png null:" "stats base.mkv"; do
        case "$command$range" in *.png*70f*) continue ;; esac
        refuses 6 '' runnel $command -d none $range --exact -q
    done
done

begin "a range that is all there"
for range in "--to 75f" "--to 3" "--frames 75" "--from 70f --frames 5" "--to 1 --frames 80"; do
    ok runnel render base.mkv null: -d none $range --exact
    ! grep -q 'ends before' err || complain "$range: $(grep 'ends before' err)"
done
ok runnel render 'p%d.png' null: -d none --to 4f --exact
