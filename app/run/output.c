/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/run/output.h"

#include "app/process/signals.h"
#include "app/run/segment.h"
#include "filters/base/version.h"
#include "filters/base/clock.h"
#include "filters/base/owned.h"
#include "filters/base/output/path.h"
#include "filters/base/threads/thread.h"
#include "io/common/frame_data.h"
#include "io/common/media.h"
#include "io/write/encode/two_pass.h"

/* ---- names and checks */

char *rn_app_output_name(const char *output, int n)
{
    if (n == 1)
        return strdup(output);
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    const char *dot = strrchr(base, '.'), *ext = dot && dot != base ? dot : base + strlen(base);
    char *name;
    return asprintf(&name, "%.*s-%d%s", (int)(ext - output), output, n, ext) < 0 ? NULL : name;
}

static struct rn_write_opts sink_options(const struct rn_app_session *session,
                                         struct rn_io_ledger *ledger)
{
    struct rn_write_opts opts = session->write;
    opts.threads = session->cli->threads;
    opts.losses = session->losses;
    opts.ledger = ledger;
    return opts;
}

int rn_app_output_check(const struct rn_app_session *session, const char *name, char *plan)
{
    struct rn_write_opts opts = sink_options(session, NULL);
    opts.plan = plan;
    if (session->cli->verify && !rn_read_verify_can(name))
        return rn_fail(RN_EUSAGE, "--verify: '%s' is no file that can be read back", name);
    return rn_write_check_options(name, &opts, rn_read_media(session->source),
                                  &session->analysis.out);
}

static enum rn_stall begin_writing(const struct rn_app_output *out)
{
    rn_app_signals_lock_output();
    return rn_stall_enter(out->stall);
}

static void end_writing(enum rn_stall outer)
{
    rn_stall_leave(outer);
    rn_app_signals_unlock_output();
}

int rn_app_output_open(struct rn_app_output *out, const struct rn_app_session *session, char *name)
{
    struct rn_write_opts opts = sink_options(session, &out->ledger);
    const struct rn_geom *geom = &session->analysis.out;
    out->name = name;
    out->w = geom->w;
    out->h = geom->h;
    out->last_frame = -1;
    out->joins = session->cli->segment && session->cli->segment->joins;
    /* Who reads a pipe may take any time. */
    struct stat st;
    bool special = !strcmp(name, "-") || (rn_path_look(name, &st) > 0 && !S_ISREG(st.st_mode));
    out->stall = special ? RN_STALL_PAUSED : RN_STALL_WRITE;
    RN_OWNED(rn_free_owned) char *chain = rn_chain_format(session->chain), *maker = NULL;
    if (!chain || asprintf(&maker, "runnel " RN_VERSION "%s%s", *chain ? ": " : "", chain) < 0) {
        maker = NULL;
        return rn_fail_memory();
    }
    opts.made_by = maker; /* for containers with such a tag */
    bool measures = session->passes && session->passes->number == 1;
    if (session->cli->verify && !measures && !(out->verify = rn_read_verify_create()))
        return rn_fail_memory();
    enum rn_stall outer = begin_writing(out);
    int err = rn_write_open(&out->sink, name, &opts, rn_read_media(session->source), geom);
    end_writing(outer);
    return err;
}

/* ---- the stream */

/* Threads that read arrays and y4m: half of those that were asked for, or of the cores where a
 * device has memory of its own. On an H200 with 16 cores, from files in the page cache: 202 MB of
 * 512x512 slices through a closing took 40 ms with 1 of them, 22, 13.6 and 8.9 with 2, 4 and 8, and
 * 8.7 with 14; 1,260 pictures of 720p in y4m 0.6 s by FFmpeg, and 0.054 by 8. Where the cores
 * compute, several gain nothing. */
#define MOST_READERS 8

static int count_readers(const struct rn_app_session *s)
{
    bool apart = s->ndevices && !rn_device_info(s->device[0])->shared_memory;
    int threads = s->cli->threads, n = (threads ? threads : apart ? rn_cores() : 1) / 2;
    return n < 1 ? 1 : n < MOST_READERS ? n : MOST_READERS;
}

