"""The zoo: media of every kind that ffmpeg makes go through `runnel render IN OUT`, and what came out is compared with
what went in: zoo.py FOLDER [PART OF A NAME...]; FOLDER keeps the inputs, of zoo_inputs.py.

Streams, packets, time stamps, tags, dispositions, side data, chapters and, where the output is lossless, pixels:
each difference has to be named on stderr, or the status not to be 0. The verdict on a case (INPUT>OUTPUT) is OK,
NAMED, REFUSED (with a reason), or LIE: a difference unsaid with status 0. The suite fails on lies and refusals;
ZOO_SHOW=1 shows all differences."""
import collections  # SPDX-License-Identifier: MIT
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import zoo_inputs

# Options by the output's name; its last extension names the container.
OPTIONS = {"ffv1.mkv": ["--codec", "ffv1"], "x265.mp4": ["--codec", "libx265"], "x265.mkv": ["--codec", "libx265"]}
SLOW = {"--codec libx265": ["--codec-opts", "preset=ultrafast"]}

# class of difference: what has to stand on stderr for it to be named, and what it is
CLASSES = {
    "refused": ("", "nothing comes out, though something could"),
    "frames": ("missing|damaged|lost|dropped|repeated", "pictures are fewer or more than went in"),
    "times": ("rate|move|repeat|drop|time stamp", "pictures stand at other times, counted from the first"),
    "last": ("duration|last|rate|repeat", "the last picture is shown for another time"),
    "start": ("start|offset", "a file that starts long after 0"),
    "length": ("duration|length|shorter|longer", "the file says another length than its pictures and sound have"),
    "sync": ("sound|audio|sync|drift", "sound begins earlier or later, counted from the first picture"),
    "sound": ("sound|audio", "sound packets are fewer or more, or stand at other times"),
    "subtitles": ("subtitle", "subtitles are fewer or more, stand at other times, or say something else"),
    "missing": ("not copied|left out|dropped", "a stream is not there"),
    "codec": ("convert|encode|becomes", "a stream is in another coding"),
    "codectag": ("tag|hvc1|hev1", "HEVC under another sample entry"),
    "size": ("size|scaled|pad", "pictures of another size"),
    "alpha": ("alpha|yuva|gbrap|rgba|argb|pictures are converted", "transparency is gone"),
    "format": ("pictures are converted|widened|bits", "fewer bits, or coarser colour"),
    "pixels": ("pixel|convert|differ", "other pixels where the coding is lossless"),
    "aspect": ("aspect|shape|SAR", "the pixels' aspect is gone or another"),
    "range": ("range", "full and limited range are confused"),
    "colour": ("colour|primaries|transfer|matrix", "primaries, transfer or matrix are gone or others"),
    "chroma": ("chroma", "the place of the chroma samples is gone or another"),
    "fields": ("field|interlace", "the order of the fields is gone or another"),
    "rotation": ("rotat|turn", "the rotation is gone"),
    "hdr": ("HDR|mastering|light", "mastering display or content light are gone"),
    "stereo": ("stereo", "how two views are packed is gone"), "loop": ("loop|play", "played another number of times"),
    "tags": ("tag|metadata", "the file's tags are gone or others"),
    "streamtags": ("tag|language|title|metadata", "language, title or other tags of a stream are gone"),
    "disposition": ("disposition|default|forced", "dispositions of a stream are gone or others"),
    "chapters": ("chapter", "chapters are gone or others"), "timecode": ("timecode", "the timecode is gone or another"),
    "programs": ("program", "programs are gone or others"),
}
SAME_LANGUAGE = [{"fre", "fra"}, {"ger", "deu"}] # the two sorts of ISO 639-2
STILL = ("gif", "apng", "y4m", "mjpeg") # containers without a place for anything but pictures


