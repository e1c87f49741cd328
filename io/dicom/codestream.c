#include "io/dicom/codestream.h"

#include <string.h>

static uint32_t load(const uint8_t *p, int bytes)
{
    uint32_t v = 0;
    while (bytes-- > 0)
        v = v << 8 | *p++;
    return v;
}

/* A frame header: SOF0 to SOF15 but for DHT, JPG and DAC, which stand among them; or SOF55, of
 * JPEG-LS. */
static bool is_frame_header(uint8_t mark)
{
    return (mark >= 0xC0 && mark <= 0xCF && mark != 0xC4 && mark != 0xC8 && mark != 0xCC) ||
           mark == 0xF7;
}

/* ITU-T T.81 B.2.2: behind SOI come segments with their lengths. */
static bool read_jpeg(const uint8_t *data, size_t n, struct rn_dicom_codestream *picture)
{
    for (size_t at = 2; at + 10 <= n && data[at] == 0xFF;) {
        const uint8_t *p = data + at;
        if (p[1] == 0xFF) { /* fill */
            at++;
            continue;
        }
        if (is_frame_header(p[1])) {
            picture->bits = p[4];
            picture->h = load(p + 5, 2);
            picture->w = load(p + 7, 2);
            picture->colours = p[9];
            return true;
        }
        at += 2 + load(p + 2, 2);
    }
    return false;
}

/* ITU-T T.800 A.5.1: SIZ follows SOC. Some writers leave the boxes of a file around them. */
static bool read_jpeg2000(const uint8_t *data, size_t n, struct rn_dicom_codestream *picture)
{
    enum { SIZ = 43, BOXES = 4096 };
    for (size_t at = 0; at + SIZ <= n && at < BOXES; at++) {
        const uint8_t *p = data + at;
        if (memcmp(p, "\xFF\x4F\xFF\x51", 4) != 0)
            continue;
        picture->w = load(p + 8, 4) - load(p + 16, 4);
        picture->h = load(p + 12, 4) - load(p + 20, 4);
        picture->colours = load(p + 40, 2);
        picture->bits = (p[42] & 0x7Fu) + 1;
        return true;
    }
    return false;
}

bool rn_dicom_codestream_read(const uint8_t *data, size_t n, struct rn_dicom_codestream *picture)
{
    return n > 2 && data[0] == 0xFF && data[1] == 0xD8 ? read_jpeg(data, n, picture)
                                                       : read_jpeg2000(data, n, picture);
}