static int replay_frame(void *arg, int64_t frame)
{
    struct rn_app_session *s = arg;
    bool changed;
    int err = rn_app_replay_frame(s->replay, &s->chain, frame, &changed);
    return err || !changed ? err : rn_pool_update(s->pool, s->chain);
}

/* *apart: the frames that are none of those to be written, but their neighbours. */
static int write_frames(struct rn_app_output *out, struct rn_app_pipeline *pl,
                        struct rn_app_span wanted, struct rn_app_progress *progress, int64_t *apart)
{
    struct rn_slot *slot;
    int err = 0;
    while (!err && !(err = rn_app_pipeline_next(pl, &slot))) {
        if (rn_app_span_has(wanted, slot->frame.index)) {
            out->last_frame = slot->frame.index;
            double t0 = rn_clock();
            enum rn_stall outer = begin_writing(out);
            if (out->verify)
                err = rn_read_verify_add(out->verify, &slot->out, rn_io_frame_number(&slot->frame));
            err = err ? err : rn_write_write(out->sink, &slot->out, &slot->frame);
            out->ledger.written += !err; /* for rn_app_output_stall; the pipeline counts anew */
            out->encode += rn_clock() - t0;
            if (!err)
                rn_app_progress_frame(progress, &slot->frame);
            end_writing(outer);
        } else {
            ++*apart;
        }
        err = err ? rn_app_pipeline_fail(pl, err) : rn_app_pipeline_done(pl, slot);
    }
    return err == RN_END ? 0 : err;
}

/* Every frame that was read must have been written, and at least one frame. */
static int check_counts(const struct rn_app_output *out, const struct rn_app_cli *cli)
{
    const struct rn_io_ledger *ledger = &out->ledger;
    const struct rn_io_damage *damage = &ledger->in.damage;
    if (ledger->read != ledger->written)
        return rn_fail(RN_EINTERNAL, "%lld frames were read but %lld written",
                       (long long)ledger->read, (long long)ledger->written);
    if (ledger->written > 0 || out->meter.cut)
        return 0;
    if (damage->what[0])
        return rn_fail(RN_EINPUT, "no frame of '%s' could be read: %s", cli->operand[0],
                       damage->what);
    bool range = cli->source.from.kind || cli->source.to.kind;
    return rn_fail(RN_EINPUT, "'%s' has no frame%s", cli->operand[0],
                   range ? " between --from and --to" : "");
}

/* Writes the wanted ones of the feed's frames. changes: a recording may change values for each. */
static int run_pipeline(struct rn_app_output *out, struct rn_app_session *session,
                        struct rn_app_feed feed, struct rn_app_span wanted, bool changes,
                        struct rn_app_progress *progress, struct rn_frame *tail)
{
    RN_OWNED(rn_app_pipeline_destroy) struct rn_app_pipeline *pl = NULL;
    struct rn_app_meter meter;
    struct rn_io_ledger counts = {.read = 0};
    int64_t apart = 0, before = out->ledger.written;
    int err =
        rn_app_pipeline_start(&pl, feed, session->pool, changes ? replay_frame : NULL, session);
    if (err)
        return err;
    rn_app_signals_watch(pl);
    err = write_frames(out, pl, wanted, progress, &apart);
    rn_app_pipeline_join(pl, &meter, &counts, tail);
    rn_app_signals_unwatch();
    rn_app_meter_add(&out->meter, &meter);
    out->ledger.read += counts.read - apart;
    out->ledger.written = before + counts.written - apart;
    return err;
}

