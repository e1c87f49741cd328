/* What a compressed picture says of itself: decoders believe that more than the file around it, and
 * give what fits in neither. */
#ifndef RN_IO_DICOM_CODESTREAM_H
#define RN_IO_DICOM_CODESTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rn_dicom_codestream {
    uint32_t w, h;
    unsigned colours, bits; /* bits of the first one's samples */
};

/* Reads the head of a picture in JPEG, JPEG-LS or JPEG 2000, which has n bytes. Returns false if
 * there is none. */
bool rn_dicom_codestream_read(const uint8_t *data, size_t n, struct rn_dicom_codestream *picture);

#ifdef __cplusplus
}
#endif

#endif
