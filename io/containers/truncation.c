#include "io/containers/truncation.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavutil/avstring.h>
#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>

#include "io/containers/gif.h"

#define ASF_DATA_HEAD 50 /* of the object that holds the packets */

/* ISO base media: size32 type, or 1 type size64; size 0 = to the end of the file. */
static bool boxes_intact(int fd, int64_t size)
{
    uint8_t head[16];
    int64_t pos = 0;
    while (pos < size) {
        ssize_t n = pread(fd, head, sizeof head, pos);
        if (n < 8)
            return false;
        uint64_t box = AV_RB32(head);
        if (box == 0)
            return true;
        if (box == 1) {
            if (n < 16)
                return false;
            box = AV_RB64(head + 8);
        }
        if (box < 8 || box > (uint64_t)(size - pos))
            return false;
        pos += (int64_t)box;
    }
    return true;
}

/* An EBML number of n bytes, n - 1 leading zero bits. Returns n, 0 if it is none. All ones mean an
 * unknown size: *value is then UINT64_MAX. keep: the marker bit is part of the number (IDs). */
static int ebml_number(const uint8_t *p, ssize_t left, bool keep, uint64_t *value)
{
    int n = 1;
    while (n <= 8 && !(left > 0 && p[0] & (0x80 >> (n - 1))))
        n++;
    if (n > 8 || n > left)
        return 0;
    uint64_t v = keep ? p[0] : p[0] & (0x7f >> (n - 1));
    for (int i = 1; i < n; i++)
        v = v << 8 | p[i];
    *value = !keep && v == (UINT64_C(1) << 7 * n) - 1 ? UINT64_MAX : v;
    return n;
}

static bool ebml_intact(int fd, int64_t size)
{
    uint8_t head[16];
    int64_t pos = 0;
    while (pos < size) { /* the EBML header, then one segment (or more) */
        ssize_t got = pread(fd, head, sizeof head, pos);
        uint64_t id, len;
        int n = ebml_number(head, got, true, &id);
        int m = n ? ebml_number(head + n, got - n, false, &len) : 0;
        if (!m)
            return pos > 0 && n > 0 && id != 0x1A45DFA3; /* junk after the last segment */
        if (len == UINT64_MAX)
            return true; /* a live recording says nothing about its length */
        pos += n + m;
        if (len > (uint64_t)(size - pos))
            return false;
        pos += (int64_t)len;
    }
    return true;
}

/* RIFF and, beyond 1 GiB, more chunks RIFF/AVIX behind it. What was written to a pipe has the
 * longest length, which says nothing. */
static bool riff_intact(int fd, int64_t size)
{
    uint8_t head[8];
    int64_t pos = 0;
    while (pos + 8 <= size && pread(fd, head, sizeof head, pos) == 8 && !memcmp(head, "RIFF", 4)) {
        int64_t len = AV_RL32(head + 4);
        if (len == UINT32_MAX)
            return true;
        if (!len || len > size - pos - 8)
            return false; /* 0: never finished */
        pos += 8 + len + (len & 1);
    }
    return true;
}

static bool ts_intact(int fd, int64_t size)
{
    uint8_t head[4 + 2 * 204];
    if (pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head)
        return true;
    static const int sizes[] = {188, 192, 204};
    for (int i = 0; i < 3; i++) {
        int off = sizes[i] == 192 ? 4 : 0;
        if (head[off] == 0x47 && head[off + sizes[i]] == 0x47)
            return size % sizes[i] == 0;
    }
    return true;
}

/* Reads n bytes that start `back` bytes before the end. */
static bool read_tail(int fd, int64_t size, int64_t back, void *buf, size_t n)
{
    return back <= size && pread(fd, buf, n, size - back) == (ssize_t)n;
}

