#!/bin/sh
# What stands in the file is compared with what the muxer was given, in every container: a muxer that drops packets
# or moves them is caught.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip base.mkv lavfi:testsrc2=s=64x48:r=25:d=2 lavfi:sine=440:r=44100:d=2 -c:v libx264 -pix_fmt yuv420p -c:a libmp3lame

# A muxer that forgets: what is called a packet written is none.
cat >muxer.c <<'C'
#include <libavformat/avformat.h>

int av_interleaved_write_frame(AVFormatContext *fmt, AVPacket *pkt)
{
    const char *lose = getenv("LOSE");
    AVStream *st = pkt && lose ? fmt->streams[pkt->stream_index] : NULL;
    int sound = st && st->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    if (st && sound == !strcmp(lose, "sound") && pkt->dts * av_q2d(st->time_base) > 1) {
        st->nb_frames++;
        av_packet_unref(pkt);
        return 0;
    }
    return REAL(av_interleaved_write_frame)(fmt, pkt);
}
C
make_preload muxer $(pkg-config --cflags --libs libavformat libavcodec 2>/dev/null) && [ "${VARIANT:-release}" != tsan ] ||
    muxer=none

for e in mkv mp4 avi ts nut flv wmv mpg mxf ogv rm; do
    if [ "${muxer-}" = none ]; then
        skip "a muxer that forgets, $e: needs a compiler and the headers of FFmpeg"
        continue
    fi
    begin "a second of pictures, or of sound, that a muxer forgets: $e"
    ok runnel render base.mkv out.$e -y -d none -q
    ! grep 'duration\|sound ends' err || complain "a loss of nothing"
    for what in pictures sound; do
        refuses 6 '' env $(preload muxer) LOSE=$what "$RUNNEL" render base.mkv out.$e -y -d none -q --metrics m.json
        lost=$(metric '.ledger | .output_off_s + (.frames_encoded - .packets_written) / 25')
        [ "$(echo "$lost" | jq '. >= 0.75')" = true ] || complain "$what: $lost s lost, not about 1"
    done
done

# As programs have written it that mistook the order of its bytes: 0.299 s for 0.007 s.
begin "a delay of Opus that is wrong shortens nothing"
clip delay.mp4 base.mkv -map 0:v -map 0:a -c:v copy -c:a libopus -strict -2 -movflags frag_keyframe+empty_moov
python3 - <<'PY'
data = bytearray(open('delay.mp4', 'rb').read())
at = data.index(b'dOps') + 6
data[at:at + 2] = data[at:at + 2][::-1]
open('delay.mp4', 'wb').write(data)
PY
for e in mkv webm; do
    ok runnel render delay.mp4 out.$e -y -d none -q --metrics m.json
    ! grep 'sound ends' err || complain "a loss of nothing: out.$e"
    ok runnel render out.$e null: -d none
done

begin "the end of a large file, which is not read whole"
clip large.mkv lavfi:nullsrc=s=320x240:r=25:d=2,geq='random(1)*255:128:128' lavfi:sine=440:r=44100:d=2 \
    -c:v libx264 -preset ultrafast -qp 4 -pix_fmt yuv420p -c:a libmp3lame
for e in ts flv nut; do
    [ "${muxer-}" != none ] || continue
    fails 6 '' env $(preload muxer) LOSE=sound "$RUNNEL" render large.mkv out.$e -y -d none -q \
        --codec libx264 --codec-opts preset=ultrafast:qp=4 --metrics m.json
    [ "$(stat -c %s out.$e)" -gt 4194304 ] || complain "out.$e has $(stat -c %s out.$e) bytes"
done
