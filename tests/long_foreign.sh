#!/bin/sh
# Files that other programs make: healthy, all end with 0 and lose nothing on their way to Matroska, scans when they are
# read; one of each container with a hole ends with 6, and so does each without its end, or without one packet. What is
# not installed is skipped.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
export RUNNEL_DEVICE=none # what is tested here knows no device

cat >remove.py <<'PY'
"""remove.py FILE: what is FILE.KIND lacks something: the end, or one packet of pictures or sound, which is zeroed or cut out."""
import json, subprocess, sys
name, ending = sys.argv[1], sys.argv[1].rsplit('.', 1)[1]
data = open(name, 'rb').read()
said = subprocess.run(['ffprobe', '-v', 'quiet', '-of', 'json', '-show_entries', 'packet=codec_type,pos,size', name],
                      capture_output=True).stdout
packets = [p for p in json.loads(said)['packets'] if 'pos' in p and int(p['size']) > 40]
def write(kind, parts):
    open(f'lacks-{kind}.{ending}', 'wb').write(b''.join(parts))
    print(kind)
write('end', [data[:len(data) * 3 // 4]])
for sort in 'video', 'audio':
    some = [p for p in packets if p['codec_type'] == sort]
    if len(some) < 8:
        continue
    packet = some[len(some) * 3 // 5]
    at, size = int(packet['pos']), int(packet['size'])
    write(sort + '-zeroed', [data[:at + 20], bytes(size - 20), data[at + size:]])
    write(sort + '-cut', [data[:at], data[at + size:]])
PY
removals=0 overlooked=0
lacking() { # healthy file: each of those made of it, of which something is missing
    for kind in $("$PYTHON" remove.py "$1"); do
        removals=$((removals + 1))
        timeout $patience "$RUNNEL" render "lacks-$kind.${1##*.}" null: >/dev/null 2>said.txt
        rc=$?
        case $rc in
        0)
            # Nothing tells: sound is copied, whatever its packets hold; some decoders take any bytes; samples are
            # raw; a bare stream does not number its pictures; MPEG-PS may end behind any pack.
            case $1:$kind in
            *:audio-zeroed | libvpx*:video-zeroed | *.webm:video-zeroed | libtheora*:video-zeroed | \
                mcut.avi:video-zeroed | *.264:*-cut | j?.mpg:end) overlooked=$((overlooked + 1)) ;;
            *) complain "$1: that $kind is overlooked" ;;
            esac
            ;;
        3 | 6) ;;
        *) complain "$1 lacks $kind: status $rc" ;;
        esac
    done
}

files=0 holed=' 264 ' # a bare stream has no container that tells of a hole
healthy() { # file, --strict unless Matroska cannot hold all of it
    [ -s "$1" ] || { complain "$1 was not made: $(tail -n 1 made.log)"; return; }
    files=$((files + 1)) before=$bad bad=0
    ok runnel render "$1" null:
    ok runnel render "$1" out.mkv -y "${2---strict}"
    [ $bad = 0 ] || complain "that was $1"
    bad=$((before | bad))
    lacking "$1"
    case $holed in *" ${1##*.} "*) return ;; esac
    holed="$holed${1##*.} "
    head -c $(($(stat -c %s "$1") / 2)) "$1" >"hole.${1##*.}"
    head -c $(($(stat -c %s "$1") / 10 + 2000)) /dev/zero >>"hole.${1##*.}"
    tail -c +$(($(stat -c %s "hole.${1##*.}") + 1)) "$1" >>"hole.${1##*.}"
    fails 6 '' runnel render "hole.${1##*.}" null:
}

has() { # programs
    for program; do
        command -v "$program" >/dev/null || { skip "needs $program"; return 1; }
    done
    begin "$*"
}

makes() { # file, command
    made=$1
    shift
    timeout $patience "$@" >made.log 2>&1
    if grep -q 'no element' made.log; then
        echo "# $made is left out: $(grep -m 1 -o 'no element.*' made.log)"
    else
        healthy "$made"
    fi
}