/* NUT ends with an index, whose last 12 bytes are its length and a checksum. */
#define NUT_INDEX "NX\xdd\x67\x2f\x23\xe6\x4e"
static bool nut_intact(int fd, int64_t size)
{
    uint8_t buf[8];
    if (!read_tail(fd, size, 12, buf, 8))
        return false;
    uint64_t len = AV_RB64(buf);
    return len >= 12 && len <= (uint64_t)size && read_tail(fd, size, (int64_t)len, buf, 8) &&
           !memcmp(buf, NUT_INDEX, 8);
}

/* The last page of an Ogg file is whole and says that its stream ends. */
static bool ogg_intact(int fd, int64_t size)
{
    uint8_t buf[65307]; /* the largest page */
    int64_t n = size < (int64_t)sizeof buf ? size : (int64_t)sizeof buf;
    if (!read_tail(fd, size, n, buf, (size_t)n))
        return true;
    for (int64_t i = n - 27; i >= 0; i--) {
        if (memcmp(buf + i, "OggS", 4) != 0)
            continue;
        int64_t len = 27 + buf[i + 26];
        for (int k = 0; k < buf[i + 26] && i + 27 + k < n; k++)
            len += buf[i + 27 + k];
        return i + len == n && buf[i + 5] & 4;
    }
    return false;
}

/* The size of an FLV as its first tag may say it, a number of AMF; 0: it does not. */
static double flv_size(int fd)
{
    static const uint8_t key[] = "\0\x8"
                                 "filesize";
    uint8_t head[4096];
    ssize_t n = pread(fd, head, sizeof head, 0);
    for (ssize_t i = 0; i + (ssize_t)sizeof key + 9 <= n; i++)
        if (!memcmp(head + i, key, sizeof key)) /* with the type, 0, behind it */
            return av_int2double(AV_RB64(head + i + sizeof key));
    return 0;
}

/* Behind each FLV tag stands its length. */
static bool flv_intact(int fd, int64_t size)
{
    uint8_t buf[4];
    if (flv_size(fd) > (double)size)
        return false;
    if (!read_tail(fd, size, 4, buf, 4))
        return false;
    int64_t len = AV_RB32(buf);
    return read_tail(fd, size, 4 + len, buf, 4) && (buf[0] == 8 || buf[0] == 9 || buf[0] == 18) &&
           11 + (int64_t)AV_RB24(buf + 1) == len;
}

/* Where the file properties stand in the n bytes that an ASF file begins with; < 0: they do not. */
static ssize_t asf_properties(const uint8_t *buf, ssize_t n)
{
    static const uint8_t guid[] = {0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11,
                                   0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65};
    for (ssize_t i = 0; i + 104 <= n; i++)
        if (!memcmp(buf + i, guid, sizeof guid))
            return i;
    return -1;
}

/* They hold the size of the file, unless it is a broadcast. */
static bool asf_intact(int fd, int64_t size)
{
    uint8_t buf[4096];
    ssize_t n = pread(fd, buf, sizeof buf, 0), at = asf_properties(buf, n);
    bool broadcast = at >= 0 && AV_RL32(buf + at + 88) & 1;
    return at < 0 || broadcast || AV_RL64(buf + at + 40) <= (uint64_t)size;
}

static bool gif_intact(int fd, int64_t size)
{
    (void)size;
    return rn_container_gif_is_whole(fd);
}

