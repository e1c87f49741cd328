#!/bin/sh
# Values that no encoder takes, files that are not what they are called, names that are commands to a
# terminal: each ends in one line and the right status, and nothing else happens.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_clip in.mp4 0.2
echo 'the old file' >old.mp4
cp old.mp4 old.mkv
before=$(sha old.mp4)

refuse() { # status, old file, options...: of a run that would overwrite it
    want=$1 old=$2
    shift 2
    rm -f m.json
    refuses "$want" '' runnel render in.mp4 "$old" -y --metrics m.json "$@"
    expect_eq "the old file after $*" "$(sha "$old")" "$before"
    expect_eq "the status in the metrics" "$(jq .exit_status m.json)" "$want"
    expect_no_file .old* old.partial*
}

# ---- encoders that do not open

while IFS='|' read -r message options; do
    begin "an encoder that cannot be had: $options"
    eval "refuse 2 $options"
    expect_message "$message"
done <<'CASES'
cannot take crf=20,preset=slow.*joined by ':'|old.mp4 --codec-opts crf=20,preset=slow
libx264 cannot take crf=99: crf is a number up to 51|old.mp4 --codec-opts crf=99
libx264 cannot take crf=abc: crf is a number|old.mp4 --codec-opts crf=abc
cannot take b=-5: b is a whole number from 0|old.mp4 --codec-opts b=-5
cannot take threads=many: .*auto|old.mp4 --codec-opts threads=many
cannot take flags=nope: .*psnr|old.mp4 --codec-opts flags=nope
cannot take coder=99: coder is a whole number from -2 up to 2|old.mkv --codec ffv1 --codec-opts coder=99
with --codec-opts slices=3:|old.mkv --codec ffv1 --codec-opts slices=3:level=3
cannot take movflags=nope: .*faststart|old.mp4 --codec-opts movflags=nope
no pixel format is named 'nope'|old.mp4 --pix-fmt nope
is not key=value|old.mp4 --codec-opts =
is not key=value|old.mp4 --codec-opts crf
CASES

begin "one message for a rate that an encoder does not know"
clip seven.mkv in.mp4 -an -sn -r 7 -c:v ffv1
refuses 2 'cannot open the encoder mpeg2video .*7/1' runnel render seven.mkv seven.mpg

if ffmpeg -hide_banner -encoders | grep -q h264_nvenc && ! ldconfig -p | grep -q libcuda.so.1; then
    begin "an encoder without its driver"
    refuse 4 old.mp4 --codec h264_nvenc
    expect_message 'cannot open the encoder h264_nvenc'
fi

begin "a value of a hundred thousand digits"
refuse 2 old.mp4 --codec-opts "crf=$(printf '%0100000d' 1)x"
[ "$(wc -c <err)" -lt 1000 ] || complain "$(wc -c <err) bytes of messages"

begin "reports that would be folders"
for option in metrics progress; do
    refuses 4 "'\.'" runnel render in.mp4 old.mp4 -y --$option .
    expect_eq "the old file after --$option ." "$(sha old.mp4)" "$before"
done

# ---- files that name others

clip other.mp4 lavfi:smptebars=s=64x48:r=25:d=0.2 -c:v libx264 -pix_fmt yuv420p
mkdir lists
clip lists/other.ts other.mp4 -c copy -f mpegts
{
    printf '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n'
    printf '#EXTINF:0.2,\nother.ts\n#EXT-X-ENDLIST\n'
} >lists/clip.mp4
printf 'ffconcat version 1.0\nfile ../other.mp4\n' >lists/clip.mkv
printf "ffconcat version 1.0\nfile '%s/other.mp4'\n" "$scratch" >lists/absolute.mkv
printf 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n' >lists/clip.avi
printf 'a=rtpmap:96 H264/90000\n' >>lists/clip.avi
cat >lists/clip.webm <<'MPD'
<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"
 type="static" mediaPresentationDuration="PT0.2S">
<Period><AdaptationSet contentType="video"><Representation id="0" bandwidth="1000" mimeType="video/mp4">
<BaseURL>../other.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>
MPD
into other.md5 runnel render other.mp4 md5: -q

for f in clip.mp4 clip.mkv absolute.mkv clip.avi clip.webm; do
    begin "a playlist called $f opens nothing further"
    for command in "render lists/$f none.mkv" "stats lists/$f"; do
        refuses 3 "lists/$f.*--allow-playlists" runnel $command
    done
done

for f in clip.mp4 clip.mkv absolute.mkv; do
    begin "a playlist called $f, allowed"
    prints other.md5 runnel render lists/$f md5: -q --allow-playlists
done

begin "a playlist on stdin: refused, or read beside the current folder"
sed 's,^other,lists/other,' lists/clip.mp4 >piped.m3u
stdin=piped.m3u refuses 3 "'-' is a playlist.*--allow-playlists" runnel render - md5: -q
stdin=piped.m3u prints other.md5 runnel render - md5: -q --allow-playlists

begin "the same with a seek that opens the file again"
ok runnel render lists/clip.mkv md5: -q --allow-playlists --from 0.12
expect_eq pictures "$(grep -c ' 0 ' out)" 2

begin "a reference of MOV to another file is not followed"
python3 - in.mp4 outside.mp4 "$scratch/other.mp4" <<'PY'
import struct, sys
data = open(sys.argv[1], 'rb').read()
path = sys.argv[3].encode()
def alias():
    body = bytes(10) + struct.pack('>H', 2) + bytes(36)      # as libavformat reads it
    body += bytes(1) + b'x'.ljust(27, b'\0') + bytes(40) + bytes(1) + bytes(63) + bytes(12)
    body = body[:150].ljust(150, b'\0')
    body += struct.pack('>HH', 2, len(path)) + path + bytes(len(path) % 2) + struct.pack('>hH', -1, 0)
    return struct.pack('>I4sI', 12 + len(body), b'alis', 0) + body
