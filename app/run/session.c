/* SPDX-License-Identifier: MIT */
#include "app/run/session.h"

#include "app/process/environment.h"
#include "app/run/files.h"
#include "app/run/segment.h"
#include "app/process/signals.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"
#include "filters/base/threads/thread.h"
#include "io/read/images/names.h"
#include "io/common/media.h"
#include "io/common/memory.h"
#include "io/write/encode/two_pass.h"

#include <strings.h>

#define LARGE_BYTES (64 << 20) /* of a frame in flight: no more of them than there are frames */

static int make_chain(struct rn_app_session *s)
{
    const struct rn_app_cli *cli = s->cli;
    const char *text = cli->filters;
    if (cli->replay && text)
        return rn_fail(RN_EUSAGE, "--replay brings its own chain: leave -f out");
    int err = cli->replay ? rn_app_replay_open(&s->replay, cli->replay, &text) : 0;
    if (cli->replay)
        rn_log_about("'%s' line 1", cli->replay);
    err = err ? err : rn_app_chain_from(&s->chain, text, cli->replay);
    rn_log_about("%s", "");
    if (!err && s->replay)
        err = rn_app_replay_bind(s->replay, s->chain);
    if (!err && s->replay)
        err = rn_chain_assign(&s->first, s->chain);
    if (err || !cli->play.kernel)
        return err;
    if (!rn_chain_append(s->chain, "custom"))
        return RN_EUSAGE;
    return rn_chain_set(s->chain, rn_chain_count(s->chain) - 1, "file", cli->play.kernel);
}

const struct rn_chain *rn_app_session_named(const struct rn_app_session *s)
{
    const struct rn_chain *named = s->replay ? rn_app_replay_named(s->replay) : NULL;
    return named ? named : s->chain;
}

int rn_app_session_read(struct rn_app_session *s, const struct rn_app_cli *cli, const char *output,
                        rn_app_amend_fn *amend, void *arg)
{
    *s = (struct rn_app_session){.cli = cli, .output = output};
    rn_app_environment_prepare(cli->threads);
    rn_io_init();
    if (cli->allow_code)
        rn_stage_allow_all_code();
    int err = make_chain(s);
    if (!err && amend)
        err = amend(arg, s->chain, cli);
    const struct rn_chain *named = rn_app_session_named(s);
    if (!err && output) /* the preview asks */
        err = rn_chain_check_code(named);
    err = err ? err : rn_app_files_check(cli, output, named);
    return err || !output ? err : rn_app_confine(cli, output, named);
}

/* Filters across frames need adjacent slices as neighbours. */
static int check_neighbours(const struct rn_app_session *s, const struct rn_analysis *a)
{
    int64_t channels, times;
    if (!a->delay || !rn_read_mixes(s->source, &channels, &times))
        return 0;
    return rn_fail(RN_EUSAGE,
                   "'%s' has %lld channels and %lld points in time, and filters across frames "
                   "never mix these: choose with --channel and --time",
                   s->cli->operand[0], (long long)channels, (long long)times);
}

/* Frame indices may cost reading the input: only if a filter, report or output uses them. */
static enum rn_io_index_mode choose_index_mode(const struct rn_app_session *s)
{
    const struct rn_app_cli *cli = s->cli;
    bool used = s->replay || cli->segment || cli->command->options & RN_OPTIONS_PLAN ||
                cli->play.record || cli->play.md5 || cli->play.reference ||
                (s->output && (!strcmp(s->output, "md5:") || rn_read_is_pattern(s->output)));
    for (int i = 0; i < rn_chain_count(s->chain) && !used; i++)
        used = rn_chain_stage(s->chain, i)->desc->numbered;
    if (s->output && (!used || cli->source.renumber))
        return RN_FRAME_INDEX_ANY;
    return used ? RN_FRAME_INDEX_EXACT : RN_FRAME_INDEX_APPROXIMATE;
}

/* A device is needed if -d names one, for an enabled filter, for any filter of a preview, which can
 * enable it, and for learning. Starting PoCL takes as long as decoding twenty frames, and 70 MB. */