clip b.mp4 lavfi:testsrc2=s=96x64:r=25:d=3 -pix_fmt yuv420p -c:v libx264 -bf 3 -g 25
clip v.y4m lavfi:testsrc2=s=96x64:r=25:d=3 -pix_fmt yuv420p
clip a.wav lavfi:sine=440:r=48000:d=3 -ac 2
{ echo '# timestamp format v2' && awk 'BEGIN {for (t = i = 0; i < 75; i++) {print t; t += i % 4 * 30 + 10}}'; } >times.txt
printf 'CHAPTER01=00:00:00.000\nCHAPTER01NAME=One\nCHAPTER02=00:00:01.000\nCHAPTER02NAME=Two\n' >chapters.txt
printf '1\n00:00:00,500 --> 00:00:01,000\nHello\n\n' >s.srt

merge() { makes "$1" mkvmerge -q -o "$@"; } # file, arguments
if has mkvmerge; then
    for c in ac3:ac3 eac3:eac3 dca:dts truehd:thd mp2:mp2 libmp3lame:mp3 libopus:opus libvorbis:ogg aac:aac flac:flac \
        pcm_s16le:wav wavpack:wv alac:m4a tta:tta; do
        clip "s.${c#*:}" a.wav -strict -2 -c:a "${c%:*}"
        merge "laced-${c#*:}.mkv" b.mp4 "s.${c#*:}"
        merge "single-${c#*:}.mkv" --disable-lacing b.mp4 "s.${c#*:}"
    done
    for c in libx265:mp4 mpeg4:avi mpeg2video:m2v libvpx:ivf libtheora:ogg mjpeg:avi libvpx-vp9:ivf; do
        clip "p.${c#*:}" v.y4m -c:v "${c%:*}" -b:v 300k
        merge "${c%:*}.mkv" "p.${c#*:}" s.ac3
    done
    merge v.webm --webm p.ivf s.opus
    merge vfr.mkv --timestamps 0:times.txt b.mp4 s.ac3
    merge appended.mkv laced-mp3.mkv + laced-mp3.mkv
    merge uncued.mkv --no-cues --no-date --disable-track-statistics-tags b.mp4 s.opus
    merge zlib.mkv --compression 0:zlib b.mp4 --compression 0:zlib s.mp3
    merge late.mkv b.mp4 --sync 0:1500 s.mp3
    merge early.mkv b.mp4 --sync 0:-300 s.mp3
    merge stretched.mkv b.mp4 --sync 0:0,1001/1000 s.mp3
    merge clusters.mkv --cluster-length 1 b.mp4 s.mp3
    merge ticks.mkv --timestamp-scale 10000 b.mp4 s.opus
    merge longer.mkv b.mp4 s.ac3 + s.ac3
    merge all.mkv --chapters chapters.txt --attach-file s.srt b.mp4 s.ac3 s.srt s.mp3 s.opus
    mkvmerge -q -o split.mkv --split 1s --link b.mp4 s.ac3 >made.log
    for f in split-00?.mkv; do healthy $f; done
fi

sends() { # file, muxer, pictures, sound [rate]
    # shellcheck disable=SC2086
    makes "$1" gst-launch-1.0 -q -e videotestsrc num-buffers=75 pattern=ball ! \
        video/x-raw,width=96,height=64,framerate=25/1,format=I420 ! $3 ! queue ! $2 name=m ! filesink location="$1" \
        audiotestsrc num-buffers=141 samplesperbuffer=1024 ! audio/x-raw,rate="${5:-44100}",channels=2 ! \
        audioconvert ! $4 ! queue ! m.
}
if has gst-launch-1.0; then
    avc="x264enc speed-preset=ultrafast bframes=2 ! h264parse" mp3="lamemp3enc ! mpegaudioparse" pcm=audio/x-raw,format=S16LE
    for e in mp4:mp4mux fragments.mp4:"mp4mux fragment-duration=500" mov:qtmux flv:flvmux mkv:matroskamux ts:mpegtsmux \
        stream.flv:"flvmux streamable=true"; do
        sends "g.${e%%:*}" "${e#*:}" "$avc" "avenc_aac ! aacparse"
    done
    for s in opusenc flacenc "avenc_ac3 ! ac3parse" vorbisenc "$mp3" "$pcm"; do
        sends "g-${s%%[ ,/]*}.mkv" matroskamux "$avc" "$s" 48000
    done
    sends gm.mov qtmux jpegenc "$pcm"
    sends gm.avi avimux jpegenc "$pcm"
    sends g3.avi avimux "$avc" "$mp3"
    sends g9.webm webmmux "vp9enc deadline=1" opusenc 48000
    sends gs.webm "webmmux streamable=true" "vp8enc deadline=1" vorbisenc
    sends g.ogv oggmux theoraenc vorbisenc
    sends g.mpg "mplex format=3" "mpeg2enc format=3" "twolamemp2enc ! mpegaudioparse"