def text_of(*command):
    run = subprocess.run(command, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
    return run.stdout.decode(errors="replace")


def told(*options):
    """What ffmpeg says on stderr, in which it decodes or copies to nothing."""
    return subprocess.run(["ffmpeg", "-nostdin", *options, "-f", "null", "-"], capture_output=True, check=False).stderr


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def ratio(text):
    a, _, b = (text or "").replace(":", "/").partition("/")
    try:
        return float(a) / float(b or 1)
    except (ValueError, ZeroDivisionError):
        return None


# ---- what is in a file

SHOWN = ("stream=start_time,duration,nb_frames,index,sample_rate,initial_padding,codec_name,codec_type,"
         "codec_tag_string,width,height,sample_aspect_ratio,pix_fmt,color_range,"
         "color_space,color_transfer,color_primaries,chroma_location,field_order,time_base,side_data_list:"
         "stream_disposition:stream_tags:stream_side_data:format=format_name,duration,start_time:format_tags:"
         "chapter:chapter_tags:program=program_num:program_tags:packet=stream_index,pts_time,dts_time,duration_time,"
         "size,flags,data_hash:frame=media_type,stream_index,best_effort_timestamp_time,pts_time,pkt_duration_time,"
         "duration_time,nb_samples,interlaced_frame,top_field_first,color_range,sample_aspect_ratio:frame_side_data:frame_tags")


def probe(path):
    data = text_of("ffprobe", "-v", "error", "-show_data_hash", "md5", "-show_packets", "-show_frames",
                   "-show_entries", SHOWN, "-show_streams", "-show_chapters", "-show_programs", "-show_format",
                   "-of", "json", path)
    try:
        return File(json.loads(data), path)
    except (ValueError, KeyError):
        return None


class Stream:
    def __init__(self, data):
        self.data = data
        self.index = data.get("index", -1)
        self.codec = data.get("codec_name", "none")
        self.tags = {k.lower(): v for k, v in data.get("tags", {}).items()}
        self.flags = {k for k, v in data.get("disposition", {}).items() if v}
        self.kind = data.get("codec_type", "unknown")
        if self.kind == "video" and "attached_pic" in self.flags or "image" in self.tags.get("mimetype", ""):
            self.kind = "cover"
        self.tick = min(ratio(data.get("time_base")) or 0, 0.01)
        self.packets, self.frames = [], []

    def lead_in_end(self):
        """Of sound: what lies before is only a lead-in, as ffprobe tells from FFmpeg 6 on; else None."""
        padding = int(self.data.get("initial_padding", 0)) if self.kind == "audio" else 0
        first = number(self.packets[0].get("pts_time")) if self.packets else None
        return first + padding / int(self.data["sample_rate"]) if padding and first is not None else None

    def heard(self):
        """Packets but for those that are lead-in or hidden by an edit list, and QuickTime's empty texts."""
        end = self.lead_in_end()
        return [p for p in self.packets if "D" not in p.get("flags", "") and
                not (self.codec == "mov_text" and int(p.get("size", 0)) <= 2) and
                not (end is not None and "pts_time" in p and
                     float(p["pts_time"]) + float(p.get("duration_time", 0)) < end + 0.001)]

    def side_data(self, part):
        first = self.frames[0].get("side_data_list", []) if self.frames else []
        for side in self.data.get("side_data_list", []) + first:
            if part in side.get("side_data_type", ""):
                return {k: v for k, v in side.items() if k != "side_data_type"}
        return None

    def times(self):
        if self.kind == "video":
            times = [number(f.get("best_effort_timestamp_time", f.get("pts_time"))) for f in self.frames]
        else:
            times = [number(p.get("pts_time")) for p in self.heard()]
        return times if times and None not in times else []

    def first_heard(self):
        """The time of the first sample that is not skipped."""
        first = next((t for t in (number(f.get("pts_time")) for f in self.frames) if t is not None), None)
        end = self.lead_in_end()
        return first if None in (first, end) else max(first, end)

    def whole(self):
        """The end that MOV and MP4 have for a track, and Matroska as a tag; None: they do not."""
        if self.container.startswith("mov"):
            start, duration = number(self.data.get("start_time")), number(self.data.get("duration"))
            return start + duration if start is not None and duration else None
        parts = self.tags.get("duration", "").split(":") if self.container.startswith("matroska") else []
        return sum(float(p) * 60 ** (2 - i) for i, p in enumerate(parts)) if len(parts) == 3 else None

    def end(self):
        """Of what is shown or heard last: its end, None where the file does not say."""
        times, whole = self.times(), self.whole() if self.kind == "video" else None
        if times and whole and whole > max(times): # of each picture libavformat guesses it
            return whole
        last = self.frames if self.kind == "video" else self.packets
        duration = number(last[-1].get("pkt_duration_time", last[-1].get("duration_time"))) if last else None
        return times[-1] + duration if times and duration else None


class File:
    def __init__(self, data, path):
        self.data, self.path = data, path
        self.streams = [Stream(s) for s in data["streams"]]
        by_index = {s.index: s for s in self.streams}
        for p in data.get("packets_and_frames", []):
            s = by_index.get(p.get("stream_index"))
            if s and p["type"] == "packet":
                s.packets.append(p)
            elif s and p["type"] == "frame":
                s.frames.append(p)
        self.format = data.get("format", {})
        for s in self.streams:
            s.container = self.format.get("format_name", "")
        self.tags = {k.lower(): v for k, v in self.format.get("tags", {}).items()}
        self.video = next((s for s in self.streams if s.kind == "video"), None)
        if self.video and self.video.tags.get("alpha_mode") == "1": # which FFmpeg's own decoder leaves out
            library = {"vp8": "libvpx", "vp9": "libvpx-vp9"}.get(self.video.codec, self.video.codec)
            shown = told("-c:v", library, "-i", path, "-frames:v", "1", "-vf", "showinfo")
            self.video.data["pix_fmt"] = "yuva420p" if b"fmt:yuva420p" in shown else "yuv420p"

    def of_kind(self, kind):
        return [s for s in self.streams if s.kind == kind and s is not self.video]

    def origin(self):
        times = [number(f.get("best_effort_timestamp_time", f.get("pts_time"))) for f in self.video.frames]
        return min((t for t in times if t is not None), default=0.0)

    def has_in_headers(self, words):
        return words.encode() in told("-i", self.path, "-map", f"0:{self.video.index}", "-c", "copy",
                                      "-bsf:v", "trace_headers")

    def timecode(self):
        return next((t["timecode"] for t in [self.tags] + [s.tags for s in self.streams] if "timecode" in t), None)


# ---- comparing

class Comparison:
    """Differences of an output from its input, each a class and a few words."""

    def __init__(self, case, before, after, out):
        self.case, self.a, self.b, self.out = case, before, after, out
        self.ext = out.rpartition(".")[2]
        self.found = []
        angle, left = (rotation(f.video) if f and f.video else 0 for f in (before, after))
        self.upright = angle and not left # the pixels were turned
        self.across = self.upright and angle % 180 != 0

    def differ(self, what, words):
        self.found.append((what, str(words)))

    def unlike(self, what, name, a, b):
        if a != b:
            self.differ(what, f"{name} {a} -> {b}")

    def all(self):
        if not self.b or not self.b.video:
            self.differ("missing", "video")
            return self.found
        self.pictures()
        self.time()
        self.described()
        self.beside()
        self.whole()
        return self.found

    def pictures(self):
        a, b = self.a.video, self.b.video
        size = (a.data["width"], a.data["height"])
        self.unlike("size", "size", size[::-1] if self.across else size, (b.data["width"], b.data["height"]))
        wanted = int(self.case.truth.get("frames", len(a.frames)))
        self.unlike("frames", "number", wanted, len(b.frames))
        if a.codec == "hevc" == b.codec and a.data["codec_tag_string"] == "hvc1":
            self.unlike("codectag", "tag", "hvc1", b.data["codec_tag_string"])
        if has_alpha(a) and not has_alpha(b):
            self.differ("alpha", f"{a.data.get('pix_fmt')} -> {b.data.get('pix_fmt')}")
        elif coarser(a.data.get("pix_fmt", ""), b.data.get("pix_fmt", "")):
            self.differ("format", f"{a.data.get('pix_fmt')} -> {b.data.get('pix_fmt')}")
        if b.codec == "ffv1" and "cfr" not in self.case.truth:
            fmt = plain(a, b)
            hashes = [pixel_hashes(self.a, fmt, self.upright), pixel_hashes(self.b, fmt)]
            n = sum(x != y for x, y in zip(*hashes))
            if n:
                self.differ("pixels", f"{n} of {len(hashes[0])} pictures")

    def time(self):
        a, b = self.a.video, self.b.video
        old, new = sorted(a.times()), sorted(b.times())
        if "cfr" in self.case.truth:
            old = [k / float(self.case.truth["cfr"]) for k in range(int(self.case.truth["frames"]))]
        slack = max(a.tick, b.tick, 1e-6) * 1.01
        if old and len(old) == len(new):
            off = max((abs((x - old[0]) - (y - new[0])) for x, y in zip(old, new)), default=0)
            if off > slack:
                self.differ("times", f"up to {off:.4f} s")
            ends = a.end(), b.end()
            if None not in ends and "cfr" not in self.case.truth and not self.a.path.endswith("pg"):
                late = abs((ends[0] - max(a.times())) - (ends[1] - max(b.times())))
                if late > slack + 0.001:
                    self.differ("last", f"{ends[0] - old[-1]:.4f} -> {ends[1] - new[-1]:.4f} s")
        start = number(self.b.format.get("start_time")) or 0
        if start > 10 and self.ext not in ("ts", "m2ts"):
            self.differ("start", f"{start:.3f} s")
        ends = [s.end() for s in self.b.streams if s.kind in ("video", "audio")]
        says = number(self.b.format.get("duration"))
        if says and self.ext == "avi": # of sound libavformat reads how long it lasts and goes by the pictures
            says = max([says] + [int(s.data["nb_frames"]) * (ratio(s.data.get("time_base")) or 0)
                                 for s in self.b.streams if s.data.get("nb_frames", "").isdigit()])
        if says and new and ends and None not in ends:
            begin = min([new[0]] + [s.times()[0] for s in self.b.of_kind("audio") if s.times()])
            has = max(ends) - min(begin, 0 if self.ext in ("mp4", "mov", "mkv", "webm", "flv", "avi") else begin)
            if abs(says - has) > 0.15:
                self.differ("length", f"says {says:.3f}, has {has:.3f} s")

    def described(self):
        a, b = self.a.video, self.b.video
        x, y = (shape(s) for s in (a, b))
        x = 1 / x if self.across else x
        if abs(x - y) > x * max(0.002, 0.6 / b.data["width"]): # WebM and GIF count whole pixels
            self.differ("aspect", f"{x:.4f} -> {y:.4f}")
        if not is_rgb(a.data.get("pix_fmt", "")) and not is_rgb(b.data.get("pix_fmt", "")):
            self.unlike("range", "range", full(a), full(b))
            for key, what in (("color_space", "colour"), ("color_primaries", "colour"), ("color_transfer", "colour"),
                              ("chroma_location", "chroma")):
                if a.data.get(key) not in (None, "unknown", "unspecified"):
                    same = {a.data[key], b.data.get(key)} <= {"bt470bg", "smpte170m"} # one matrix, two names
                    if not same and (key != "chroma_location" or a.data[key] != "left"):
                        self.unlike(what, key, a.data[key], b.data.get(key))
        self.unlike("fields", "order", fields(a), fields(b))
        if not self.upright:
            self.unlike("rotation", "degrees", rotation(a), rotation(b))
        for part, what in (("Mastering", "hdr"), ("Content light", "hdr"), ("Stereo", "stereo")):
            if a.side_data(part):
                if b.codec == "h264" and self.ext == "ts": # where FFmpeg reads it from 6.0 on
                    if not self.b.has_in_headers({"Mastering": "Mastering Display", "Content light": "Content Light",
                                                  "Stereo": "Frame Packing"}[part]):
                        self.differ(what, f"{part} is gone")
                elif values(a.side_data(part)) != values(b.side_data(part) or {}):
                    self.differ(what, f"{part} {'changed' if b.side_data(part) else 'is gone'}")
        if self.ext in ("gif", "apng") and self.a.path.endswith(("gif", "png")):
            self.unlike("loop", "plays", plays(self.a.path), plays(self.b.path))
        self.stream_tags(a, b)

    def beside(self):
        for kind in ("video", "audio", "subtitle", "cover", "attachment", "data"):
            old, new = self.a.of_kind(kind), self.b.of_kind(kind)
            if kind == "data": # chapters and timecodes of QuickTime stand in tracks of their own
                old = [s for s in old if s.data.get("codec_tag_string") not in ("tmcd", "text")]
                new = new[:len(old)]
            for s in old[len(new):]:
                self.differ("missing", f"{kind} {s.codec}")
            for x, y in zip(old, new):
                self.stream(kind, x, y)

    def stream(self, kind, x, y):
        same = x.codec == y.codec
        if not same and kind != "cover" and {x.codec, y.codec} != {"mp2", "mp3"}: # of one name in MP4
            self.differ("codec", f"{x.codec} -> {y.codec}")
        self.stream_tags(x, y)
        if kind not in ("audio", "subtitle") or "cfr" in self.case.truth:
            return
        zero = self.a.origin(), self.b.origin()
        what = {"audio": "sound", "subtitle": "subtitles"}[kind]
        old, new = x.times(), y.times()
        slack = (max(x.tick, y.tick) + max(self.a.video.tick, self.b.video.tick)) * 1.01
        if old and len(new) > len(old) and len(x.packets) > len(x.heard()): # its lead-in
            new = [t for t in new if t - zero[1] >= old[0] - zero[0] - max(slack, 0.001)]
        if new and len(old) > len(new) and len(y.packets) > len(y.heard()): # told now
            old = [t for t in old if t - zero[0] >= new[0] - zero[1] - 0.002]
        filled = 0
        if kind == "audio" and x.first_heard() is not None and y.first_heard() is not None:
            off = (y.first_heard() - zero[1]) - (x.first_heard() - zero[0])
            if self.ext == "avi" and y.codec.startswith("pcm"): # what begins later begins with silence
                filled = max(0, -off)
            if same and old and new: # a lead-in is told or not
                off = min(off, (new[0] - zero[1]) - (old[0] - zero[0]), key=abs)
            lead = 0 if same else 0.05 # of the encoder; tests/sync.py listens
            if not -max(slack, 0.001, lead, filled * 1.001) <= off <= max(slack, 0.001):
                self.differ("sync", f"{off:+.4f} s")
        cut_up = x.codec.startswith(("pcm", "adpcm"))
        if kind == "audio" and (cut_up or not same):
            counts = [sum(f.get("nb_samples", 0) for f in s.frames) for s in (x, y)]
            rates = [int(s.data.get("sample_rate", 1)) for s in (x, y)]
            counts = [counts[0] * rates[1] // rates[0], round(counts[1] - filled * rates[1])]
            if abs(counts[0] - counts[1]) > (filled and slack * rates[1] if same else 4096):
                self.differ(what, f"{counts[0]} -> {counts[1]} samples")
            return
        if old and new:
            self.unlike(what, "packets", len(old), len(new))
        if len(old) == len(new) and old:
            off = max(abs((p - old[0]) - (q - new[0])) for p, q in zip(old, new))
            if off > max(slack, 0.001):
                self.differ(what, f"times by up to {off:.4f} s")
        if kind == "subtitle" and same:
            self.unlike(what, "text", *([p.get("data_hash") for p in s.heard()] for s in (x, y)))

    def stream_tags(self, x, y):
        skip = ("encoder", "handler_name", "vendor_id", "duration", "timecode", "filename", "mimetype", "rotate",
                "variant_bitrate", "creation_time", "alpha_mode", "stereo_mode", "loop", "file_package_umid")
        for key, value in x.tags.items():
            if key.startswith(("bps", "number_of_", "_statistics", "duration", "id3v2_priv")) or key in skip:
                continue
            if key == "language" and {value, y.tags.get(key)} in SAME_LANGUAGE:
                continue
            if key == "title" and self.ext in ("mp4", "mov") and y.tags.get("handler_name") == value:
                continue
            if not (key == "language" and value == "und"):
                self.unlike("streamtags", f"{x.kind} {key}", value, y.tags.get(key))
        implied = {"default", "attached_pic", "timed_thumbnails"}
        implied |= {"captions"} if "hearing_impaired" in x.flags & y.flags else set()
        implied |= {"descriptions"} if "visual_impaired" in x.flags & y.flags else set()
        lost = (x.flags - y.flags) - implied
        new = (y.flags - x.flags) - implied
        if lost or new:
            self.differ("disposition", f"{x.kind} -{sorted(lost)} +{sorted(new)}")

    def whole(self):
        skip = ("encoder", "major_brand", "minor_version", "compatible_brands", "timecode", "duration")
        own = {"ts": ("service_name", "service_provider")}.get(self.a.path.rpartition(".")[2], ())
        mxf = self.a.path.endswith(("mxf", "wtv"))
        held = dict(self.b.tags)
        for s in self.b.streams if self.ext == "ogv" else []: # whose streams have them, each all
            held.update(s.tags)
        for key, value in self.a.tags.items():
            if key == "creation_time":
                value = value.replace(".000000", "")
            technical = key.startswith(("wm/", "wmfsdk", "isvbr", "devicecon", "metadatac"))
            if key not in skip + own and not technical and not mxf:
                self.unlike("tags", key, value, held.get(key, "gone").replace(".000000", ""))
        if self.a.timecode():
            self.unlike("timecode", "timecode", self.a.timecode(), self.b.timecode())
        chapters = [[(round(float(c["start_time"]), 2), c.get("tags", {}).get("title"))
                     for c in f.data.get("chapters", [])] for f in (self.a, self.b)]
        self.unlike("chapters", "chapters", *chapters)
        programs = [len(f.data.get("programs", [])) for f in (self.a, self.b)]
        if programs[0] > 1:
            self.unlike("programs", "number", *programs)


def has_alpha(s):
    return bool(re.match(r"yuva|gbrap|rgba|bgra|argb|abgr|ya8|ya16", s.data.get("pix_fmt", "")))


def coarser(a, b):
    """Whether b holds less than a of what pixel formats hold: bits and chroma."""
    def measure(fmt):
        deep = re.search(r"(?:p|y|gray|a)(9|1[0246])(?:le|be)?$", fmt)
        depth = int(deep.group(1)) if deep else 16 if re.search(r"48|64", fmt) else 8
        depth = max(depth, 10 if fmt in ("v210", "x2rgb10le", "p010le") else 0)
        if fmt.startswith("gray"):
            return depth, 0, 0
        if is_rgb(fmt) or "444" in fmt:
            return depth, 2, int(is_rgb(fmt))
        return depth, 1 if re.search(r"422|uyvy|yuyv|nv16", fmt) else 0, 0
    x, y = measure(a), measure(b)
    return any(q < p for p, q in zip(x, y)) or b.startswith("gray") and not a.startswith("gray")


def is_rgb(fmt):
    return bool(re.match(r"gbr|rgb|bgr|argb|abgr|pal8|0rgb|0bgr", fmt))


def values(side):
    """Of side data, whichever denominators stand there."""
    return {k: round(ratio(str(v)) or 0, 4) if re.fullmatch(r"[\d/]+", str(v)) else v for k, v in side.items()}


def rotation(s):
    return int((s.side_data("Display Matrix") or {}).get("rotation", 0))


def shape(s):
    shapes = [ratio(of.get("sample_aspect_ratio")) for of in [s.data] + s.frames[:1]]
    return next(filter(None, shapes), 1.0)


def full(s):
    own = s.data.get("color_range") or (s.frames[0].get("color_range") if s.frames else None)
    return own == "pc" or s.data.get("pix_fmt", "").startswith("yuvj")


def fields(s):
    """top, bottom (the first field) or progressive, by the first picture."""
    if not s.frames or not s.frames[0].get("interlaced_frame"):
        return {"tt": "top", "tb": "top", "bb": "bottom", "bt": "bottom"}.get(s.data.get("field_order"), "progressive")
    return "top" if s.frames[0].get("top_field_first") else "bottom"


def plays(path):
    data = open(path, "rb").read()
    if data[:3] == b"GIF":
        at = data.find(b"NETSCAPE2.0\x03\x01")
        loops = int.from_bytes(data[at + 13:at + 15], "little") if at >= 0 else -1
        return "for ever" if loops == 0 else loops + 1 if loops > 0 else 1
    at = data.find(b"acTL")
    n = int.from_bytes(data[at + 8:at + 12], "big") if at >= 0 else 1
    return n or "for ever"


def plain(a, b):
    """The format to compare in: what the output has, where FFmpeg's conversion changes nothing."""
    fmt = b.data["pix_fmt"]
    if is_rgb(a.data.get("pix_fmt", "")) or is_rgb(fmt):
        return ("rgba64le" if has_alpha(a) else "rgb48le") if re.search("48|64|1[0246]", fmt) else \
            "rgba" if has_alpha(a) else "rgb24"
    if full(a) and re.fullmatch("yuvj?4[24][024]p", fmt):
        return "yuvj" + fmt[-4:]
    return fmt


def pixel_hashes(file, fmt, upright=False):
    library = {"vp8": ["-c:v", "libvpx"], "vp9": ["-c:v", "libvpx-vp9"]}.get(file.video.codec, [])
    library = library if has_alpha(file.video) else []
    out = text_of("ffmpeg", "-v", "error", "-nostdin", *([] if upright else ["-noautorotate"]), *library, "-i", file.path, "-map",
                  f"0:{file.video.index}", "-vsync", "passthrough", "-pix_fmt", fmt, "-sws_flags",
                  "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact", "-f", "framemd5", "-")
    return [line.split(",")[-1].strip() for line in out.splitlines() if not line.startswith("#")]


# ---- the cases

class Verdict:
    def __init__(self, name):
        self.name = name
        self.lies = {}    # class: words
        self.kind = "OK"
        self.words = ""


def render(runnel, case, out, folder):
    options = OPTIONS.get(out, [])
    options = options + SLOW.get(" ".join(options), [])
    target = os.path.join(folder, "out." + out)
    command = [runnel, "render", case.path, target, "-d", "none", "-y", *options]
    try:
        run = subprocess.run(command, capture_output=True, timeout=120, check=False, stdin=subprocess.DEVNULL)
        return target, run.returncode, run.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return target, 124, "does not end"


def judge(runnel, case, before, out):
    v = Verdict(f"{case.name}>{out}")
    with tempfile.TemporaryDirectory() as folder:
        target, status, said = render(runnel, case, out, folder)
        if not os.path.exists(target):
            v.kind, v.words = "REFUSED", next((l for l in said.splitlines() if "error" in l), "")
            if status not in (2, 3, 4, 6) or not v.words:
                v.kind, v.lies = "LIE", {"refused": f"status {status}, {said[-200:]}"}
            return v
        if status not in (0, 6):
            v.kind, v.lies = "LIE", {"refused": f"status {status} and an output, {said[-200:]}"}
            return v
        found = Comparison(case, before, probe(target), out).all()
    messages = "\n".join(l for l in said.splitlines() if l.startswith("runnel:") and not re.search(r"fps, .*took", l))
    for what, words in found:
        named = re.search(CLASSES[what][0], messages) or status == 6 and what in ("frames", "times", "sound", "length",
                                                                                   "sync", "last", "subtitles")
        if named and v.kind == "OK":
            v.kind, v.words = "NAMED", f"{what}: {words}"
        elif not named:
            v.kind = "LIE"
            v.lies.setdefault(what, words)
    return v


def run_case(runnel, name, make, ends):
    if time.monotonic() > ends:
        return name, None, None
    case = make()
    if not case:
        return name, None, []
    before = probe(case.path)
    if not before or not before.video:
        return name, case, [Verdict(name)]
    verdicts = []
    for out in case.outputs:
        try:
            verdicts.append(judge(runnel, case, before, out))
        except Exception as e: # a bug of this file shows as a lie of its case, not as no result
            v = Verdict(f"{name}>{out}")
            v.kind, v.lies = "LIE", {"refused": f"the comparison failed: {e!r}"}
            verdicts.append(v)
    return name, case, verdicts


def main():
    folder, parts = sys.argv[1], sys.argv[2:]
    runnel = os.environ["RUNNEL"]
    os.nice(5)
    maker = zoo_inputs.Maker(folder)
    todo = [(name, make) for name, make in zoo_inputs.planned(maker)
            if not parts or any(re.fullmatch(p, name) for p in parts)]
    classes, count, tests = collections.Counter(), collections.Counter(), 0
    ends = time.monotonic() + float(os.environ.get("ZOO_SECONDS", 540)) # what fits into the limit of a suite
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for name, case, verdicts in pool.map(lambda job: run_case(runnel, *job, ends), todo):
            tests += 1
            if verdicts is None:
                print(f"ok {tests} - {name} # SKIP no time left (ZOO_SECONDS)", flush=True)
                continue
            if not case:
                print(f"ok {tests} - {name} # SKIP this ffmpeg does not make it", flush=True)
                continue
            wrong = []
            for v in verdicts:
                count[v.kind] += 1
                got = set(v.lies) | ({"refused"} if v.kind == "REFUSED" else set())
                classes.update(got)
                wrong += [f"{v.name}: {what}: {v.lies.get(what, v.words)}" for what in got]
                if os.environ.get("ZOO_SHOW"):
                    print(f"# {v.kind} {v.name} {v.words} {v.lies or ''}")
            for line in wrong:
                print("# " + line)
            print(f"{'not ok' if wrong else 'ok'} {tests} - {name}", flush=True)
    print("# " + ", ".join(f"{n} {kind}" for kind, n in sorted(count.items())))
    print("# by class: " + ", ".join(f"{what} {n}" for what, n in sorted(classes.items())))


main()