/* The times of stages that the first chain lacks go to one place behind its own. */
static int stop_pool(struct rn_app_output *out, struct rn_app_session *s, bool complete)
{
    struct rn_timings t = {.frames = 0};
    int err = rn_pool_stop(s->pool, complete);
    rn_pool_timings(s->pool, &t);
    int n = s->first ? rn_chain_count(s->first) : 0, place = n < RN_MAX_STAGES ? n : n - 1;
    if (s->first && !rn_chain_binds_alike(s->first, s->chain)) {
        double seconds = 0;
        for (int i = 0; i < RN_MAX_STAGES; i++) {
            seconds += t.stage[i];
            t.stage[i] = 0;
        }
        t.stage[place] = seconds;
    }
    rn_timings_add(&out->timings, &t);
    return err;
}

/* ---- a recording, piece by piece */

struct kept {
    struct rn_image img;
    struct rn_frame frame;
};

/* Reads the input in pieces, each of which is filtered as an input of its own: a recording changes
 * filters, or values of filters across frames, between them. Neighbours that two pieces share are
 * kept in memory, so the input is read once. */
struct pieces {
    struct rn_read_source *source;
    struct kept *kept; /* a ring of the latest frames that may be read again */
    int room, begin, n;
    int reach; /* the most frames that one piece needs of another */
    struct rn_app_piece piece;
    int at;         /* of the kept frames, the next one to give */
    int64_t newest; /* the latest frame of the source, -1: none */
    bool ended;
    struct rn_frame tail;
};

static void free_pieces(struct pieces *p)
{
    for (int i = 0; p->kept && i < p->room; i++) {
        rn_image_free(&p->kept[i].img);
        rn_io_frame_release(&p->kept[i].frame);
    }
    rn_io_frame_release(&p->tail);
    free(p->kept);
}

static struct kept *kept_at(const struct pieces *p, int i)
{
    return &p->kept[(p->begin + i) % p->room];
}

/* A frame without its data, which stays where it is. */
static struct rn_frame bare(const struct rn_frame *frame)
{
    struct rn_frame copy = *frame;
    copy.data = NULL;
    return copy;
}

/* Keeps a copy of the newest frame; its data if a later piece writes it. */
static void keep(struct pieces *p, const struct rn_image *img, struct rn_frame *frame)
{
    if (p->n == p->room) {
        rn_io_frame_release(&kept_at(p, 0)->frame);
        p->begin = (p->begin + 1) % p->room;
        p->n--;
        p->at--;
    }
    struct kept *k = kept_at(p, p->n++);
    p->at++;
    rn_image_copy(img, &k->img);
    k->frame = bare(frame);
    if (!rn_app_span_has(p->piece.write, frame->index))
        k->frame.data = rn_take_owned(&frame->data);
}

/* Returns false if there is none in the piece. */
static bool give_kept(struct pieces *p, struct rn_image *img, struct rn_frame *frame)
{
    while (p->at < p->n && kept_at(p, p->at)->frame.index < p->piece.read.first)
        p->at++;
    struct kept *k = p->at < p->n ? kept_at(p, p->at) : NULL;
    if (!k || k->frame.index > p->piece.read.last)
        return false;
    p->at++;
    rn_image_copy(&k->img, img);
    *frame = bare(&k->frame);
    if (rn_app_span_has(p->piece.write, frame->index))
        frame->data = rn_take_owned(&k->frame.data);
    return true;
}

/* Whether the input may have frames behind the piece. While no pipeline reads. */
static bool has_more(const struct pieces *p)
{
    return !p->ended || (p->n && kept_at(p, p->n - 1)->frame.index > p->piece.write.last);
}

/* The end of a piece; what comes behind the last frame of the input belongs to the last one. */
static int end_piece(struct pieces *p, struct rn_frame *frame)
{
    *frame = (struct rn_frame){.data = NULL};
    if (!has_more(p)) {
        *frame = p->tail;
        p->tail.data = NULL;
    }
    return RN_END;
}

/* The next frame of the piece, and then RN_END. The data of a frame (rn_frame.data) comes with the
 * piece that writes it. Pieces follow one another. */
