"""Writes TIFF files byte by byte: tiff.write(path, pages, **options); a page is an array."""
import hashlib  # SPDX-License-Identifier: MIT
import struct
import zlib

import numpy as np

SIZE = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 12: 8, 16: 8}


def pack_bits(rows, bits):
    """Rows of samples of less than 8 or other than whole bytes, highest bit first."""
    rows = rows.reshape(rows.shape[0], -1).astype(np.uint32)
    each = (rows[:, :, None] >> np.arange(bits - 1, -1, -1)) & 1
    return np.packbits(each.reshape(rows.shape[0], -1).astype(np.uint8), axis=1).tobytes()


def samples(block, bits, endian):
    if bits in (8, 16, 32, 64):
        return block.astype(block.dtype.newbyteorder(endian)).tobytes()
    return pack_bits(block, bits)


def blocks(page, tile, rows, separate):
    planes = [page[:, :, c:c + 1] for c in range(page.shape[2])] if separate else [page]
    for plane in planes:
        if not tile:
            for y in range(0, plane.shape[0], rows):
                yield plane[y:y + rows]
            continue
        for y in range(0, plane.shape[0], tile):
            for x in range(0, plane.shape[1], tile):
                part = plane[y:y + tile, x:x + tile]
                full = np.zeros((tile, tile, plane.shape[2]), plane.dtype)
                full[:part.shape[0], :part.shape[1]] = part
                yield full


def write(path, pages, endian='<', big=False, tile=0, rows=8, separate=False, bits=0,
          photometric=None, extra=None, palette=None, sample_format=None, subtype=None,
          deflate=False, predictor=1):
    word = 'Q' if big else 'I'
    out = bytearray((b'II' if endian == '<' else b'MM') +
                    struct.pack(endian + ('HHHQ' if big else 'HI'), *((43, 8, 0, 0) if big else (42, 0))))
    link = 8 if big else 4
    for number, page in enumerate(pages):
        page = page if page.ndim == 3 else page[:, :, None]
        depth = bits or page.dtype.itemsize * 8
        offsets, counts = [], []
        for block in blocks(page, tile, rows, separate):
            if predictor == 2: # differences from the sample to the left
                block = np.diff(block, axis=1, prepend=block.dtype.type(0))
            data = samples(block, depth, endian)
            if deflate:
                data = zlib.compress(data)
            offsets.append(len(out))
            counts.append(len(data))
            out += data + b'\0' * (len(data) % 2)
        h, w, n = page.shape
        tags = [(256, 4, [w]), (257, 4, [h]), (258, 3, [depth] * n), (259, 3, [8 if deflate else 1]),
                (262, 3, [photometric if photometric is not None else 2 if n >= 3 else 1]),
                (277, 3, [n]), (284, 3, [2 if separate else 1])]
        where = (324, 325) if tile else (273, 279)
        tags += [(where[0], 16 if big else 4, offsets), (where[1], 4, counts)]
        tags += [(322, 3, [tile]), (323, 3, [tile])] if tile else [(278, 3, [rows])]
        tags += [(317, 3, [predictor])] if predictor != 1 else []
        tags += [(338, 3, [extra])] if extra is not None else []
        tags += [(320, 3, palette)] if palette is not None else []
        tags += [(339, 3, [sample_format] * n)] if sample_format else []
        tags += [(254, 4, [subtype[number]])] if subtype else []
        entries = b''
        for tag, kind, values in sorted(tags):
            code = {3: 'H', 4: 'I', 16: 'Q'}[kind]
            data = struct.pack(endian + code * len(values), *values)
            if len(data) > (8 if big else 4):
                offset = len(out)
                out += data + b'\0' * (len(data) % 2)
                data = struct.pack(endian + word, offset)
            entries += struct.pack(endian + 'HH' + word, tag, kind, len(values))
            entries += data.ljust(8 if big else 4, b'\0')
        struct.pack_into(endian + word, out, link, len(out))
        out += struct.pack(endian + ('Q' if big else 'H'), len(tags)) + entries
        link = len(out)
        out += b'\0' * (8 if big else 4)
    open(path, 'wb').write(out)


def noise(seed, shape, dtype=np.uint16, most=None):
    rng = np.random.default_rng(seed)
    return rng.integers(0, (most or np.iinfo(dtype).max) + 1, shape).astype(dtype)


def md5_lines(frames):
    """What `render ... md5:` prints of arrays (h, w) or, in red, green and blue, (h, w, 3)."""
    lines = []
    for i, frame in enumerate(frames):
        for p, plane in enumerate([frame] if frame.ndim == 2 else [frame[..., c] for c in (1, 2, 0)]):
            plane = np.ascontiguousarray(plane, plane.dtype.newbyteorder("<"))
            lines.append(f"{i} {p} {hashlib.md5(plane.tobytes()).hexdigest()}\n")
    return lines
