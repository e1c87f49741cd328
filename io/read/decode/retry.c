/* SPDX-License-Identifier: MIT */
#include "io/read/source_internal.h"

#include "filters/base/log.h"

#include <libavutil/hwcontext.h>

#define HISTORY_SHARE 16 /* of the memory at most one in so many is packets kept to decode again */

static bool is_threaded(const struct rn_read_source *src)
{
    return src->dec->thread_count > 1;
}

/* count: errors go to the input's watch; else they are ignored, if others vary: they come again, or
 * were counted before. */
static void count_errors(struct rn_read_source *src, bool count)
{
    src->dec->opaque = count || !src->retry.varies ? &src->in->watch : &src->retry.overlooked;
}

static void forget_signs(struct rn_read_retry *r)
{
    r->suspect = false;
    atomic_store(&r->overlooked.errors, 0);
}

static bool is_suspect(const struct rn_read_source *src, struct rn_read_coded_slices slices)
{
    return src->pkt->flags & AV_PKT_FLAG_CORRUPT || slices.hole;
}

/* Forgets what was found in packets and pictures before. */
static void begin_anew(struct rn_read_source *src)
{
    struct rn_read_retry *r = &src->retry;
    r->resume = 0;
    r->errors = -1;
    forget_signs(r);
    count_errors(src, false);
}

void rn_read_retry_open(struct rn_read_source *src, bool varies)
{
    struct rn_read_retry *r = &src->retry;
    const int threads =
        AV_CODEC_CAP_FRAME_THREADS | AV_CODEC_CAP_SLICE_THREADS | AV_CODEC_CAP_OTHER_THREADS;
    r->varies = varies && src->dec->codec->capabilities & threads;
    r->threads = src->dec->thread_count; /* the codec may know one only */
    r->overlooked.harmless = src->in->watch.harmless;
    r->overlooked.concealed = true;
    atomic_store(&r->overlooked.quiet, true);
    begin_anew(src);
}

void rn_read_retry_restart(struct rn_read_source *src)
{
    struct rn_read_retry *r = &src->retry;
    r->phase = r->threads == src->dec->thread_count ? RN_READ_WHOLE : RN_READ_SEARCH;
    rn_read_unwritten_clear(&r->unwritten);
    rn_read_packet_history_clear(&r->history);
    r->until = r->newest = 0;
    begin_anew(src);
}

/* ---- back to where the damage is */

/* Decodes with that many threads from where the history stands. */
static int change_decoder(struct rn_read_source *src, int threads)
{
    struct rn_read_retry *r = &src->retry;
    int err = rn_read_decoder_change(src, threads);
    rn_read_unwritten_clear(&r->unwritten);
    r->until = src->audit.sent;
    begin_anew(src);
    return err;
}

static int go_back(struct rn_read_source *src)
{
    struct rn_read_retry *r = &src->retry;
    bool found = !is_threaded(src);
    rn_log(RN_LOG_DEBUG, "'%s': %s by one thread: %s", src->name,
           found ? "decodes again" : "is searched for damage",
           atomic_load(&r->overlooked.errors) ? r->overlooked.first : "an error");
    r->phase = found ? RN_READ_AGAIN : RN_READ_SEARCH;
    r->damaged = found ? src->pkt_number : src->audit.sent;
    if (found) /* what was not given comes again, too */
        rn_read_packet_history_go_before(
            &r->history, FFMIN(r->damaged, rn_read_decode_audit_oldest(&src->audit)));
    else
        rn_read_packet_history_rewind(&r->history);
    return change_decoder(src, 1);
}

static bool is_repeated(const struct rn_read_source *src)
{
    int64_t number = rn_io_number(src->frame);
    return number <= src->retry.until && rn_read_decode_audit_has(&src->audit, number);
}

/* Looks for a sign of damage behind a call of the decoder, of which ret came. What precedes the
 * last picture was whole, or its damage was found before. */
static bool shows_damage(struct rn_read_source *src, int ret)
{
    struct rn_read_retry *r = &src->retry;
    bool failed = ret < 0 && ret != AVERROR(EAGAIN) && ret != AVERROR_EOF && ret != AVERROR(ENOMEM);
    bool flawed = !ret && rn_read_retry_is_flawed(src->frame) && !is_repeated(src);
    bool sign = failed || flawed || r->suspect || atomic_load(&r->overlooked.errors);
    if (!sign || !r->varies || r->phase == RN_READ_AGAIN)
        return false;
    if (!rn_read_retry_may_stumble(src) && (flawed || src->pkt_number > r->newest))
        return true;
    forget_signs(r);
    return false;
}

/* A picture came: decides whether the decoder for what is whole may go on. */
static void look_for_end(struct rn_read_source *src)
{
    struct rn_read_retry *r = &src->retry;
    int64_t number = rn_io_number(src->frame);
    if (r->phase == RN_READ_WHOLE || number <= r->damaged ||
        !rn_read_packet_history_has_entry(&r->history, number))
        return;
    int64_t errors = src->faults.flagged + atomic_load(&src->in->watch.errors);
    r->resume = errors == r->errors && !rn_read_retry_is_flawed(src->frame) ? number : 0;
    r->errors = errors;
}