static bool needs_device(const struct rn_app_session *s, const struct rn_chain *chain)
{
    const char *device = s->cli->device;
    if (s->cli->segment && s->cli->segment->joins)
        return false;
    bool on = !chain || (!s->output && !s->on_demand) || s->replay ||
              s->cli->command->options & RN_OPTIONS_LEARN;
    for (int i = 0; chain && i < rn_chain_count(chain); i++)
        on |= rn_chain_stage(chain, i)->on || !s->output;
    return device ? strcasecmp(device, "none") != 0 : on;
}

struct opening {
    struct rn_app_session *session;
    struct rn_io_read_opts opts;
    int err;
};

static void *open_source(void *arg)
{
    struct opening *o = arg;
    o->err = rn_read_open(&o->session->source, o->session->cli->operand[0], &o->opts);
    return NULL;
}

/* Decodes the first picture of a file in another thread while this one loads the drivers; PoCL 3.1
 * crashed sometimes after a thread that loaded it had ended. A missing input fails at once. */
static int open_source_and_load_drivers(struct opening *o)
{
    struct rn_app_session *s = o->session;
    struct rn_thread thread;
    struct stat st;
    o->opts.alone = s->output && !needs_device(s, s->chain);
    if (!needs_device(s, s->chain) || s->cli->parts.skip ||
        rn_path_look(s->cli->operand[0], &st) <= 0 || !S_ISREG(st.st_mode) ||
        !rn_thread_try(&thread, "open input", open_source, o)) {
        open_source(o);
        return o->err;
    }
    rn_devices_load();
    rn_thread_join(&thread);
    return o->err;
}

static struct opening begin_opening(struct rn_app_session *s, bool pictures_only,
                                    enum rn_io_index_mode index_mode)
{
    struct opening o = {.session = s, .opts = s->cli->source};
    o.opts.threads = s->cli->threads;
    o.opts.pictures_only = pictures_only;
    o.opts.losses = s->losses;
    o.opts.index_mode = index_mode;
    return o;
}

/* ---- options that have nothing to do in a run. Those of the command line are named in a line
 * each; those of the user's settings, which are for all runs, are left out without a word. What an
 * input has nothing for is refused where it is opened (enum rn_io_limited). */

static const struct {
    const char *option;
    size_t off, size;
    bool coding; /* which --for chooses */
} fields[] = {
#define FIELD(option, field, coding)                                                               \
    {                                                                                              \
        option, offsetof(struct rn_write_opts, field), sizeof(((struct rn_write_opts *)0)->field), \
            coding                                                                                 \
    }
    FIELD("codec", codec, true),
    FIELD("codec-opts", codec_opts, true),
    FIELD("pix-fmt", pix_fmt, true),
    FIELD("audio", audio, true),
    FIELD("subs", subs, false),
    FIELD("compression", compression, false),
    FIELD("replace-set", replace_set, false),
};
#define NFIELDS (sizeof fields / sizeof *fields)

/* Sets *write, of the command line, to what of it the output takes: what the settings ask for is
 * left out where rn_write_check_options refuses it, and of codecs where --for chooses them. The
 * input is open, and its chain checked. Returns 0 or an error (logged). */
static int choose_writing(const struct rn_app_session *s, struct rn_write_opts *write)
{
    const struct rn_io_media *media = rn_read_media(s->source);
    const struct rn_geom *geom = &s->analysis.out;
    const struct rn_write_opts wanted = *write, none = {.threads = 0};
    enum rn_log_level level = rn_log_level();
    bool set[NFIELDS], any = false;
    for (size_t i = 0; i < NFIELDS; i++) {
        size_t off = fields[i].off;
        set[i] = !rn_app_cli_asked(s->cli, fields[i].option) &&
                 memcmp((char *)&wanted + off, (char *)&none + off, fields[i].size) != 0;
        any |= set[i];
        if (set[i])
            memset((char *)write + off, 0, fields[i].size);
    }
    int err = any ? rn_write_check_options(s->output, write, media, geom) : 0;
    for (size_t i = 0; i < NFIELDS && !err; i++) {
        struct rn_write_opts more = *write;
        memcpy((char *)&more + fields[i].off, (char *)&wanted + fields[i].off, fields[i].size);
        if (!set[i] || (fields[i].coding && write->profile))
            continue;
        rn_log_set_level(RN_LOG_QUIET);
        bool takes = !rn_write_check_options(s->output, &more, media, geom);
        rn_log_set_level(level);
        if (takes)
            *write = more;
        else
            rn_log(RN_LOG_DEBUG, "'%s' does not take the --%s of the settings", s->output,
                   fields[i].option);
    }
    return err;
}

