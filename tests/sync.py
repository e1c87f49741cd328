"""Sound against picture: clips that flash white and chirp at the same instant go through `runnel render`, and how far
the chirps are from the flashes afterwards, decoded as a player does, must be what it was before, within 1 ms:
sync.py short|pairs|chains [PART OF A NAME...]. SYNC_SHOW=1 shows what was measured."""
import os  # SPDX-License-Identifier: MIT
import re
import subprocess
import sys
import tempfile
import wave
from concurrent.futures import ThreadPoolExecutor

import numpy as np

CONTAINERS = ("mp4", "mov", "mkv", "webm", "ts", "m2ts", "avi", "mpg", "flv")
MOST = 0.001 # seconds
FLASHES = (0.4, 1.0)
LENGTH = 1.4
CHIRP = 0.03 # from 700 to 4000 Hz

H264 = "-c:v libx264 -preset veryfast -bf 3"
VP8 = "-c:v libvpx -b:v 500k -deadline realtime"
# name.container: rate of the sound, when sound and pictures begin, arguments of ffmpeg
CLIPS = {
    "aac.mp4": (48000, 0, 0, H264 + " -c:a aac"), "pcm.mov": (44100, 0, 0, H264 + " -c:a pcm_s16le"),
    "vorbis.mkv": (44100, 0, 0, H264 + " -c:a libvorbis"), "opus.webm": (48000, 0, 0, VP8 + " -c:a libopus"),
    "aac.ts": (48000, 0, 0, H264 + " -c:a aac"), "ac3.m2ts": (48000, 0, 0, H264 + " -c:a ac3 -mpegts_m2ts_mode 1"),
    "mp3.avi": (44100, 0, 0, "-c:v mpeg4 -bf 0 -c:a libmp3lame"),
    "mp2.mpg": (48000, 0, 0, "-c:v mpeg2video -bf 2 -c:a mp2"), "aac.flv": (44100, 0, 0, H264 + " -c:a aac"),
    "mp3.mp4": (44100, 0, 0, H264 + " -c:a libmp3lame"), "opus.mp4": (48000, 0, 0, H264 + " -c:a libopus"),
    "aac.mkv": (44100, 0, 0, H264 + " -c:a aac"), "opus.mkv": (48000, 0, 0, H264 + " -c:a libopus"),
    "flac.mkv": (44100, 0, 0, H264 + " -c:a flac"), "mp3.mkv": (48000, 0, 0, H264 + " -c:a libmp3lame"),
    "ac3.mkv": (44100, 0, 0, H264 + " -c:a ac3"), "mp2.ts": (48000, 0, 0, H264 + " -c:a mp2"),
    "opus.ts": (48000, 0, 0, H264 + " -c:a libopus"), "pcm.avi": (44100, 0, 0, "-c:v mpeg4 -bf 2 -c:a pcm_s16le"),
    "wma.asf": (44100, 0, 0, "-c:v wmv2 -c:a wmav2"), "vorbis.ogv": (44100, 0, 0, "-c:v libtheora -c:a libvorbis"),
    "ntsc.mp4": (48000, 0, 0, H264 + " -c:a aac -r 30000/1001"), "late.mkv": (48000, 0.3, 0, H264 + " -c:a aac"),
    "late.mp4": (44100, 0.3137, 0, H264 + " -c:a aac"), "lateopus.mkv": (48000, 0.3, 0, H264 + " -c:a libopus"),
    "latepcm.mov": (48000, 0.3137, 0, H264 + " -c:a pcm_s16le"),
    "latemp3.ts": (44100, 0.3137, 0, H264 + " -c:a libmp3lame"), "early.mkv": (48000, 0, 0.3, H264 + " -c:a aac"),
    "early.mp4": (44100, 0, 0.3137, H264 + " -c:a aac"), "earlyopus.webm": (48000, 0, 0.3137, VP8 + " -c:a libopus"),
    "earlyac3.ts": (48000, 0, 0.3137, H264 + " -c:a ac3"),
    "far.ts": (48000, 0.1, 0, H264 + " -c:a aac -output_ts_offset 47000"),
}
SHORT = ("opus.webm>mkv", "opus.webm>mp4", "vorbis.mkv>webm", "late.mp4>avi", "early.mkv>avi", "mp3.mp4>avi",
         "aac.mp4>mpg", "earlyac3.ts>mov", "latepcm.mov>ts", "opus.ts>flv")
CHAINS = {
    "opus.webm": ("mkv", "webm"), "opus.mkv": ("mp4", "ts"), "aac.mp4": ("mkv", "mp4"), "aac.ts": ("mp4", "ts"),
    "mp3.mp4": ("avi", "flv"), "mp2.mpg": ("mov", "mpg"), "latepcm.mov": ("avi", "mkv"), "vorbis.mkv": ("webm", "mkv"),
    "early.mp4": ("m2ts", "flv", "mkv"),
}


def chirp(rate):
    t = np.arange(int(CHIRP * rate)) / rate
    return np.sin(2 * np.pi * (700 * t + 55000 * t * t))


def make(name):
    """Where the clip stands."""
    rate, sound, pictures, arguments = CLIPS[name]
    white = "+".join(f"between(t,{at - pictures - 0.001},{at - pictures + 0.038})" for at in FLASHES)
    sum_of = "+".join(f"between(t,{at - sound},{at - sound + CHIRP})*0.6*sin(2*PI*(700*(t-{at - sound})+55000*"
                      f"(t-{at - sound})^2))" for at in FLASHES)
    fps = "30000/1001" if "ntsc" in name else "25"
    # Flashes stand where a picture does: the first at or behind their time.
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-itsoffset", str(pictures), "-f", "lavfi", "-i",
                    f"color=gray:s=64x48:r={fps}:d={LENGTH - pictures},drawbox=c=white:t=fill:enable='{white}'",
                    "-itsoffset", str(sound), "-f", "lavfi", "-i",
                    f"aevalsrc='{sum_of}':s={rate}:d={LENGTH - sound}", "-ac", "2", "-pix_fmt", "yuv420p",
                    *arguments.split(), name], check=True)
    return name


