/* SPDX-License-Identifier: MIT */
#include "io/read/verify.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/text/plural.h"
#include "io/common/av.h"
#include "io/common/media.h"
#include "io/read/images/names.h"
#include "io/read/inventory.h"

#include <libavcodec/codec_desc.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/murmur3.h>

struct picture {
    uint64_t hash; /* of its samples */
    int64_t number;
};

struct rn_read_verify {
    struct rn_geom geom; /* of all pictures */
    struct AVMurMur3 *hasher;
    struct picture *picture;
    int n;
};

struct rn_read_verify *rn_read_verify_create(void)
{
    struct rn_read_verify *v = calloc(1, sizeof *v);
    if (v && !(v->hasher = av_murmur3_alloc()))
        rn_read_verify_destroy(&v);
    return v;
}

void rn_read_verify_destroy(struct rn_read_verify **verify)
{
    struct rn_read_verify *v = rn_take_owned(verify);
    if (!v)
        return;
    av_free(v->hasher);
    av_free(v->picture);
    free(v);
}

bool rn_read_verify_can(const char *output)
{
    struct stat st;
    int there = rn_path_look(output, &st);
    bool named = !strcmp(output, "-") || strstr(output, "://") || !strcmp(output, "null:") ||
                 !strcmp(output, "md5:");
    return !named && (there == 0 || (there > 0 && S_ISREG(st.st_mode)));
}

static uint64_t hash(struct AVMurMur3 *hasher, const struct rn_image *img)
{
    uint8_t digest[16];
    av_murmur3_init(hasher);
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++)
        for (int y = 0; y < img->plane[p].h; y++)
            av_murmur3_update(hasher, img->plane[p].data + y * img->plane[p].stride,
                              (size_t)img->plane[p].w * (size_t)rn_format_bytes(&img->geom.fmt));
    av_murmur3_final(hasher, digest);
    return AV_RN64(digest);
}

int rn_read_verify_add(struct rn_read_verify *v, const struct rn_image *img, int64_t number)
{
    const struct picture p = {hash(v->hasher, img), number};
    v->geom = img->geom;
    return av_dynarray2_add((void **)&v->picture, &v->n, sizeof p, (const uint8_t *)&p)
               ? 0
               : rn_fail_memory();
}

/* Returns true if the format of the input keeps all samples: volumes have no codec. */
static bool is_lossless(const struct rn_read_source *source, const char *path)
{
    RN_OWNED(rn_read_inventory_free) struct rn_read_inventory list = {0};
    const AVCodecDescriptor *d = NULL;
    if (rn_read_inventory_take(&list, source))
        return false;
    if (rn_read_name_is_image(path))
        d = avcodec_descriptor_get(rn_read_name_codec(path));
    for (int i = 0; i < list.nstreams; i++)
        if (list.stream[i].pictures && list.stream[i].codec)
            d = avcodec_descriptor_get_by_name(list.stream[i].codec);
    return !d || ((d->props & AV_CODEC_PROP_LOSSLESS) && !(d->props & AV_CODEC_PROP_LOSSY));
}

static bool same_samples(const struct rn_format *a, const struct rn_format *b)
{
    return a->model == b->model && a->number == b->number && a->alpha == b->alpha &&
           a->complex == b->complex && a->sub_x == b->sub_x && a->sub_y == b->sub_y &&
           rn_format_bytes(a) == rn_format_bytes(b);
}

/* Compares a file with pictures from *i on; moves *i behind those that it has. */
static int check_file(const struct rn_read_verify *v, const char *path, int64_t *i, bool *compared)
{
    RN_OWNED(rn_read_close) struct rn_read_source *source = NULL;
    /* As they are stored: a display matrix was not applied to what was written. */
    const struct rn_io_read_opts opts = {.frames = -1, .geometry = {.rotate = RN_ROTATE_NONE}};
    int err = rn_read_open(&source, path, &opts);
    if (err)
        return rn_fail(RN_EOUTPUT, "--verify: '%s' cannot be read back", path);
    const struct rn_io_stream *stream = rn_read_stream_of(source);
    RN_OWNED(rn_image_free) struct rn_image img = {.geom = stream->geom};
    RN_OWNED(rn_io_frame_release) struct rn_frame frame = {0};
    if (stream->geom.w != v->geom.w || stream->geom.h != v->geom.h)
        err = rn_fail(RN_EOUTPUT, "--verify: the pictures of '%s' are %dx%d, not %dx%d", path,
                      stream->geom.w, stream->geom.h, v->geom.w, v->geom.h);
    /* Volumes hold samples of any depth as they are, others scale them to theirs. */
    bool scaled = stream->geom.fmt.depth != v->geom.fmt.depth && !rn_read_media(source)->volume;
    *compared =
        same_samples(&stream->geom.fmt, &v->geom.fmt) && !scaled && is_lossless(source, path);
    err = err ? err : rn_image_alloc(&img, &stream->geom) ? rn_fail_memory() : 0;
    while (!err && !(err = rn_read_read(source, &img, &frame))) {
        if (*compared && *i < v->n && hash(v->hasher, &img) != v->picture[*i].hash)
            err = rn_fail(RN_EOUTPUT, "--verify: picture %" PRId64 " of '%s' is not as written",
                          *i + 1, path);
        ++*i;
        rn_io_frame_release(&frame);
    }
    return err == RN_END ? 0 : err ? RN_EOUTPUT : 0;
}

int rn_read_verify_check(const struct rn_read_verify *v, const char *output)
{
    RN_OWNED(rn_read_pattern_free) struct rn_read_pattern pattern = {0};
    int64_t n = 0;
    bool compared = true;
    int err = 0;
    if (rn_read_pattern_parse(output, &pattern)) {
        for (int64_t i = 0; i < v->n && !err; i++) {
            RN_OWNED(av_freep) char *name = rn_read_pattern_name(&pattern, v->picture[i].number);
            err = name ? check_file(v, name, &n, &compared) : rn_fail_memory();
        }
    } else {
        err = check_file(v, output, &n, &compared);
    }
    if (!err && n != v->n)
        err = rn_fail(RN_EOUTPUT, "--verify: '%s' has %" PRId64 " picture%s, and %d were written",
                      output, n, rn_plural(n), v->n);
    if (!err)
        rn_log(RN_LOG_INFO, "'%s' was read back: its %" PRId64 " picture%s %s", output, n,
               rn_plural(n),
               compared ? "have the samples that were written"
                        : "are all there; samples are not compared, since its format changes them");
    return err;
}
