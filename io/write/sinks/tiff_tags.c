#include "io/write/sinks/tiff_tags.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

static const int codecs[] = {
    [RN_COMPRESSION_DEFAULT] = COMPRESSION_ADOBE_DEFLATE, [RN_COMPRESSION_NONE] = COMPRESSION_NONE,
    [RN_COMPRESSION_PACKBITS] = COMPRESSION_PACKBITS,     [RN_COMPRESSION_LZW] = COMPRESSION_LZW,
    [RN_COMPRESSION_DEFLATE] = COMPRESSION_ADOBE_DEFLATE, [RN_COMPRESSION_ZSTD] = COMPRESSION_ZSTD,
};

int rn_write_tiff_tags_check(const struct rn_write_compression *wanted)
{
    return TIFFIsCODECConfigured((uint16_t)codecs[wanted->kind])
               ? 0
               : rn_fail(RN_EUSAGE, "this libtiff was built without %s",
                         rn_write_compression_name(wanted->kind));
}

size_t rn_write_tiff_tags_row(const struct rn_write_tiff_tags *tags, int w)
{
    return ((size_t)w * (size_t)tags->comps * (size_t)tags->storage.bits + 7) / 8;
}

/* Of libdeflate, level 6 takes two to four times as long as 4 for 3 to 5 % less, and of noisy scans
 * makes more. */
#define DEFLATE_LEVEL 4

/* The predictor of floats is not known everywhere. */
static bool set_compression(const struct rn_write_tiff_tags *tags, TIFF *t)
{
    const struct rn_write_tiff_storage *s = &tags->storage;
    int codec = codecs[tags->wanted.kind], level = tags->wanted.level;
    bool ok = TIFFSetField(t, TIFFTAG_COMPRESSION, codec);
    bool predicts = codec != COMPRESSION_NONE && codec != COMPRESSION_PACKBITS;
    if (predicts && s->number != RN_NUMBER_FLOAT && s->bits >= 8)
        ok = ok && TIFFSetField(t, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    if (codec == COMPRESSION_ADOBE_DEFLATE)
        ok = ok && TIFFSetField(t, TIFFTAG_ZIPQUALITY, level ? level : DEFLATE_LEVEL);
    else if (level) /* which LZW has not */
        ok = ok && TIFFSetField(t, TIFFTAG_ZSTD_LEVEL, level);
    return ok;
}

static bool set_samples(const struct rn_write_tiff_tags *tags, TIFF *t)
{
    const struct rn_write_tiff_storage *s = &tags->storage;
    int format = s->number == RN_NUMBER_FLOAT    ? SAMPLEFORMAT_IEEEFP
                 : s->number == RN_NUMBER_SIGNED ? SAMPLEFORMAT_INT
                                                 : SAMPLEFORMAT_UINT;
    int photometric = tags->comps > 2    ? PHOTOMETRIC_RGB
                      : s->white_is_zero ? PHOTOMETRIC_MINISWHITE
                                         : PHOTOMETRIC_MINISBLACK;
    bool ok = TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, s->bits) &&
              TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, format) &&
              TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, tags->comps) &&
              TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
              TIFFSetField(t, TIFFTAG_PHOTOMETRIC, photometric);
    if (tags->comps == 2 || tags->comps == 4) {
        uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
        ok = ok && TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    }
    if (tags->depth)
        ok = ok && TIFFSetField(t, TIFFTAG_MAXSAMPLEVALUE, (1 << tags->depth) - 1);
    return ok;
}

bool rn_write_tiff_tags_set(const struct rn_write_tiff_tags *tags, TIFF *t, int w, int h)
{
    bool ok = TIFFSetField(t, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE) &&
              TIFFSetField(t, TIFFTAG_IMAGEWIDTH, w) && TIFFSetField(t, TIFFTAG_IMAGELENGTH, h) &&
              TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, h) && set_samples(tags, t) &&
              set_compression(tags, t);
    if (tags->xres > 0)
        ok = ok && TIFFSetField(t, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE) &&
             TIFFSetField(t, TIFFTAG_XRESOLUTION, tags->xres) &&
             TIFFSetField(t, TIFFTAG_YRESOLUTION, tags->yres);
    return ok;
}