static int resume(struct rn_read_source *src)
{
    struct rn_read_retry *r = &src->retry;
    int64_t number = r->resume;
    r->resume = 0;
    if (r->threads > 1 && !rn_read_packet_history_go_to(&r->history, number))
        return 0;
    r->phase = RN_READ_WHOLE;
    if (r->threads > 1) {
        rn_log(RN_LOG_DEBUG, "'%s': decodes by %d threads again", src->name, r->threads);
        return change_decoder(src, r->threads);
    }
    begin_anew(src);
    return 0;
}

int rn_read_retry_remember(struct rn_read_source *src)
{
    struct rn_read_retry *r = &src->retry;
    if (!r->varies)
        return 0;
    struct rn_read_coded_slices slices = rn_read_coded_slices(src->in->par, src->pkt);
    r->suspect |= is_suspect(src, slices);
    struct rn_read_coded_picture picture = rn_read_coded_picture(src->in->par, src->pkt);
    int delay = r->threads + src->dec->has_b_frames + 2;
    int err = rn_read_packet_history_add(&r->history, src->pkt, src->pkt_number,
                                         picture.entry && picture.due, delay);
    /* A slice of HEVC whose damage lets it run on into the next one is no error to FFmpeg. Until
     * that one is decoded, other threads take what is wrong for what they refer to: as they happen
     * to run. So one thread decodes pictures of several slices. */
    if (!err && r->threads > 1 && !src->hardware && src->in->par->codec_id == AV_CODEC_ID_HEVC &&
        slices.n > 1) {
        r->threads = 1;
        if (is_threaded(src)) {
            rn_read_packet_history_rewind(&r->history);
            err = change_decoder(src, 1);
        }
    }
    if (err || r->history.bytes <= src->opts.memory / HISTORY_SHARE)
        return err;
    if (is_threaded(src)) /* a single group of pictures: one thread decodes all of it */
        return go_back(src);
    rn_read_packet_history_clear(&r->history);
    return 0;
}

int rn_read_retry_take(struct rn_read_source *src)
{
    struct rn_read_retry *r = &src->retry;
    const struct rn_read_past_packet *past = rn_read_packet_history_take(&r->history);
    count_errors(src, r->phase == RN_READ_AGAIN && (!past || past->number > r->newest));
    if (!past)
        return RN_END;
    src->pkt_number = past->number;
    if (av_packet_ref(src->pkt, past->pkt) < 0)
        return rn_fail_memory();
    r->suspect |= is_suspect(src, rn_read_coded_slices(src->in->par, src->pkt));
    return 0;
}

/* ---- pictures */

/* Copies a picture that hardware decoded into the memory of the system, where it comes back;
 * another one stays as it is. Returns 0 or a libav error. */
static int fetch(AVFrame *frame)
{
    if (!frame->hw_frames_ctx)
        return 0;
    RN_OWNED(av_frame_free) AVFrame *copy = av_frame_alloc();
    int ret = copy ? av_hwframe_transfer_data(copy, frame, 0) : AVERROR(ENOMEM);
    ret = ret < 0 ? ret : av_frame_copy_props(copy, frame);
    /* Hardware crops at the right and at the bottom alone. */
    ret = ret < 0 ? ret : av_frame_apply_cropping(copy, AV_FRAME_CROP_UNALIGNED);
    if (ret < 0)
        return ret;
    av_frame_unref(frame);
    av_frame_move_ref(frame, copy);
    return 0;
}

/* Receives a picture into src->frame. Returns 0 or a libav error. */
static int receive(struct rn_read_source *src)
{
    struct rn_read_retry *r = &src->retry;
    errno = 0;
    int ret = avcodec_receive_frame(src->dec, src->frame);
    rn_io_watch_memory(&src->in->watch);
    src->by_hardware = !ret && src->frame->hw_frames_ctx;
    ret = ret ? ret : fetch(src->frame);
    if (ret)
        return ret;
    bool own;
    r->suspect |= rn_read_unwritten_find(&r->unwritten, rn_io_number(src->frame), &own) > r->newest;
    if (own)
        src->frame->flags |= AV_FRAME_FLAG_CORRUPT;
    return 0;
}

int rn_read_retry_receive(struct rn_read_source *src, int *ret)
{
    struct rn_read_retry *r = &src->retry;
    for (;;) {
        int err = r->resume ? resume(src) : 0;
        if (err)
            return err;
        *ret = receive(src);
        if (shows_damage(src, *ret)) {
            av_frame_unref(src->frame);
            if ((err = go_back(src)) != 0)
                return err;
        } else if (*ret == 0 && is_repeated(src)) {
            av_frame_unref(src->frame);
        } else {
            break;
        }
    }
    if (*ret)
        return 0;
    look_for_end(src);
    r->newest = FFMAX(r->newest, rn_io_number(src->frame));
    return 0;
}