static int read_piece(void *arg, struct rn_image *img, struct rn_frame *frame)
{
    struct pieces *p = arg;
    if (give_kept(p, img, frame))
        return 0;
    if (p->ended || p->at < p->n || p->newest >= p->piece.read.last)
        return end_piece(p, frame);
    int err = rn_read_read(p->source, img, frame);
    if (err == RN_END) {
        p->ended = true;
        p->tail = *frame;
        return end_piece(p, frame);
    }
    if (err)
        return err;
    p->newest = frame->index;
    bool beyond = frame->index > p->piece.read.last; /* frames are missing */
    if (beyond || frame->index > p->piece.write.last - p->reach)
        keep(p, img, frame);
    if (!beyond)
        return 0;
    p->at--;
    return end_piece(p, frame);
}

/* As run_pipeline, for a recording whose frames are filtered piece by piece. */
static int run_pieces(struct rn_app_output *out, struct rn_app_session *s,
                      struct rn_app_span wanted, struct rn_app_progress *progress,
                      struct rn_frame *tail)
{
    RN_OWNED(free_pieces)
    struct pieces pieces = {
        .source = s->source, .reach = rn_app_replay_reach(s->replay), .newest = -1};
    const struct rn_app_feed feed = {.arg = &pieces, .read = read_piece, .source = s->source};
    int64_t frame = wanted.first;
    pieces.room = pieces.reach + 1;
    pieces.kept = calloc((size_t)pieces.room, sizeof *pieces.kept);
    int err = pieces.kept ? 0 : rn_fail_memory();
    for (int i = 0; i < pieces.room && !err; i++)
        err = rn_image_alloc(&pieces.kept[i].img, &s->stream->geom);
    for (bool used = false, more = !err; more && !err; used = true) {
        struct rn_app_piece piece = rn_app_replay_piece(s->replay, frame, wanted.last);
        bool changed;
        err = used ? stop_pool(out, s, true) : 0;
        err = err ? err : rn_app_replay_frame(s->replay, &s->chain, frame, &changed);
        if (used || changed) { /* a pool takes one input */
            err = err ? err : rn_app_session_renew(s);
            err = err ? err : rn_app_session_open_pool(s);
            err = err ? err : rn_pool_start(s->pool);
        }
        if (err)
            break;
        pieces.piece = piece;
        pieces.at = 0;
        bool alone = piece.read.first == piece.write.first && piece.read.last == piece.write.last;
        err = run_pipeline(out, s, feed, piece.write, alone, progress, tail);
        out->meter.cut |= rn_app_signals_caught() != 0;
        more = piece.write.last < wanted.last && has_more(&pieces) && !out->meter.cut;
        frame = piece.write.last + 1;
    }
    return err;
}

/* Ends the input behind a frame: the neighbours of a segment. */
struct bounded {
    struct rn_read_source *source;
    int64_t last;
};

static int read_bounded(void *arg, struct rn_image *img, struct rn_frame *frame)
{
    const struct bounded *b = arg;
    int err = rn_read_read(b->source, img, frame);
    if (err || frame->index <= b->last)
        return err;
    rn_io_frame_release(frame);
    return RN_END;
}

/* Whether exactly the frames of the plan came, or all until the input ended. */
static int check_segment(const struct rn_app_output *out, const struct rn_app_session *session)
{
    struct rn_app_span frames = rn_app_segment_frames(session->cli->segment);
    int64_t planned = frames.last - frames.first + 1, written = out->ledger.written;
    bool adjoin = !written || out->last_frame == frames.first + written - 1;
    if (out->meter.cut || rn_app_signals_caught() || (adjoin && written == planned))
        return 0;
    if (!adjoin || written > planned || !rn_read_has_ended(session->source))
        return rn_fail(RN_EDAMAGED,
                       "%lld of %lld frames of the segment came: it is not kept; without segments "
                       "what came is written",
                       (long long)written, (long long)planned);
    session->cli->segment->cells->short_input = true;
    return 0;
}