def rewrite(box):
    out, pos = b'', 0
    while pos < len(box):
        size, kind = struct.unpack('>I4s', box[pos:pos + 8])
        body = box[pos + 8:pos + size]
        if kind in (b'moov', b'trak', b'mdia', b'minf', b'dinf'):
            body = rewrite(body)
        elif kind == b'dref':
            body = body[:8] + alias()
        out += struct.pack('>I4s', 8 + len(body), kind) + body
        pos += size
    return out
assert data.index(b'mdat') < data.index(b'moov')
open(sys.argv[2], 'wb').write(rewrite(data))
PY
for list in '' --allow-playlists; do
    refuses 3 '' runnel render outside.mp4 none.mkv $list
done

begin "what the user names himself goes on working: protocols, generators"
prints other.md5 runnel render "subfile,,start,0,end,$(stat -c %s other.mp4),,:other.mp4" md5: -q
prints other.md5 runnel render "file:other.mp4" md5: -q
ok runnel render lavfi:testsrc2=s=64x48:d=0.2 null: -q

begin "a file whose name looks like a pattern, a protocol or another format is what it holds"
for name in %d.png %03d.mp4 '?.png' '*.jpg' a:b.mp4 http:x; do
    cp other.mp4 "$name"
    for path in "$name" "./$name" "$PWD/$name"; do
        prints other.md5 runnel render "$path" md5: -q
    done
    rm "$name"
done

begin "files from a server; its playlists only with --allow-playlists"
python3 - >port 2>/dev/null <<'PY' &
import http.server, socketserver
class Server(socketserver.ThreadingMixIn, http.server.HTTPServer): daemon_threads = True
server = Server(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)
print(server.server_port, flush=True)
server.serve_forever()
PY
server=$!
wait_for 20 test -s port || complain "the server does not start"
url=http://127.0.0.1:$(cat port)
cp lists/clip.mp4 lists/list.m3u8
no_proxy=127.0.0.1
export no_proxy
prints other.md5 runnel render "$url/other.mp4" md5: -q
refuses 3 'list.m3u8.*--allow-playlists' runnel render "$url/lists/list.m3u8" md5:
prints other.md5 runnel render "$url/lists/list.m3u8" md5: -q --allow-playlists
printf '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.2,\nfile://%s/lists/other.ts\n#EXT-X-ENDLIST\n' \
    "$scratch" >lists/local.m3u8
fails 3 '' runnel render "$url/lists/local.m3u8" md5: -q --allow-playlists
kill $server
wait $server 2>/dev/null

# ---- names

evil=$(printf 'e\033]0;x\007\n\tv\233\302\233il%%s\377name')
clip tagged.mkv in.mp4 -map 0:v -map 0:a -c copy -metadata "title=$evil" -metadata:s:a:0 "title=$evil"
cp in.mp4 "$evil.mp4"
echo nonsense >"$evil.txt"
mkdir "$evil"

while IFS='|' read -r want words; do
    begin "a name that is a command to the terminal, status $want: $words"
    eval "run runnel $words"
    expect_rc "$want"
    expect_plain err
    LC_ALL=C grep -q "$(printf '\302\233\\|\233\\|\377')" err && complain "err has bytes of the name"
    grep -qv '^runnel: \|^  \|^$' err && complain "a line of err begins with the name"
done <<'CASES'
0|render "$evil.mp4" "$evil.mkv" --metrics "$evil.json" --progress "$evil.lines"
4|render "$evil.mp4" "$evil.mkv"
0|stats "$evil.mp4" -f stats=file="in.csv"
3|render "$evil.txt" null:
3|render "$evil" null:
3|render "missing $evil" null:
3|render "missing$evil*.png" null:
4|render in.mp4 "$evil"
4|render in.mp4 "nowhere/$evil/x.mkv"
2|render in.mp4 null: -f "$evil"
2|render in.mp4 null: -f "blur=$evil"
2|render in.mp4 null: -f "@$evil"
2|render in.mp4 null: --codec "$evil" --frames "$evil"
2|render in.mp4 x.mkv --codec "$evil"
2|render in.mp4 x.mkv --codec-opts "$evil=1"
2|render in.mp4 x.mkv --codec-opts "crf=$evil"
2|render in.mp4 x.mkv --pix-fmt "$evil"
5|render in.mp4 null: -d "$evil"
2|"no$evil"
3|"$evil"
2|render "--$evil"
0|render tagged.mkv tagged.mp4 --log-level debug
CASES

begin "the question whether to overwrite it"
cat >ask.py <<'PY'
import os, pty, sys
pid, master = pty.fork()
if not pid:
    os.environ['TERM'] = 'dumb'
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b''
try:
    while more := os.read(master, 4096):
        seen += more
        if seen.endswith(b'[y/N] '):
            os.write(master, b'n\n')
except OSError: # the other end is closed
    pass
sys.stderr.buffer.write(seen.replace(b'\r\n', b'\n'))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
fails 4 '' python3 ask.py "$RUNNEL" render in.mp4 "$evil.mkv" -q
expect_plain err
expect_message "Overwrite? \[y/N\]"

begin "the same names as data"
expect_eq "the name in the metrics" "$(jq -r .output_path "$evil.json" | tr -d '\n' | cut -c 1-7)" \
    "$(printf 'e\033]0;x\007')"
jq -e . "$evil.lines" >jq.out 2>&1 || complain "the progress is no JSON: $(cat jq.out)"
