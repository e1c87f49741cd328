"""Writes DICOM files byte by byte: dicom.write(path, pixels, **options); explicit VR, little endian.

pixels: (h, w) or (frames, h, w), with colour (..., 3); of 8, 16 or 32 bits, as they are stored; of 1 bit: bool.
packed: as RLE Lossless, in so many fragments for each frame. tags: more elements, (group, element, vr, value);
the value of a sequence is a list of lists of elements."""
import struct  # SPDX-License-Identifier: MIT
import zlib

import numpy as np

LONG = {"OB", "OF", "OV", "OW", "SQ", "UN", "UT"}
PACKED = {"US": "<H", "SS": "<h", "UL": "<I", "FD": "<d"}


def element(group, number, vr, value):
    if vr in PACKED:
        data = b"".join(struct.pack(PACKED[vr], v) for v in np.atleast_1d(value))
    elif vr == "SQ":
        items = [b"".join(element(*tag) for tag in sorted(item, key=lambda tag: tag[:2])) for item in value]
        data = b"".join(struct.pack("<HHI", 0xFFFE, 0xE000, len(item)) + item for item in items)
    elif isinstance(value, bytes):
        data = value
    else:
        data = str(value).encode()
    data += (b"\0" if vr in ("UI", "OB") else b" ") * (len(data) % 2)
    head = struct.pack("<HH2s", group, number, vr.encode())
    return head + (struct.pack("<HI", 0, len(data)) if vr in LONG else struct.pack("<H", len(data))) + data


def listed(values):
    return "\\".join(f"{v:g}" for v in values)


def place(position, orientation=(1, 0, 0, 0, 1, 0)):
    return [(0x20, 0x32, "DS", listed(position)), (0x20, 0x37, "DS", listed(orientation))]


def rescaled(slope, intercept, unit=None):
    tags = [(0x28, 0x1052, "DS", f"{intercept:.10g}"), (0x28, 0x1053, "DS", f"{slope:.10g}")]
    return tags + ([(0x28, 0x1054, "LO", unit)] if unit else [])


