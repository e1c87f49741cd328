# Files of a few bytes that claim much, and files whose parts are very many: made in the current folder, a third read by
# `info`, a third by `render`, with WHOLE=1 all by both, which have to end by themselves, in one line if they refuse, within 512 MB and 10 s
# of a processor. With "long" those that take seconds; with a device in DEVICE, `render` uses it.
import bz2, os, resource, struct, sys, tempfile, zlib  # SPDX-License-Identifier: MIT

MOST = 512 << 10 # KiB
SIDE = 16000

def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

def png(w, h, *extra, idat=None, depth=8, colour=2):
    idat = zlib.compress(b'') if idat is None else idat
    head = chunk(b'IHDR', struct.pack('>IIBBBBB', w, h, depth, colour, 0, 0, 0))
    return b'\x89PNG\r\n\x1a\n' + head + b''.join(extra) + chunk(b'IDAT', idat) + chunk(b'IEND', b'')

def deflated(data): # what may stand before and behind others
    c = zlib.compressobj(9, wbits=-15)
    return c.compress(data) + c.flush(zlib.Z_FULL_FLUSH)

ZEROS = deflated(bytes(16 << 20))

def flood(n, before=b'', head=b'\x1f\x8b\x08\0\0\0\0\0\0\3'): # n zeros behind some bytes
    return head + deflated(before) + ZEROS * (n >> 24) + b'\3\0' + bytes(8)

def zeros(n): # deflated
    return flood(n, b'', b'\x78\xda')[:-8] + struct.pack('>I', n % 65521 << 16 | 1)

def small(*extra):
    return png(8, 8, *extra, idat=zlib.compress(bytes(8 * 25)))

def gif(w, h):
    return (b'GIF89a' + struct.pack('<HHBBB', w, h, 0x80, 0, 0) + bytes(6) + b'\x21\xf9\x04\0\4\0\0\0\x2c' +
            struct.pack('<HHHHB', 0, 0, 1, 1, 0) + b'\2\2\x44\1\0;')

def bmp(w, h, compression, bits):
    return b'BM' + struct.pack('<IHHIIiiHHIIiiII', 154, 0, 0, 54, 40, w, h, 1, bits, compression, *[0] * 5) + bytes(100)

def tiff(w, h, *more, compression=1):
    tags = [(256, 4, 1, w), (257, 4, 1, h), (258, 3, 1, 8), (259, 3, 1, compression), (262, 3, 1, 1), (273, 4, 1, 8),
            (277, 3, 1, 1), (278, 4, 1, h), (279, 4, 1, 8)]
    tags = sorted(tags + list(more))
    return struct.pack('<2sHIH', b'II', 42, 8, len(tags)) + b''.join(struct.pack('<HHII', *t) for t in tags) + bytes(4)

def pages(n):
    page = tiff(1, 1)[8:-4]
    return tiff(1, 1)[:8] + b''.join(page + struct.pack('<I', i * (len(page) + 4) + 8) for i in range(1, n)) + page + bytes(4)

def jpeg(w, h):
    table = b'\xff\xc4' + struct.pack('>H', 20)
    return (b'\xff\xd8\xff\xdb' + struct.pack('>HB', 67, 0) + bytes([1] * 64) + b'\xff\xc0' +
            struct.pack('>HBHHB', 17, 8, h, w, 3) + b'\1\x11\0\2\x11\0\3\x11\0' + table + b'\0\1' + bytes(16) + table +
            b'\x10\1' + bytes(16) + b'\xff\xda' + struct.pack('>HB', 12, 3) + b'\1\0\2\0\3\0\0\x3f\0' + bytes(20) + b'\xff\xd9')

def webp(w, h):
    data = b'\x2f' + struct.pack('<I', w - 1 | h - 1 << 14) + bytes(33)
    return b'RIFF' + struct.pack('<I', 12 + len(data)) + b'WEBPVP8L' + struct.pack('<I', len(data)) + data