void rn_app_session_tell_idle(const struct rn_app_session *s)
{
    static const char *const options[] = {"probesize",  "analyzeduration", "hwdec", "codec",
                                          "codec-opts", "pix-fmt",         "audio", "subs",
                                          "keep-start", "replace-set",     "batch", "exact"};
    const struct rn_app_cli *cli = s->cli;
    bool stills = rn_read_lacks(s->source) & RN_LIMITED_STREAMS;
    bool part = cli->source.to.kind || cli->source.frames >= 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *name = options[i], *why = NULL;
        if (!rn_app_cli_asked(cli, name))
            continue;
        if (i < 3)
            why = stills ? "the input is single pictures" : NULL;
        else if (!strcmp(name, "batch"))
            why = s->ndevices ? NULL : "no device computes";
        else if (!strcmp(name, "exact"))
            why = part ? NULL : "neither --to nor --frames is given";
        else
            why = rn_write_idle(s->output, &cli->write, rn_read_media(s->source), name);
        if (why)
            rn_log(RN_LOG_INFO, "--%s has nothing to do: %s", name, why);
    }
}

/* ---- the input */

int rn_app_session_open_input(struct rn_app_session *s, bool pictures_only)
{
    struct opening o = begin_opening(s, pictures_only, choose_index_mode(s));
    int err = open_source_and_load_drivers(&o);
    err = err ? err : rn_app_files_check_source(s->cli, rn_app_session_named(s), s->source);
    if (err)
        return err;
    s->stream = rn_read_stream_of(s->source);
    if (s->replay) /* values may be out of range for this input */
        rn_log_about("'%s' line 1", s->cli->replay);
    err = rn_chain_check(s->chain, &s->stream->geom, &s->analysis);
    rn_log_about("%s", "");
    if (!err && !s->replay && s->output) {
        /* Drops disabled filters that nothing can enable: neither a recording nor the preview's
         * keys. They were checked first, so their mistakes are still reported. */
        rn_chain_prune(s->chain);
        err = rn_chain_check(s->chain, &s->stream->geom, &s->analysis);
    }
    if (err)
        return err;
    rn_chain_warn(s->chain, &s->analysis);
    bool uses_matrix = false;
    for (int i = 0; i < s->analysis.n; i++)
        uses_matrix |= s->analysis.stage[i].in.fmt.model == RN_YUV &&
                       s->analysis.stage[i].traits.out.fmt.model == RN_RGB;
    if (uses_matrix)
        rn_io_media_announce_matrix(rn_read_media(s->source));
    s->write = s->cli->write;
    s->write.passes = s->passes;
    s->write.cells = s->cli->segment ? s->cli->segment->cells : NULL;
    if (s->passes && !s->passes->number)
        s->passes->seconds = s->stream->duration;
    err = s->output ? choose_writing(s, &s->write) : 0;
    s->write.losses = s->losses;
    if (s->output && !err)
        err = rn_write_profile_apply(&s->write, s->write_text, s->output, rn_read_media(s->source),
                                     &s->analysis.out);
    err = err ? err : check_neighbours(s, &s->analysis);
    return err || !s->cli->segment ? err : rn_app_segment_begin(s->cli->segment, s);
}

/* name: NULL = the default device. */
static int add_device(struct rn_app_session *s, const char *name)
{
    RN_OWNED(rn_device_close) struct rn_device *device = NULL;
    int err = rn_device_open(&device, name);
    if (err || !device)
        return err;
    for (int i = 0; i < s->ndevices; i++)
        if (rn_device_info(s->device[i])->index == rn_device_info(device)->index)
            return rn_fail(RN_EUSAGE, "-d %s names '%s' twice", s->cli->device,
                           rn_device_info(device)->name);
    s->device[s->ndevices++] = rn_take_owned(&device);
    return 0;
}