fi

if has x264; then
    makes x.264 x264 --bframes 3 -o x.264 v.y4m
    for f in x.mkv x.flv; do makes $f x264 --bframes 3 --tcfile-in times.txt -o $f v.y4m; done
fi

encode() { makes "$1" mencoder -really-quiet raw.avi -o "$@"; } # file, options
if has mencoder; then
    clip raw.avi v.y4m a.wav -c:v rawvideo -c:a pcm_s16le
    encode m3.avi -ovc lavc -lavcopts vcodec=mpeg4:vmax_b_frames=2 -oac mp3lame
    encode m50.avi -ovc x264 -oac copy -ofps 50
    encode mskip.avi -ovc lavc -oac mp3lame -vf pullup,softskip,decimate=3:10:10:0.9
    encode mcut.avi -ss 1 -endpos 1 -ovc copy -oac copy
    encode m2.mpg -of mpeg -ovc lavc -lavcopts vcodec=mpeg2video -oac twolame
    ! has ogmmerge || makes o.ogm ogmmerge -o o.ogm m3.avi
fi

if has mpeg2enc mp2enc mplex; then
    clip large.y4m lavfi:testsrc2=s=352x288:r=25:d=2 -pix_fmt yuv420p
    mp2enc -v 0 -o j.mp2 <a.wav 2>made.log
    for n in 1 3 8; do
        mpeg2enc -v 0 -b 1500 -f $n -o j$n.m2v <large.y4m >made.log 2>&1
        makes j$n.mpg mplex -v 0 -f $n -o j$n.mpg j$n.m2v j.mp2
    done
fi

# Scans of the packages of other readers, which these read; not what the manual says is refused: colours of 32 bits, six
# axes, mosaics without a number of slices, doubles that no float holds.
cat >scans.py <<'PY'
import glob, os, nibabel, numpy, pydicom, scipy.io
found = lambda module, *parts: sorted(glob.glob(os.path.join(os.path.dirname(module.__file__), *parts)))
for f in found(pydicom, "data", "*_files", "*.dcm") + found(nibabel, "nicom", "tests", "data", "[!01]*.dcm"):
    try:
        print(f * bool(pydicom.dcmread(f).pixel_array.size and "32bit" not in f and "embedded" not in f))
    except Exception:
        pass
for f in found(nibabel, "tests", "data", "*.nii*"):
    print(f * ("dconn" not in f))
for f in found(scipy.io, "matlab", "tests", "data", "*.mat"):
    try:
        numbers = [a for a in scipy.io.loadmat(f).values() if isinstance(a, numpy.ndarray) and a.dtype.kind in "iuf"]
        print(f * (len(numbers) == 1 and min(numbers[0].shape) > 1 and "skip" not in f))
    except Exception:
        pass
PY
begin "scans of pydicom, nibabel and SciPy"
"$PYTHON" scans.py 2>/dev/null | grep . >scans.txt
while read -r f; do
    files=$((files + 1))
    ok runnel render "$f" null: --strict -q
done <scans.txt
[ $files -ge 150 ] || echo "# only $files files: some packages are missing"

end
echo "# $files healthy files; with a hole:${holed# 264}"
echo "# $removals with something missing, of which nothing tells in $overlooked"