def exr(w, h):
    attribute = lambda name, kind, data: name + b'\0' + kind + b'\0' + struct.pack('<I', len(data)) + data
    channels = b''.join(c + b'\0' + struct.pack('<IIII', 2, 0, 1, 1) for c in (b'B', b'G', b'R')) + b'\0'
    box = struct.pack('<iiii', 0, 0, w - 1, h - 1)
    return (b'\x76\x2f\x31\1\2\0\0\0' + attribute(b'channels', b'chlist', channels) +
            attribute(b'compression', b'compression', b'\0') + attribute(b'dataWindow', b'box2i', box) +
            attribute(b'displayWindow', b'box2i', box) + attribute(b'lineOrder', b'lineOrder', b'\0') +
            attribute(b'pixelAspectRatio', b'float', struct.pack('<f', 1)) +
            attribute(b'screenWindowCenter', b'v2f', bytes(8)) +
            attribute(b'screenWindowWidth', b'float', struct.pack('<f', 1)) + bytes(129))

def j2k(w, h):
    part = lambda mark, data: mark + struct.pack('>H', len(data) + 2) + data
    return (b'\xff\x4f' + part(b'\xff\x51', struct.pack('>HIIIIIIIIH', 0, w, h, 0, 0, w, h, 0, 0, 3) + b'\7\1\1' * 3) +
            part(b'\xff\x52', b'\0\0\0\1\0\5\4\4\0\1') + part(b'\xff\x5c', b'\x40' + bytes([64] * 16)) +
            part(b'\xff\x90', struct.pack('>HIBB', 0, 34, 0, 1)) + b'\xff\x93' + bytes(20) + b'\xff\xd9')

def element(kind, data):
    return kind + struct.pack('>Q', len(data) | 1 << 56) + data

def number(kind, n):
    return element(kind, struct.pack('>I', n))

def mkv(codec, frame, w=SIDE, h=SIDE, more=b'', tracks=b''):
    track = (number(b'\xd7', 1) + number(b'\x73\xc5', 1) + number(b'\x83', 1) + element(b'\x86', codec) +
             element(b'\xe0', number(b'\xb0', w) + number(b'\xba', h) + element(b'\x2e\xb5\x24', b'I420')))
    cluster = element(b'\x1f\x43\xb6\x75', number(b'\xe7', 0) + element(b'\xa3', b'\x81\0\0\x80' + frame))
    return (element(b'\x1a\x45\xdf\xa3', element(b'\x42\x82', b'matroska')) +
            element(b'\x18\x53\x80\x67', element(b'\x16\x54\xae\x6b', element(b'\xae', track) + tracks) + more + cluster))

def many(*args): # in a Matroska file that is whole otherwise
    return mkv(b'V_UNCOMPRESSED', bytes(384), 16, 16, *args)

def tags(n):
    tag = lambda i: element(b'\x67\xc8', element(b'\x45\xa3', b'K%d' % i) + element(b'\x44\x87', b'v'))
    return element(b'\x12\x54\xc3\x67', element(b'\x73\x73', element(b'\x63\xc0', b'') + b''.join(map(tag, range(n)))))

def nested_tag(depth):
    tag = element(b'\x45\xa3', b'K')
    for _ in range(depth):
        tag = element(b'\x67\xc8', element(b'\x45\xa3', b'K') + tag)
    return element(b'\x12\x54\xc3\x67', element(b'\x73\x73', element(b'\x63\xc0', b'') + tag))

def chapters(n):
    chapter = lambda i: element(b'\xb6', number(b'\x73\xc4', i + 1) + number(b'\x91', i) + number(b'\x92', i + 1))
    return element(b'\x10\x43\xa7\x70', element(b'\x45\xb9', b''.join(map(chapter, range(n)))))

def attachments(n):
    file = lambda i: element(b'\x61\xa7', element(b'\x46\x6e', b'f%d.ttf' % i) + element(b'\x46\x60', b'font/ttf') +
                             element(b'\x46\x5c', bytes(9)) + number(b'\x46\xae', i + 1))
    return element(b'\x19\x41\xa4\x69', b''.join(map(file, range(n))))

def subtitles(n):
    return b''.join(element(b'\xae', number(b'\xd7', i) + number(b'\x73\xc5', i) + number(b'\x83', 17) +
                            element(b'\x86', b'S_TEXT/UTF8')) for i in range(2, n + 2))

def box(kind, *data):
    return struct.pack('>I', 8 + sum(map(len, data))) + kind + b''.join(data)