int rn_app_session_open_devices(struct rn_app_session *s, int max)
{
    if (!needs_device(s, s->chain))
        return 0;
    s->devices_opened = true;
    RN_OWNED(rn_free_owned) char *list = s->cli->device ? strdup(s->cli->device) : NULL;
    char *rest = NULL;
    if (!list || !strchr(list, ','))
        return add_device(s, s->cli->device);
    int err = 0;
    for (char *name = strtok_r(list, ",", &rest); name && !err; name = strtok_r(NULL, ",", &rest)) {
        if (!strcasecmp(name, "none"))
            err = rn_fail(RN_EUSAGE, "-d none is the C reference path: it goes with no device");
        else if (s->ndevices == max)
            err = rn_fail(RN_EUSAGE, "-d %s: %s takes %d device%s at most", s->cli->device,
                          s->cli->command->name, max, max == 1 ? "" : "s");
        else
            err = add_device(s, name);
    }
    return err;
}

void rn_app_session_arm(const struct rn_chain *chain)
{
    const struct rn_stage *custom; /* the first filter with a kernel of the user */
    const struct rn_param *kernel = rn_chain_code(chain, false, &custom);
    rn_app_kernel_crash_arm(kernel ? rn_param_text(kernel, custom->params) : NULL);
}

int rn_app_session_memory(const struct rn_app_session *s, int64_t least, int64_t *memory)
{
    const struct rn_io_stream *stream = s->stream;
    const struct rn_geom *geom = &stream->geom;
    int64_t needed = rn_geom_bytes(geom) + least;
    *memory = stream->memory - stream->decoder_bytes;
    *memory = *memory < stream->in_flight ? *memory : stream->in_flight;
    *memory = *memory > least ? *memory : least;
    return needed <= stream->memory
               ? 0
               : rn_io_memory_refuse(s->cli->operand[0], geom->w, geom->h, needed, stream->memory);
}

static int open_pool(const struct rn_app_session *s, const struct rn_chain *chain,
                     const struct rn_analysis *analysis, struct rn_pool **pool)
{
    int64_t memory, least = rn_pool_bytes(analysis, 1);
    int err = rn_app_session_memory(s, least, &memory);
    if (err)
        return err;
    int64_t frames = s->stream->exact && least >= LARGE_BYTES ? s->stream->frames : 0;
    if (frames > 0 && frames < memory / least)
        memory = frames * least;
    const struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts),
                                      .inflight = s->cli->inflight,
                                      .batch = s->cli->batch,
                                      .threads = s->cli->threads,
                                      .memory = memory,
                                      .busy = s->stream->coded ||
                                              (s->output && rn_write_is_kept(s->output)),
                                      .by_field = s->stream->by_field,
                                      .mixed = s->cli->source.fields == RN_FIELDS_AUTO};
    if (s->ndevices)
        rn_app_session_arm(chain);
    err = rn_pool_open(pool, s->device, s->ndevices, chain, &s->stream->geom, &opts);
    rn_app_kernel_crash_disarm();
    return err;
}

int rn_app_session_open_pool(struct rn_app_session *s)
{
    return open_pool(s, s->chain, &s->analysis, &s->pool);
}

/* The states of a recording fit the session's pool, or one opened to see whether kernels build. */
struct fitting {
    struct rn_app_session *session;
    struct rn_pool *pool; /* NULL: that of the session */
};

static int fits(void *arg, const struct rn_chain *chain, const struct rn_analysis *a, bool bound)
{
    struct fitting *f = arg;
    const struct rn_app_session *s = f->session;
    int err = bound ? 0 : rn_pool_close(&f->pool);
    bool alike = rn_chain_binds_alike(chain, s->chain) && rn_geom_equal(&a->out, &s->analysis.out);
    if (!bound && !alike) {
        err = err ? err : check_neighbours(s, a);
        err = err ? err : open_pool(s, chain, a, &f->pool);
    }
    return err ? err : rn_pool_fits(f->pool ? f->pool : s->pool, chain);
}