static int stream(struct rn_app_output *out, struct rn_app_session *session,
                  struct rn_app_progress *progress)
{
    const struct rn_app_segment *segment = session->cli->segment;
    bool part = segment && !segment->joins, changes = session->replay && (part || !segment);
    bool pieces = changes && rn_app_replay_is_cut(session->replay);
    int64_t first = session->next_frame             ? session->next_frame
                    : session->cli->source.renumber ? 0
                                                    : rn_read_media(session->source)->first_index;
    struct rn_app_span wanted = {pieces ? first : 0, RN_TO_THE_END};
    struct bounded b = {session->source, RN_TO_THE_END};
    RN_OWNED(rn_io_frame_release) struct rn_frame tail = {0};
    int err = part ? rn_app_segment_seek(segment, session) : 0;
    if (part) {
        wanted = rn_app_segment_frames(segment);
        b.last = rn_app_segment_neighbours(segment, session).last;
    }
    const struct rn_app_feed feed = {&b, read_bounded, b.source, count_readers(session)};
    if (!err)
        err = pieces ? run_pieces(out, session, wanted, progress, &tail)
                     : run_pipeline(out, session, feed, wanted, changes, progress, &tail);
    err = err || !part ? err : check_segment(out, session);
    rn_read_ledger(session->source, &out->ledger);
    session->next_frame = out->last_frame + 1;
    out->streamed = true;
    err = err || part ? err : check_counts(out, session->cli);
    if (!err && out->ledger.written > 0) {
        enum rn_stall outer = begin_writing(out);
        err = rn_write_tail(out->sink, &tail);
        end_writing(outer);
    }
    err = rn_first_error(err, rn_read_conclude(session->source));
    out->no_sound = rn_write_damaged(out->sink);
    return err;
}

/* ---- the end */

static int close_sink(struct rn_app_output *out, const struct rn_app_session *session, int err)
{
    enum rn_write_ending ending = RN_ENDING_COMPLETE;
    if ((err || out->meter.cut) && (out->ledger.written == 0 || out->joins))
        ending = RN_ENDING_ABANDON;
    else if (err || out->meter.cut)
        ending = RN_ENDING_PARTIAL;
    const char *path = ending == RN_ENDING_ABANDON ? NULL : rn_write_path(out->sink);
    RN_OWNED(rn_free_owned) char *name = path ? strdup(path) : NULL;
    double t0 = rn_clock();
    err = rn_first_error(err, rn_write_close(&out->sink, ending));
    out->encode += rn_clock() - t0;
    if (name) /* the same name if there is no partial file */
        out->path = rn_outfile_partial(name);
    if (!err && path && !out->path)
        err = rn_fail_memory();
    if (err && out->path && strcmp(out->path, name) != 0) {
        rn_log(RN_LOG_WARNING, "the frames written so far are in '%s'", out->path);
    } else if (err) {
        free(rn_take_owned(&out->path));
    }
    out->complete = !err && ending == RN_ENDING_COMPLETE;
    if (out->complete && *session->key)
        rn_app_mark_set(out->path, session->key, session->glance);
    return err;
}

int rn_app_output_write(struct rn_app_output *out, struct rn_app_session *session,
                        struct rn_app_progress *progress)
{
    int err = rn_pool_start(session->pool);
    bool started = !err;
    err = err ? err : stream(out, session, progress);
    enum rn_stall outer = begin_writing(out);
    err = close_sink(out, session, err);
    end_writing(outer);
    if (started && session->pool)
        err = rn_first_error(err, stop_pool(out, session, out->complete));
    if (out->joins) /* the tables are as whole as the pictures, also of a damaged input */
        err = rn_app_segment_end(session->cli->segment, err, out->complete);
    if (!err && out->complete && out->verify)
        err = rn_read_verify_check(out->verify, out->name);
    return err;
}

void rn_app_output_stall(struct rn_app_output *out, const struct rn_app_session *session, int err)
{
    if (!out->sink)
        return;
    close_sink(out, session, err);
    rn_pool_stop(session->pool, false);
}

void rn_app_output_free(struct rn_app_output *out)
{
    free(out->name);
    free(out->path);
    rn_read_verify_destroy(&out->verify);
    *out = (struct rn_app_output){.name = NULL};
}