def mp4(moov=b'', edits=b'', **tables): # one raw picture of 16x16
    matrix = struct.pack('>9I', 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    ftyp = box(b'ftyp', b'isom', bytes(4), b'isommp41')
    entry = box(b'raw ', bytes(6), b'\0\1', bytes(16), struct.pack('>HHII', 16, 16, 72 << 16, 72 << 16), bytes(4), b'\0\1',
                bytes(32), struct.pack('>Hh', 24, -1))
    table = dict(stsd=struct.pack('>I', 1) + entry, stts=struct.pack('>3I', 1, 1, 1000), stsc=struct.pack('>4I', 1, 1, 1, 1),
                 stsz=struct.pack('>2I', 768, 1), stco=struct.pack('>2I', 1, len(ftyp) + 8))
    stbl = box(b'stbl', *[box(name.encode(), bytes(4), data) for name, data in {**table, **tables}.items()])
    dinf = box(b'dinf', box(b'dref', struct.pack('>II', 0, 1), box(b'url ', struct.pack('>I', 1))))
    mdia = box(b'mdia', box(b'mdhd', struct.pack('>5IHH', 0, 0, 0, 1000, 1000, 0x55c4, 0)),
               box(b'hdlr', bytes(8), b'vide', bytes(13)), box(b'minf', box(b'vmhd', bytes(12)), dinf, stbl))
    tkhd = box(b'tkhd', struct.pack('>6I', 7, 0, 0, 1, 0, 1000), bytes(16), matrix, struct.pack('>II', 16 << 16, 16 << 16))
    mvhd = box(b'mvhd', struct.pack('>5IIH', 0, 0, 0, 1000, 1000, 1 << 16, 256), bytes(10), matrix, bytes(24), b'\0\0\0\2')
    return ftyp + box(b'mdat', bytes(768)) + box(b'moov', mvhd, box(b'trak', tkhd, edits, mdia), moov)

def edits(n):
    return box(b'edts', box(b'elst', struct.pack('>II', 0, n), struct.pack('>IiI', 1, 0, 1 << 16) * n))

def nested(n, kind):
    return b''.join(struct.pack('>I', 8 * (n - i)) + kind for i in range(n))

def keys(n):
    data = [box(struct.pack('>I', i + 1), box(b'data', struct.pack('>II', 1, 0), b'v')) for i in range(n)]
    return box(b'meta', bytes(4), box(b'hdlr', bytes(8), b'mdta', bytes(13)),
               box(b'keys', struct.pack('>II', 0, n), *[box(b'mdta', b'k%d' % i) for i in range(n)]), box(b'ilst', *data))

def mat(kind, data):
    return b'MATLAB 5.0 MAT-file'.ljust(124) + struct.pack('<H2sII', 0x100, b'IM', kind, len(data)) + data

def array(*sizes):
    part = lambda kind, data: struct.pack('<II', kind, len(data)) + data + bytes(-len(data) % 8)
    return part(6, struct.pack('<II', 9, 0)) + part(5, struct.pack('<%di' % len(sizes), *sizes)) + part(1, b'a') + part(2, b'\1')

def avi(tag, frame):
    part = lambda kind, data: kind + struct.pack('<I', len(data)) + data + bytes(len(data) & 1)
    head = b'vids' + tag + struct.pack('<IHHIIIIIIIIHHHH', 0, 0, 0, 0, 1, 25, 0, 1, 0, 0, 0, 0, 0, SIDE, SIDE)
    form = struct.pack('<IiiHH4sIiiII', 40, SIDE, SIDE, 1, 24, tag, *[0] * 5)
    main = part(b'avih', struct.pack('<14I', 40000, 0, 0, 16, 1, 0, 1, 0, SIDE, SIDE, *[0] * 4))
    streams = part(b'LIST', b'strl' + part(b'strh', head) + part(b'strf', form))
    return part(b'RIFF', b'AVI ' + part(b'LIST', b'hdrl' + main + streams) + part(b'LIST', b'movi' + part(b'00dc', frame)))

def nifti(*sizes):
    head = bytearray(352)
    struct.pack_into('<i', head, 0, 348)
    struct.pack_into('<8h', head, 40, len(sizes), *sizes, *[1] * (7 - len(sizes)))
    struct.pack_into('<hh8ff', head, 70, 4, 16, 1, 1, 1, 1, 1, 1, 1, 1, 352)
    head[344:348] = b'n+1\0'
    return bytes(head)

def npy(*shape):
    text = b"{'descr': '<u2', 'fortran_order': False, 'shape': %s, }" % str(shape).encode()
    text += b' ' * (-(len(text) + 11) % 64) + b'\n'
    return b'\x93NUMPY\1\0' + struct.pack('<H', len(text)) + text

def item(group, number, kind, data):
    data += bytes(len(data) & 1)
    long = kind in (b'OB', b'OW')
    return struct.pack('<HH', group, number) + kind + struct.pack('<HI' if long else '<H', *([0] * long), len(data)) + data

def dicom(rows, columns, frames, syntax=b'1.2.840.10008.1.2.1', more=b'', pixels=item(0x7fe0, 16, b'OW', bytes(100))):
    meta = item(2, 1, b'OB', b'\0\1') + item(2, 2, b'UI', b'1.2.840.10008.5.1.4.1.1.7') + item(2, 3, b'UI', b'1.2.3')
    meta += item(2, 16, b'UI', syntax)
    body = item(8, 22, b'UI', b'1.2.840.10008.5.1.4.1.1.7') + item(8, 24, b'UI', b'1.2.3') + item(8, 96, b'CS', b'OT')
    body += more + item(32, 13, b'UI', b'1.2') + item(32, 14, b'UI', b'1.2.4') + item(40, 2, b'US', b'\1\0')
    body += item(40, 4, b'CS', b'MONOCHROME2') + item(40, 8, b'IS', b'%d' % frames)
    for number, n in (16, rows), (17, columns), (256, 16), (257, 16), (258, 15), (259, 0):
        body += item(40, number, b'US', struct.pack('<H', n))
    body = flood(600 << 20, body + pixels, b'') if syntax.endswith(b'.99') else body + pixels
    return bytes(128) + b'DICM' + item(2, 0, b'UL', struct.pack('<I', len(meta))) + meta + body

sequences = struct.pack('<HH2sHIHHI', 64, 629, b'SQ', 0, 0xffffffff, 0xfffe, 0xe000, 0xffffffff) * 20000
fragment = struct.pack('<HHI', 0xfffe, 0xe000, 0)
fragments = struct.pack('<HH2sHI', 0x7fe0, 16, b'OB', 0, 0xffffffff) + fragment * 50000 + struct.pack('<HHI', 0xfffe, 0xe0dd, 0)

nrrd = b'NRRD0004\ntype: short\ndimension: 3\nsizes: %s\nendian: little\nencoding: %s\n\n'
mha = b'ObjectType = Image\nNDims = 3\nDimSize = %s\nElementType = MET_SHORT\nCompressedData = %s\nElementDataFile = LOCAL\n'

claims = {
    'a.gif': gif(SIDE, SIDE), 'b.gif': gif(65535, 65535), 'a.png': png(SIDE, SIDE), 'b.png': png(65000, 65000),
    'c.png': png(SIDE, SIDE, depth=16, colour=6),
    'a.apng': png(SIDE, SIDE, chunk(b'acTL', struct.pack('>II', 1 << 30, 0)),
                  chunk(b'fcTL', struct.pack('>IIIIIHHBB', 0, SIDE, SIDE, 0, 0, 1, 10, 0, 0))),
    'a.webp': webp(16383, 16383), 'a.jpg': jpeg(65500, 65500), 'b.jpg': jpeg(SIDE, SIDE), 'a.bmp': bmp(SIDE, SIDE, 0, 24),
    'b.bmp': bmp(SIDE, SIDE, 1, 8), 'a.tif': tiff(65000, 65000), 'b.tif': tiff(SIDE, SIDE, compression=8),
    'c.tif': tiff(8, 8, (700, 1, 0xfffffff0, 8), (33432, 2, 0x7fffffff, 8))[:100],
    'a.dng': tiff(SIDE, SIDE, (50706, 1, 4, 0x401)), 'a.exr': exr(60000, 60000), 'b.exr': exr(SIDE, SIDE),
    'a.psd': b'8BPS\0\1' + bytes(6) + struct.pack('>HIIHHIII', 3, 30000, 30000, 8, 3, 0, 0, 0) + bytes(100),
    'a.j2k': j2k(60000, 60000), 'b.j2k': j2k(SIDE, SIDE), 'a.ppm': b'P6\n30000 30000\n255\n' + bytes(9),
    'a.pfm': b'PF\n%d %d\n-1.0\n' % (SIDE, SIDE) + bytes(99), 'raw.mkv': mkv(b'V_UNCOMPRESSED', bytes(99)),
    'raw65.mkv': mkv(b'V_UNCOMPRESSED', bytes(99), 65000, 65000), 'jpeg.mkv': mkv(b'V_MJPEG', jpeg(SIDE, SIDE)),
    'ffv1.mkv': mkv(b'V_FFV1', bytes(99)), 'rle.avi': avi(b'MRLE', bytes(99)),
    'zmbv.avi': avi(b'ZMBV', b'\1\0\1\1\4\x10\x10' + bytes(99)), 'a.y4m': b'YUV4MPEG2 W%d H%d F25:1\nFRAME\n' % (SIDE, SIDE),
    'b.y4m': b'YUV4MPEG2 W64 H64 F25:1 X' + b'A' * (1 << 20) + b'\nFRAME\n',
    'a.nii': nifti(30000, 30000, 30000), 'b.nii': nifti(SIDE, SIDE, 30000) + bytes(99), 'a.npy': npy(10**6, 30000, 30000),
    'b.npy': npy(1, SIDE, SIDE) + bytes(99), 'a.nrrd': nrrd % (b'100000 100000 100000', b'raw'),
    'b.nrrd': nrrd % (b'16000 16000 1', b'gzip') + zlib.compress(bytes(999), wbits=31),
    'e.nrrd': nrrd % (b'16000 16000 1', b'ascii') + b'1 ' * 999, 'f.nrrd': nrrd % (b'16000 16000 1', b'hex') + b'12' * 999,
    'g.nrrd': nrrd % (b'16000 16000 1', b'bzip2') + bz2.compress(bytes(999)),
    'h.nrrd': nrrd % (b'20000 20000 1', b'bzip2') + bz2.compress(bytes(16 << 20)) * 50,
    'a.mha': mha % (b'16000 16000 30000', b'False'), 'b.mha': mha % (b'16000 16000 1', b'True') + zlib.compress(bytes(999)),
    'a.dcm': dicom(65535, 65535, 1), 'b.dcm': dicom(64, 64, 2 * 10**9), 'c.dcm': dicom(SIDE, SIDE, 1),
    'a.m3u8': b'#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.m3u8\n#EXT-X-ENDLIST\n',
    'a.ffconcat': b'ffconcat version 1.0\nfile a.ffconcat\n', 'b.ffconcat': b'ffconcat version 1.0\n' + b'file a.mkv\n' * 10**4,
    'sound.gz': flood(600 << 20), 'a.nii.gz': flood(600 << 20, nifti(30000, 30000, 1)),
    'b.nii.gz': flood(600 << 20, nifti(1, 1, 32767, 32767)), 'c.nrrd': b'NRRD0004\n' + b'# c\n' * 10**6,
    'd.nrrd': nrrd % (b'20000 20000 1', b'gzip') + flood(800 << 20), 'c.mha': b'ObjectType = Image\n' + b'Comment = x\n' * 10**6,
    'd.mha': b'ObjectType = Image\nComment = ' + bytes(1 << 20), 'c.npy': b'\x93NUMPY\2\0\xff\xff\xff\xff' + b' ' * 10**6,
    'd.npy': npy(10**8, 1, 1), 'a.cfl': bytes(99), 'b.cfl': bytes(99),
    'a.mat': mat(14, array(2**31 - 1, 2**31 - 1)), 'b.mat': mat(14, array(*[2] * 10**5)),
    'c.mat': mat(15, flood(600 << 20, b'', b'\x78\xda')), 'd.dcm': dicom(64, 64, 1, b'1.2.840.10008.1.2.1.99'),
    'e.dcm': dicom(8, 8, 1, more=sequences), 'f.dcm': dicom(8, 8, 1, b'1.2.840.10008.1.2.5', pixels=fragments),
    'tracks.mp4': mp4(box(b'trak') * 2000), 'nested.mp4': mp4(nested(10**5, b'moov')),
    'stsz.mp4': mp4(stsz=struct.pack('>II', 1, 2**31 - 1)), 'stts.mp4': mp4(stts=struct.pack('>3I', 2**28 - 1, 1, 1)),
    'index.mp4': mp4(stsz=struct.pack('>II', 1, 10**6), stsc=struct.pack('>4I', 1, 1, 10**6, 1),
                     stts=struct.pack('>3I', 1, 10**6, 1)),
}
texts = { # pictures that are whole; what is about them is too long
    'ztxt.png': small(chunk(b'zTXt', b'Comment\0\0' + zeros(256 << 20))),
    'iccp.png': small(chunk(b'iCCP', b'Comment\0\0' + zeros(256 << 20))),
    'many.png': small(*[chunk(b'tEXt', b'k%d\0v' % i) for i in range(20000)]),
    'tags.mkv': many(tags(3000)), 'nested.mkv': many(nested_tag(2000)), 'chapters.mkv': many(chapters(20000)),
    'attached.mkv': many(attachments(5000)), 'tracks.mkv': many(b'', subtitles(900)), # more than 1000: FFmpeg 5 refuses
    'edits.mp4': mp4(edits=edits(60000)),
    'ctts.mp4': mp4(ctts=struct.pack('>3I', 1, 2**31 - 1, 1)), 'keys.mp4': mp4(keys(3000)), 'udta.mp4':
    mp4(box(b'udta', *[box(b'\xa9' + struct.pack('>I', i)[1:], b'\0\1\0\0v') for i in range(10000)])),
}
for name, sizes in ('a', b'1 ' * 10**6), ('b', b'100000 ' * 16):
    with open(name + '.hdr', 'wb') as f:
        f.write(b'# Dimensions\n' + sizes + b'\n')
if 'long' in sys.argv:
    claims = {'tags.mkv': many(tags(50000)), 'keys.mp4': mp4(keys(50000)), 'index.mp4': mp4(stsz=struct.pack('>II', 1, 10**7),
              stsc=struct.pack('>4I', 1, 1, 10**7, 1), stts=struct.pack('>3I', 1, 10**7, 1))}
    texts = {}
    with open('pages.tif', 'wb') as f:
        f.write(pages(1100000))
    with open('junk.mkv', 'wb') as f: # a picture, then packets that are none
        f.write(many())
        junk = b''.join(element(b'\xa3', struct.pack('>BHBB', 0x81, i, 0, 1)) for i in range(30000))
        for i in range(0, 8000000, 30000):
            f.write(element(b'\x1f\x43\xb6\x75', number(b'\xe7', i + 40) + junk))

def run(*args):
    with tempfile.TemporaryFile() as err:
        pid = os.fork()
        if not pid:
            null = os.open(os.devnull, os.O_RDWR)
            for to, fd in enumerate((null, null, err.fileno())):
                os.dup2(fd, to)
            resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
            os.execv(os.environ['RUNNEL'], ('runnel', *args))
        status, usage = os.wait4(pid, 0)[1:]
        err.seek(0)
        return os.waitstatus_to_exitcode(status), usage.ru_maxrss, err.read().decode(errors='replace').splitlines()

def judge(name, want, *args):
    rc, rss, lines = run(*args)
    errors = [line for line in lines if line.startswith('runnel: error: ')]
    # A volume that is cut off says so before.
    if rc != want or rss > MOST or len(errors) != (want != 0) or any(line.startswith('[') for line in lines):
        print(f'# {" ".join(args)}: status {rc}, {rss >> 10} MB: {lines}')
        return False
    return True

good = True
for want, files in (3, claims), (0, texts):
    for i, (name, data) in enumerate(files.items()):
        chosen = range(2) if os.environ.get('WHOLE') else (i % 3,)
        with open(name, 'wb') as f:
            f.write(data)
        good &= 0 not in chosen or judge(name, want, 'info', name)
        good &= 1 not in chosen or judge(name, want, 'render', name, 'null:', '-q', '-d', os.environ.get('DEVICE', 'none'), '-f', 'invert')
sys.exit(not good)
