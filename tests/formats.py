"""Writes one frame of noise in many pixel formats, byte by byte, and the md5 lines of its planes.

formats.py WIDTH HEIGHT: for every format NAME.raw and NAME.want (lines FRAME PLANE MD5, as `render INPUT
md5:` prints them), and a line "NAME OURS" on stdout: the format that runnel has to compute in."""
import hashlib  # SPDX-License-Identifier: MIT
import sys

import numpy as np

W, H = int(sys.argv[1]), int(sys.argv[2])
CW, CH = (W + 1) // 2, (H + 1) // 2
random = np.random.default_rng(W * H)


def noise(h=H, w=W, depth=8):
    return random.integers(0, 1 << depth, (h, w)).astype(np.uint16)


def data(a, depth=8, order="<"):
    if a.dtype.kind == "f":
        return a.tobytes()
    return a.astype(np.uint8 if depth == 8 else order + "u2").tobytes()


def emit(name, ours, planes, raw):
    """planes: as runnel has to see them, in its order; raw: the frame as FFmpeg stores it."""
    depth = 8 if planes[0].dtype == np.uint8 else 16
    with open(name + ".raw", "wb") as f:
        f.write(raw)
    with open(name + ".want", "w") as f:
        for p, plane in enumerate(planes):
            f.write(f"0 {p} {hashlib.md5(data(plane, depth)).hexdigest()}\n")
    print(name, ours)


def as_type(planes, depth):
    return [p.astype(np.uint8 if depth == 8 else np.uint16) for p in planes]


def chroma(sub):
    return {"420": (CH, CW), "422": (H, CW), "444": (H, W)}[sub]


def planar():
    for name, shapes, depth, order in [
            ("yuv420p", "420", 8, "<"), ("yuv422p", "422", 8, "<"), ("yuv444p", "444", 8, "<"),
            ("yuv420p10le", "420", 10, "<"), ("yuv422p10be", "422", 10, ">"),
            ("yuv444p12be", "444", 12, ">"), ("yuv420p16be", "420", 16, ">"),
            ("yuva420p", "420", 8, "<"), ("yuva422p", "422", 8, "<"),
            ("yuva444p10be", "444", 10, ">"), ("yuva444p16le", "444", 16, "<"),
            ("gbrp", "444", 8, "<"), ("gbrap", "444", 8, "<"), ("gbrp10be", "444", 10, ">"),
            ("gbrap12le", "444", 12, "<"), ("gbrp16be", "444", 16, ">"), ("gbrap16be", "444", 16, ">"),
            ("gray", None, 8, "<"), ("gray10le", None, 10, "<"), ("gray12be", None, 12, ">"),
            ("gray14le", None, 14, "<"), ("gray16le", None, 16, "<"), ("gray16be", None, 16, ">")]:
        planes = [noise(depth=depth)]
        if shapes:
            planes += [noise(*chroma(shapes), depth) for _ in range(2)]
        if name.startswith(("yuva", "gbrap")):
            planes.append(noise(depth=depth))
        ours = name[:-2] if name.endswith(("le", "be")) else name
        emit(name, ours, as_type(planes, depth), b"".join(data(p, depth, order) for p in planes))


def semi_planar():
    for name, ours, sub, depth, order, swap in [
            ("nv12", "yuv420p", "420", 8, "<", 0), ("nv21", "yuv420p", "420", 8, "<", 1),
            ("nv16", "yuv422p", "422", 8, "<", 0), ("nv24", "yuv444p", "444", 8, "<", 0),
            ("nv42", "yuv444p", "444", 8, "<", 1), ("p010le", "yuv420p10", "420", 10, "<", 0),
            ("p010be", "yuv420p10", "420", 10, ">", 0), ("p016le", "yuv420p16", "420", 16, "<", 0),
            ("p210le", "yuv422p10", "422", 10, "<", 0), ("p410le", "yuv444p10", "444", 10, "<", 0)]:
        y, u, v = noise(depth=depth), noise(*chroma(sub), depth), noise(*chroma(sub), depth)
        shift = 0 if depth == 8 else 16 - depth # the values stand in the high bits
        pairs = np.stack((v, u) if swap else (u, v), 2)
        emit(name, ours, as_type((y, u, v), depth), data(y << shift, depth, order) + data(pairs << shift, depth, order))