bool rn_container_file_is_complete(const char *path, const char *demuxer)
{
    static const struct {
        const char *demuxers;
        bool (*check)(int fd, int64_t size);
    } kinds[] = {
        {"mov,mp4,m4a,3gp,3g2,mj2", boxes_intact},
        {"matroska,webm", ebml_intact},
        {"avi", riff_intact},
        {"mpegts", ts_intact},
        {"nut", nut_intact},
        {"ogg", ogg_intact},
        {"flv", flv_intact},
        {"asf", asf_intact},
        {"gif", gif_intact},
    };
    bool ok = true;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (!strcmp(demuxer, kinds[i].demuxers))
                ok = kinds[i].check(fd, st.st_size);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* The packets of an ASF file all have the size that its header says. */
static int64_t asf_packet(int fd)
{
    uint8_t buf[4096];
    ssize_t n = pread(fd, buf, sizeof buf, 0), at = asf_properties(buf, n);
    return at >= 0 ? AV_RL32(buf + at + 92) : 0;
}

int64_t rn_container_asf_packets_zeroed(const char *path)
{
    static const uint8_t none[8];
    uint8_t head[24], start[8];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    int64_t size = asf_packet(fd), zeroed = 0;
    bool known = size > 0 && pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head;
    int64_t pos = known ? (int64_t)(AV_RL64(head + 16) & INT32_MAX) + ASF_DATA_HEAD : -1;
    while (pos > 0 && pread(fd, start, sizeof start, pos) == (ssize_t)sizeof start) {
        zeroed += !memcmp(start, none, sizeof none);
        pos += size;
    }
    close(fd);
    return zeroed;
}

bool rn_container_file_is_filled(const char *path, const char *demuxer, int64_t pos)
{
    /* What stands behind the last packet, if not the end of the file. */
    static const struct {
        const char *demuxer, *marks[3];
    } kinds[] = {
        {"matroska,webm", {"\x1c\x53\xbb\x6b", "\x12\x54\xc3\x67", NULL}}, /* cues, tags */
        {"avi", {"idx1", "ix0", "JUNK"}},
        {"asf", {"\x90\x08\x00\x33", "\xd3\x29\xe2\xd6", NULL}}, /* kinds of index */
        {"flv", {NULL}},
        {"nut", {NUT_INDEX, NULL}},
    };
    size_t k = 0, nkinds = sizeof kinds / sizeof kinds[0];
    while (k < nkinds && strcmp(demuxer, kinds[k].demuxer) != 0)
        k++;
    int fd = k < nkinds ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    if (!strcmp(demuxer, "asf")) /* libav knows only where a packet begins */
        pos += asf_packet(fd);
    if (!strcmp(demuxer, "nut")) /* leaves out what packets begin with alike */
        pos -= 16;
    uint8_t there[64]; /* a packet may have a few bytes of its own before and behind it */
    ssize_t n = pread(fd, there, sizeof there, pos);
    close(fd);
    bool filled = n >= 0 && n < (ssize_t)sizeof there;
    for (int m = 0; m < 3 && kinds[k].marks[m]; m++) {
        ssize_t len = (ssize_t)strlen(kinds[k].marks[m]);
        for (ssize_t i = 0; i + len <= n && !filled; i++)
            filled = !memcmp(there + i, kinds[k].marks[m], (size_t)len);
    }
    return filled;
}

static bool png_intact(const uint8_t *p, size_t size)
{
    size_t pos = 8;
    while (size - pos >= 12 && pos < size) {
        size_t len = AV_RB32(p + pos);
        if (len > size - pos - 12)
            return false;
        if (!memcmp(p + pos + 4, "IEND", 4))
            return true;
        pos += 12 + len;
    }
    return false;
}

/* Segments have lengths up to the first scan; behind it an end marker has to follow. Thumbnails,
 * with end markers of their own, lie inside segments. */
static bool jpeg_intact(const uint8_t *p, size_t size)
{
    size_t pos = 2;
    while (pos + 4 <= size && p[pos] == 0xff && p[pos + 1] != 0xda) {
        bool alone = p[pos + 1] == 0xff || p[pos + 1] == 0x01; /* fill byte, TEM */
        pos += alone ? 1 + (p[pos + 1] == 0x01) : 2u + AV_RB16(p + pos + 2);
    }
    for (size_t i = size; i > pos + 2; i--)
        if (p[i - 2] == 0xff && p[i - 1] == 0xd9)
            return true;
    return false;
}

bool rn_container_image_is_complete(enum AVCodecID codec, const uint8_t *data, size_t size)
{
    if (codec == AV_CODEC_ID_PNG && size > 8)
        return png_intact(data, size);
    if (codec == AV_CODEC_ID_MJPEG && size > 4)
        return jpeg_intact(data, size);
    return true;
}