def peaks(signal, rate):
    """Where in the signal, in samples, the chirps begin, best first; as many as there are flashes."""
    wanted = chirp(rate)
    n = len(signal) + len(wanted)
    fit = np.fft.irfft(np.fft.rfft(signal, n) * np.conj(np.fft.rfft(wanted, n)), n)[:len(signal)]
    found = []
    for _ in FLASHES:
        at = int(np.argmax(fit))
        found.append(at)
        fit[max(0, at - rate // 5):at + rate // 5] = 0
    return sorted(found)


def entries(path, key):
    """What FFmpeg's metadata filters wrote: of every frame its time, in ticks, and the value of the key."""
    with open(path, encoding="ascii") as file:
        found = re.findall(r"^frame:\d+ +pts:(-?\d+) .*\n" + re.escape(key) + r"=(\S+)$", file.read(), re.M)
    return [(int(pts), float(value)) for pts, value in found]


def decode(path, folder):
    """The pictures, (s, mean of luma); the frames of sound, (first sample's time in samples, their number); the sound and
    its rate. Through files, since FFmpeg's threads mix their lines of the log."""
    luma, number = "lavfi.signalstats.YAVG", "lavfi.astats.Overall.Number_of_samples"
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-copyts", "-i", path, "-map", "0:v:0", "-vsync", "passthrough",
                    "-vf", f"settb=1/1000000,signalstats,metadata=print:key={luma}:file={folder}/pictures",
                    "-f", "null", "-", "-map", "0:a:0", "-af", "aformat=s16:cl=mono,astats=metadata=1:reset=1:"
                    "measure_perchannel=none:measure_overall=Number_of_samples,"
                    f"ametadata=print:key={number}:file={folder}/frames", f"{folder}/sound.wav"], check=True)
    with wave.open(f"{folder}/sound.wav") as sound:
        rate = sound.getframerate()
        signal = np.frombuffer(sound.readframes(sound.getnframes()), dtype="<i2").astype(float)
    pictures = [(pts / 1e6, mean) for pts, mean in entries(f"{folder}/pictures", luma)]
    return pictures, [(pts, int(n)) for pts, n in entries(f"{folder}/frames", number)], signal, rate


def measure(path):
    """How long after the flashes the chirps begin, in seconds; None where they are not to be found."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        try:
            pictures, frames, signal, rate = decode(path, folder)
        except subprocess.CalledProcessError:
            return None
    if not pictures or not frames or len(signal) != sum(n for _, n in frames):
        return None
    flashes = [t for (_, before), (t, mean) in zip([(0, 0)] + pictures, pictures) if mean > 180 >= before]
    times = []
    starts = np.cumsum([0] + [n for _, n in frames])
    for at in peaks(signal, rate):
        k = int(np.searchsorted(starts, at, side="right")) - 1
        times.append((frames[k][0] + at - starts[k]) / rate)
    return [t - f for t, f in zip(times, flashes)] if len(flashes) == len(times) else None


def render(source, target):
    run = subprocess.run([os.environ["started"], "render", source, target, "-d", "none", "-y", "-q"],
                         capture_output=True, check=False, timeout=60, stdin=subprocess.DEVNULL)
    return run.returncode, run.stderr.decode(errors="replace").strip()


def compare(name, before, after):
    """What is wrong, in words; empty: nothing."""
    if before is None or after is None:
        return f"{name}: flashes and chirps are not to be found in the {'input' if before is None else 'output'}"
    off = max((y - x for x, y in zip(before, after)), key=abs)
    if os.environ.get("SYNC_SHOW"):
        print(f"# {name}: {1000 * off:+.3f} ms")
    return f"{name}: the sound moves by {1000 * off:+.2f} ms" if abs(off) > MOST else ""


def pair(name):
    clip, out = name.split(">")
    target = f"{clip}-out.{out}"
    status, said = render(clip, target)
    if status:
        return f"{name}: status {status}, {said}"
    wrong = compare(name, measure(clip), measure(target))
    os.unlink(target)
    return wrong


def chain(clip):
    before, path = measure(clip), clip
    for i in range(10):
        target = f"{clip}-{i}.{CHAINS[clip][i % len(CHAINS[clip])]}"
        status, said = render(path, target)
        if status:
            return f"{clip}: generation {i + 1}: status {status}, {said}"
        path = target
        wrong = compare(f"{clip}, generation {i + 1}", before, measure(path))
        if wrong:
            return wrong
    return ""


def main():
    what, parts = sys.argv[1], sys.argv[2:]
    names = {"short": list(SHORT), "pairs": [f"{clip}>{out}" for clip in CLIPS for out in CONTAINERS],
             "chains": list(CHAINS)}[what]
    names = [n for n in names if not parts or any(re.search(p, n) for p in parts)]
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        list(pool.map(make, sorted({n.split(">")[0] for n in names})))
        for i, (name, wrong) in enumerate(zip(names, pool.map(chain if what == "chains" else pair, names)), 1):
            if wrong:
                print("# " + wrong)
            print(f"{'not ok' if wrong else 'ok'} {i} - {name}", flush=True)


main()