def packed_yuv():
    for name, places in [("yuyv422", (0, 1, 3)), ("uyvy422", (1, 0, 2)), ("yvyu422", (0, 3, 1))]:
        y, u, v = noise(), noise(H, CW), noise(H, CW)
        rows = noise(H, 4 * CW) # where the width is odd the last sample of luma belongs to nothing
        rows[:, places[0]::2][:, :W] = y
        rows[:, places[1]::4], rows[:, places[2]::4] = u, v
        emit(name, "yuv422p", as_type((y, u, v), 8), data(rows))
    y, u, v, a = (noise(depth=16) for _ in range(4))
    emit("ayuv64le", "yuva444p16", as_type((y, u, v, a), 16), data(np.stack((a, y, u, v), 2), 16))


def packed_rgb():
    for name, order in [("rgb24", "rgb"), ("bgr24", "bgr"), ("rgba", "rgba"), ("bgra", "bgra"),
                        ("argb", "argb"), ("abgr", "abgr"), ("0rgb", "xrgb"), ("bgr0", "bgrx"),
                        ("rgb48le", "rgb"), ("rgb48be", "rgb"), ("bgr48le", "bgr"),
                        ("rgba64le", "rgba"), ("rgba64be", "rgba"), ("bgra64le", "bgra")]:
        depth = 16 if "48" in name or "64" in name else 8
        planes = {c: noise(depth=depth) for c in "rgbax"}
        ours = ("gbrap" if "a" in order else "gbrp") + ("16" if depth == 16 else "")
        emit(name, ours, as_type([planes[c] for c in ("gbra" if "a" in order else "gbr")], depth),
             data(np.stack([planes[c] for c in order], 2), depth, ">" if name.endswith("be") else "<"))
    for name, bits in [("rgb565le", (5, 6, 5)), ("rgb555le", (5, 5, 5)), ("rgb444le", (4, 4, 4))]:
        r, g, b = (noise(depth=n) for n in bits)
        word = (r << (bits[1] + bits[2])) | (g << bits[2]) | b
        wide = [(v << (8 - n)) | (v >> (2 * n - 8)) for v, n in zip((g, b, r), (bits[1], bits[2], bits[0]))]
        emit(name, "gbrp", as_type(wide, 8), data(word, 16))
    r, g, b = (noise(depth=10).astype(np.uint32) for _ in range(3))
    emit("x2rgb10le", "gbrp10", as_type((g, b, r), 10), (r << 20 | g << 10 | b).astype("<u4").tobytes())


def others():
    y, a = noise(), noise()
    emit("ya8", "graya", as_type((y, a), 8), data(np.stack((y, a), 2)))
    y, a = noise(depth=16), noise(depth=16)
    emit("ya16le", "graya16", as_type((y, a), 16), data(np.stack((y, a), 2), 16))
    emit("ya16be", "graya16", as_type((y, a), 16), data(np.stack((y, a), 2), 16, ">"))
    bits = noise(depth=1).astype(np.uint8)
    emit("monob", "gray", [bits * np.uint8(255)], np.packbits(bits, axis=1).tobytes())
    emit("monow", "gray", [bits * np.uint8(255)], np.packbits(1 - bits, axis=1).tobytes())
    for name, opaque in ("pal8", 1), ("pal8a", 0):
        index, palette = noise(), noise(256, 4).astype(np.uint8) # B G R A
        palette[:, 3] |= 255 * opaque
        b, g, r, a = (palette[index, c] for c in range(4))
        emit(name, "gbrp" if opaque else "gbrap", [g, b, r] + ([] if opaque else [a]), data(index) + palette.tobytes())


def floats():
    """Values in 0..1 and beyond, and what is not a number: as they are."""
    def plane():
        v = noise(depth=16).astype(np.float64) + random.choice([0, 0.3, -0.3], (H, W))
        odd = [-1e9, -0.1, 0, 65535, 65536, 1e9, np.nan]
        v.flat[:len(odd)] = odd[:v.size]
        return (v / 65535).astype("<f4")

    planes = [plane() for _ in range(4)]
    for name, n in ("grayf32", 1), ("gbrpf32", 3), ("gbrapf32", 4):
        for end in "le", "be":
            raw = b"".join(v.astype("<f4" if end == "le" else ">f4").tobytes() for v in planes[:n])
            emit(name + end, name, planes[:n], raw)


for family in planar, semi_planar, packed_yuv, packed_rgb, others, floats:
    family()