static int check_replay(struct rn_app_session *s)
{
    struct fitting f = {.session = s};
    int err = rn_app_replay_check(s->replay, s->chain, &s->stream->geom, &s->analysis.out,
                                  s->output && rn_write_is_kept(s->output), fits, &f);
    err = rn_first_error(err, rn_pool_close(&f.pool));
    bool written = rn_chain_written(rn_app_session_named(s), NULL);
    if (!err && rn_app_replay_is_cut(s->replay) && written)
        return rn_fail(RN_EUSAGE,
                       "'%s' changes filters, or values of filters across frames: "
                       "measure what render makes of it",
                       s->cli->replay);
    return err;
}

int rn_app_session_bind_pool(struct rn_app_session *s)
{
    if (s->cli->segment && s->cli->segment->joins) { /* the pictures only tell the times */
        RN_OWNED(rn_chain_destroy) struct rn_chain *empty = NULL;
        struct rn_analysis analysis;
        int err = rn_chain_parse(&empty, "");
        err = err ? err : rn_chain_check(empty, &s->stream->geom, &analysis);
        return err ? err : open_pool(s, empty, &analysis, &s->pool);
    }
    int err = rn_app_session_open_pool(s);
    return err || !s->replay ? err : check_replay(s);
}

int rn_app_session_check_tables(const struct rn_chain *chain)
{
    const struct rn_stage *stage;
    const struct rn_param *row = rn_chain_written(chain, &stage);
    return row ? rn_fail(RN_EUSAGE, "other filters would begin the table %s anew: leave %s= out",
                         rn_param_text(row, stage->params), row->name)
               : 0;
}

int rn_app_session_check(const struct rn_app_session *s, const struct rn_chain *chain,
                         struct rn_analysis *a)
{
    int err = rn_chain_check(chain, &s->stream->geom, a);
    return err ? err : check_neighbours(s, a);
}

bool rn_app_session_is_bound(const struct rn_app_session *s)
{
    return rn_chain_written(s->chain, NULL);
}

int rn_app_session_need_device(struct rn_app_session *s, const struct rn_chain *chain)
{
    if (s->devices_opened || !needs_device(s, chain))
        return 0;
    s->devices_opened = true;
    return add_device(s, s->cli->device);
}

void rn_app_session_close_input(struct rn_app_session *s)
{
    rn_runner_close(&s->runner);
    rn_device_close(&s->runner_device);
    rn_read_close(&s->source);
    s->stream = NULL;
}

int rn_app_session_open_source(struct rn_app_session *s)
{
    struct opening o = begin_opening(s, true, RN_FRAME_INDEX_EXACT);
    open_source(&o);
    return o.err;
}

int rn_app_session_renew(struct rn_app_session *s)
{
    int err = rn_pool_close(&s->pool);
    return err ? err : rn_chain_check(s->chain, &s->stream->geom, &s->analysis);
}

int rn_app_session_close_devices(struct rn_app_session *s)
{
    int err = 0;
    while (s->ndevices)
        err = rn_first_error(err, rn_device_close(&s->device[--s->ndevices]));
    return err;
}

int rn_app_session_close(struct rn_app_session *s, int err)
{
    err = rn_first_error(err, rn_pool_close(&s->pool));
    rn_app_session_close_input(s);
    return rn_first_error(err, rn_app_session_close_devices(s));
}

int rn_app_session_rewind(struct rn_app_session *s)
{
    int err = rn_app_session_close(s, 0);
    rn_app_session_forget(s);
    *s = (struct rn_app_session){
        .cli = s->cli, .output = s->output, .losses = s->losses, .passes = s->passes};
    return err ? err : make_chain(s);
}

void rn_app_session_forget(struct rn_app_session *s)
{
    rn_chain_destroy(&s->chain);
    rn_chain_destroy(&s->first);
    rn_app_replay_close(&s->replay);
}