def rle(frame):
    """A frame as RLE Lossless: one segment for each byte of a sample and colour, the highest first."""
    samples = frame.reshape(frame.shape[0] * frame.shape[1], -1)
    planes = [samples[:, c].astype(samples.dtype.newbyteorder(">")).tobytes() for c in range(samples.shape[1])]
    size, segments, n = samples.dtype.itemsize, [], len(samples)
    for plane in planes:
        for b in range(size):
            data = plane[b::size]
            if data == data[:1] * n:
                packed = (b"\x81" + data[:1]) * (n // 128) # 128 times the same
                packed += bytes([n % 128 - 1]) + data[:n % 128] if n % 128 else b""
            else:
                packed = b"".join(bytes([len(data[i:i + 128]) - 1]) + data[i:i + 128] for i in range(0, n, 128))
            segments.append(packed + b"\0" * (len(packed) % 2))
    starts = [64 + sum(map(len, segments[:i])) for i in range(len(segments))]
    head = struct.pack("<16I", len(segments), *starts, *[0] * (15 - len(segments)))
    return head + b"".join(segments)


def encapsulated(frames, parts, table=None):
    """Compressed frames as the value of Pixel Data, each of one fragment; or of parts, and a table of them.
    table: other offsets than theirs; () = none."""
    cut = [[f[i * (len(f) // parts // 2 * 2):(i + 1) * (len(f) // parts // 2 * 2) if i + 1 < parts else len(f)]
            for i in range(parts)] for f in frames]
    if table is None:
        table = offsets(cut) if parts > 1 else ()
    items = [struct.pack(f"<{len(table)}I", *table)] + sum(cut, [])
    return b"".join(struct.pack("<HHI", 0xFFFE, 0xE000, len(f)) + f for f in items) + SEQUENCE_END


SEQUENCE_END = struct.pack("<HHI", 0xFFFE, 0xE0DD, 0)


def offsets(frames):
    """Where each frame begins, which is a list of fragments."""
    sizes = [sum(8 + len(part) for part in f) for f in frames]
    return [sum(sizes[:i]) for i in range(len(sizes))]


def unpack(path):
    """A file of compressed frames, each of one fragment: what stands before their items, and the frames."""
    data = open(path, "rb").read()
    at = data.rindex(struct.pack("<HH2sHI", 0x7FE0, 0x10, b"OB", 0, 0xFFFFFFFF)) + 12
    head, items = data[:at], []
    while data[at:at + 8] != SEQUENCE_END:
        length = struct.unpack("<I", data[at + 4:at + 8])[0]
        items.append(data[at + 8:at + 8 + length])
        at += 8 + length
    return head, items[1:]


def pack(path, head, frames, parts=1, table=None, extended=None):
    """Writes what unpack has read. extended: offsets for the Extended Offset Table, and lengths."""
    with open(path, "wb") as f:
        if extended:
            f.write(head[:-12] + b"".join(element(0x7FE0, number, "OV", struct.pack(f"<{len(v)}Q", *v))
                                          for number, v in zip((1, 2), extended)) + head[-12:])
        else:
            f.write(head)
        f.write(encapsulated(frames, parts, table))


RLE = "1.2.840.10008.1.2.5"
DEFLATED = "1.2.840.10008.1.2.1.99"


def save(path, tags, kind="1.2.840.10008.5.1.4.1.1.7", syntax="1.2.840.10008.1.2.1", frames=None, parts=1):
    meta = element(2, 1, "OB", b"\0\1") + element(2, 2, "UI", kind)
    meta += element(2, 3, "UI", "1.2.3.4.5") + element(2, 0x10, "UI", syntax)
    meta += element(2, 0x12, "UI", "1.2.3.4.6")
    with open(path, "wb") as f:
        f.write(bytes(128) + b"DICM" + element(2, 0, "UL", len(meta)) + meta)
        body = b"".join(element(*tag) for tag in sorted(tags, key=lambda tag: tag[:2]))
        if syntax == DEFLATED:
            packer = zlib.compressobj(1, wbits=-15)
            body = packer.compress(body) + packer.flush()
        f.write(body)
        if frames:
            f.write(struct.pack("<HH2sHI", 0x7FE0, 0x10, b"OB", 0, 0xFFFFFFFF) + encapsulated(frames, parts))


def directory(path, names):
    save(path, [(4, 0x1220, "SQ", [[(4, 0x1430, "CS", "IMAGE"), (4, 0x1500, "CS", n)] for n in names])],
         "1.2.840.10008.1.3.10")


def write(path, pixels, bits=None, high=None, signed=False, photometric=None, rescale=None, position=None,
          orientation=(1, 0, 0, 0, 1, 0), number=None, series="1.2.3.4", spacing=None, frames=None,
          planar=0, instance=None, modality="OT", kind="1.2.840.10008.5.1.4.1.1.7", packed=False, tags=(),
          syntax="1.2.840.10008.1.2.1"):
    colour = photometric == "RGB" or (photometric or "").startswith("YBR")
    single = pixels.dtype == bool
    allocated = 1 if single else 8 * pixels.dtype.itemsize
    if frames is None:
        frames = pixels.shape[0] if pixels.ndim > 2 + colour else 1
    h, w = pixels.shape[-2 - colour:][:2]
    stored = bits or allocated
    data = np.packbits(pixels, bitorder="little") if single else pixels.astype(pixels.dtype.newbyteorder("<"))
    instance = instance or f"1.2.3.4.{zlib.crc32(path.encode())}"
    tags = list(tags)
    tags += [(0x8, 0x16, "UI", kind), (0x8, 0x18, "UI", instance),
             (0x8, 0x60, "CS", modality), (0x20, 0xD, "UI", "1.2.3"), (0x20, 0xE, "UI", series),
             (0x28, 0x2, "US", 3 if colour else 1), (0x28, 0x4, "CS", photometric or "MONOCHROME2"),
             (0x28, 0x10, "US", h), (0x28, 0x11, "US", w), (0x28, 0x100, "US", allocated),
             (0x28, 0x101, "US", stored), (0x28, 0x102, "US", stored - 1 if high is None else high),
             (0x28, 0x103, "US", int(signed))]
    if not packed:
        tags.append((0x7FE0, 0x10, "OB" if allocated <= 8 else "OW", data.tobytes()))
    if colour:
        tags.append((0x28, 0x6, "US", planar))
    if frames > 1:
        tags.append((0x28, 0x8, "IS", frames))
    if rescale:
        tags += rescaled(*rescale)
    if position is not None:
        tags += place(position, orientation)
    if number is not None:
        tags.append((0x20, 0x13, "IS", number))
    if spacing:
        tags.append((0x28, 0x30, "DS", listed(spacing)))
    each = pixels if pixels.ndim > 2 + colour else [pixels]
    save(path, tags, kind, RLE if packed else syntax, [rle(f) for f in each] if packed else None, int(packed))
