/* SPDX-License-Identifier: MIT */
#include "app/run/report.h"

#include "app/process/terminal.h"
#include "filters/base/text/plural.h"
#include "app/run/json.h"
#include "filters/base/owned.h"
#include "filters/base/version.h"

#include <sys/resource.h>

/* Below this share of the wall time, no part is the bottleneck. */
#define BOUND_SHARE 0.6

#define NAME_WIDTH 34

void rn_app_report_add(struct rn_app_report *r, const struct rn_app_output *out)
{
    r->streamed |= out->streamed;
    r->complete = out->complete;
    r->path = out->path ? out->path : r->path;
    r->encode += out->encode;
    rn_app_meter_add(&r->meter, &out->meter);
    rn_timings_add(&r->timings, &out->timings);
    r->ledger.read += out->ledger.read;
    r->ledger.written += out->ledger.written;
    if (out->ledger.written || !r->ledger.out.counted) { /* an empty file does not count */
        struct rn_io_outflow *sum = &r->ledger.out;
        const struct rn_io_outflow *o = &out->ledger.out;
        sum->counted = o->counted;
        sum->frames += o->frames;
        sum->copied += o->copied;
        sum->repeated += o->repeated;
        sum->dropped += o->dropped;
        sum->encoded += o->encoded;
        sum->packets += o->packets;
        sum->older_files += o->older_files;
        sum->seconds_lost += o->seconds_lost;
    }
    r->ledger.in = out->ledger.in;
    r->no_sound += out->no_sound;
    struct rn_io_damage *damage = &r->ledger.in.damage;
    damage->damaged += r->no_sound;
    if (r->no_sound && !*damage->what)
        snprintf(damage->what, sizeof damage->what, "%lld packet%s of sound cannot be decoded",
                 (long long)r->no_sound, rn_plural(r->no_sound));
}

/* Those that were run: a join runs none. */
static int count_stages(const struct rn_app_report *r)
{
    return r->have_device ? rn_chain_count(r->chain) : 0;
}

/* Converts the sum of concurrent lanes to elapsed time. */
static double elapsed(const struct rn_app_report *r, double seconds)
{
    return r->meter.pool.lanes > 1 ? seconds / r->meter.pool.lanes : seconds;
}

/* A part of the run that can be its bottleneck. */
enum part { PART_DECODE, PART_UPLOAD, PART_STAGES, PART_DOWNLOAD, PART_ENCODE };
static const char *const part_names[] = {"decode", "upload", "stages", "download", "encode"};

/* The part that was busy longest. *share: of the wall time, 0..1. */
static enum part find_bound(const struct rn_app_report *r, double *share)
{
    double stages = 0;
    for (int i = 0; i < count_stages(r); i++)
        stages += r->timings.stage[i];
    const double seconds[] = {r->meter.decode, r->timings.upload, elapsed(r, stages),
                              r->timings.download, r->encode};
    int longest = PART_DECODE;
    for (int part = PART_DECODE; part <= PART_ENCODE; part++)
        longest = seconds[part] > seconds[longest] ? part : longest;
    *share = r->wall > 0 ? seconds[longest] / r->wall : 0;
    return (enum part)longest;
}

static const char *stage_name(const struct rn_stage *stage, char *buf, size_t size)
{
    const char *label = stage->label ? stage->label : "";
    snprintf(buf, size, "%s%s%s", stage->desc->name, *label ? "@" : "", label);
    return buf;
}

static void print_row(const struct rn_app_report *r, const char *name, double seconds)
{
    double frames = r->ledger.written > 0 ? (double)r->ledger.written : 1;
    rn_app_terminal_line("  %-*.*s %9.3f ms %9.3f s %5.0f %%", NAME_WIDTH, NAME_WIDTH, name,
                         1e3 * seconds / frames, seconds,
                         r->wall > 0 ? 100 * seconds / r->wall : 0);
}

static void print_transfer(const struct rn_app_report *r, const char *name, double seconds)
{
    if (r->ndevices && !(r->device[0].shared_memory && seconds <= 0))
        print_row(r, name, seconds);
    else if (r->ndevices)
        rn_app_terminal_line("  %-*s %12s", NAME_WIDTH, name, "mapped");
}

static void print_bound(const struct rn_app_report *r)
{
    double share;
    enum part part = find_bound(r, &share);
    char name[NAME_WIDTH + 1], who[2 * NAME_WIDTH];
    snprintf(who, sizeof who, "%s", part_names[part]);
    if (part == PART_STAGES) {
        int longest = 0;
        for (int i = 1; i < count_stages(r); i++)
            if (r->timings.stage[i] > r->timings.stage[longest])
                longest = i;
        stage_name(rn_chain_stage(r->chain, longest), name, sizeof name);
        snprintf(who, sizeof who, count_stages(r) > 1 ? "filtering (most of it %s)" : "%s", name);
    }
    rn_app_terminal_line(
        share >= BOUND_SHARE
            ? "  %s bounds the run: busy %.0f %% of the time"
            : "  nothing alone bounds the run: even %s is busy only %.0f %% of the time",
        who, 100 * share);
}

static void print_ledger(const struct rn_app_report *r)
{
    const struct rn_io_ledger *l = &r->ledger;
    if (l->in.damage.discontinuities)
        rn_app_terminal_line("  the clock of the input jumps: %lld discontinuit%s repaired",
                             (long long)l->in.damage.discontinuities,
                             l->in.damage.discontinuities == 1 ? "y" : "ies");
    if (l->in.leading)
        rn_app_terminal_line("  the input begins within a group of pictures: %lld that refer to "
                             "what lies before cannot be shown",
                             (long long)l->in.leading);
    if (l->in.gaps && !l->in.damage.missing)
        rn_app_terminal_line("  the pictures pause %lld time%s, %.3f s in all: nothing in the file "
                             "says that any are missing",
                             (long long)l->in.gaps, rn_plural(l->in.gaps), l->in.gap_seconds);
    if (l->in.sound_short > 0 && !l->in.damage.damaged)
        rn_app_terminal_line("  the sound ends %.3f s before the pictures: nothing in the file "
                             "says that any is missing",
                             l->in.sound_short);
    if (l->in.announced >= 0 && l->in.announced != l->in.packets)
        rn_app_terminal_line(
            "  announced: %lld packet%s of pictures; read: %lld; decoded: %lld frame%s",
            (long long)l->in.announced, rn_plural(l->in.announced), (long long)l->in.packets,
            (long long)l->in.decoded, rn_plural(l->in.decoded));
}

static void print_lanes(const struct rn_app_report *r)
{
    char again[96] = "";
    if (r->timings.timed && r->timings.timed < r->timings.frames)
        rn_app_terminal_line("  the stages' times: sampled, 1 frame in %.0f",
                             (double)r->timings.frames / (double)r->timings.timed);
    if (r->meter.pool.again)
        snprintf(again, sizeof again, "; %lld computed once more, as neighbours of others",
                 (long long)r->meter.pool.again);
    if (r->meter.pool.lanes > 1)
        rn_app_terminal_line("  %d frames were computed at once, %d in flight%s: the stages' times "
                             "are of all together",
                             r->meter.pool.lanes, r->meter.inflight, again);
    if (r->meter.pool.batch > 1)
        rn_app_terminal_line(
            "  the device took up to %d frames together, %.1f on average; up to %d in flight",
            r->meter.pool.batch, (double)r->timings.frames / (double)r->meter.pool.batches,
            r->meter.inflight);
}

static void print_table(const struct rn_app_report *r)
{
    char name[NAME_WIDTH + 1];
    rn_app_terminal_line("  %-*s %12s %11s %7s", NAME_WIDTH, "", "per frame", "in all", "share");
    print_row(r, "decode", r->meter.decode);
    print_transfer(r, "upload", r->timings.upload);
    int n = count_stages(r);
    for (int i = 0; i < n; i++)
        print_row(r, stage_name(rn_chain_stage(r->chain, i), name, sizeof name),
                  elapsed(r, r->timings.stage[i]));
    if (n < RN_MAX_STAGES && r->timings.stage[n] > 0)
        print_row(r, "filters of a recording", elapsed(r, r->timings.stage[n]));
    print_transfer(r, "download", r->timings.download);
    print_row(r, "encode", r->encode);
    print_row(r, "waiting: reader (for a free slot)", r->meter.wait_reader);
    print_row(r, "waiting: device (for the reader)", r->meter.pool.idle);
    print_row(r, "waiting: writer (for the device)", r->meter.wait_writer);
    print_row(r, "the run", r->wall);
    rn_app_terminal_line(
        "  all of this happens at the same time: the shares can add up to more than 100 %%");
    rn_app_terminal_line("%s", "");
    print_bound(r);
    print_lanes(r);
}

void rn_app_report_print(const struct rn_app_report *r)
{
    char place[sizeof r->device[0].name + 32] = "";
    rn_app_terminal_status(NULL);
    rn_app_terminal_line("%s", "");
    if (!r->part)
        print_table(r);
    if (count_stages(r) || r->ndevices)
        snprintf(place, sizeof place, ", on %s%s",
                 r->ndevices ? r->device[0].name : "the C reference path",
                 r->ndevices > 1 ? " and others" : "");
    rn_app_terminal_line("  %lld frame%s, %.1f fps%s; %s %.2f s", (long long)r->ledger.written,
                         rn_plural(r->ledger.written),
                         r->wall > 0 ? (double)r->ledger.written / r->wall : 0, place,
                         r->part ? "in all" : "start-up", r->part ? r->wall : r->setup);
    if (r->timings.by_field)
        rn_app_terminal_line("  %lld frame%s filtered field by field",
                             (long long)r->timings.by_field,
                             r->timings.by_field == 1 ? " was" : "s were");
    print_ledger(r);
    if (r->path && r->noutputs == 1)
        rn_app_terminal_line("  %s: %s", r->complete ? "output" : "partial output", r->path);
}

void rn_app_report_losses(const struct rn_losses *losses)
{
    for (int i = 0; i < rn_losses_count(losses); i++)
        rn_log(RN_LOG_WARNING, "lost: %s", rn_losses_get(losses, i)->text);
    int more = rn_losses_total(losses) - rn_losses_count(losses);
    if (more > 0)
        rn_log(RN_LOG_WARNING, "lost: %d thing%s more", more, rn_plural(more));
}

const char *rn_app_report_lacks(const struct rn_losses *losses, char text[RN_REPORT_LACKS])
{
    int total = rn_losses_total(losses), n = 0;
    size_t used = 0, size = RN_REPORT_LACKS - 40; /* reserves space for "; and N more" */
    if (rn_log_level() >= RN_LOG_WARNING) {
        snprintf(text, RN_REPORT_LACKS, "%d loss%s listed above", total,
                 total == 1 ? " is" : "es are");
        return text;
    }
    *text = '\0';
    for (; n < rn_losses_count(losses); n++) {
        const char *loss = rn_losses_get(losses, n)->text;
        if (used + strlen(loss) + 8 > size)
            break;
        used += (size_t)snprintf(text + used, size - used, "%s%s", n ? "; " : "lost: ", loss);
    }
    if (n < total)
        snprintf(text + used, RN_REPORT_LACKS - used, "; and %d more", total - n);
    return text;
}

/* ---- --metrics */

static json_t *outputs(const struct rn_app_report *r)
{
    json_t *list = json_array();
    for (int i = 0; list && i < r->noutputs; i++) {
        const struct rn_app_output *out = &r->outputs[i];
        rn_app_json_append(&list, rn_app_json_make("path:t width:i height:i frames:I complete:b",
                                                   out->path, out->w, out->h, out->ledger.written,
                                                   out->complete));
    }
    return list;
}

static void put_device(json_t **o, const struct rn_app_report *r)
{
    const struct rn_device_info *d = &r->device[0];
    const char *name = r->ndevices ? d->name : r->have_device ? "none" : NULL;
    json_t *names = json_array();
    for (int i = 0; i < r->ndevices; i++)
        json_array_append_new(names, rn_app_json_text(r->device[i].name));
    bool on = r->ndevices > 0;
    rn_app_json_fill(o,
                     "device:t devices:o? device_type:t device_platform:t device_driver:t "
                     "device_version:t device_shares_memory:b?",
                     name, r->have_device, names, on ? d->type : NULL, on ? d->platform_name : NULL,
                     on ? d->driver : NULL, on ? d->version : NULL, on, d->shared_memory);
}

static json_t *ledger(const struct rn_app_report *r)
{
    const struct rn_io_intake *in = &r->ledger.in;
    const struct rn_io_outflow *out = &r->ledger.out;
    const bool known = out->counted;
    return rn_app_json_make(
        "packets_announced:c packets_read:I packets_hidden:I packets_leading:I packets_lost:I "
        "bytes_surplus:I frames_decoded:I frames_filtered:I frames_written:I frames_repeated:I? "
        "frames_dropped:I+ frames_encoded:I+ packets_encoded:I+ packets_written:I+ output_off_s:f+ "
        "older_files:I+ frames_copied_in:I frames_copied_out:I? bytes_uploaded:I "
        "bytes_downloaded:I gaps:I gaps_s:f sound_short_s:f expected_exact:b? range_short:b",
        in->announced, in->packets, in->hidden, in->leading, in->unanswered, in->damage.surplus,
        in->decoded, r->ledger.read, r->ledger.written, known, out->repeated, out->dropped,
        out->frames, out->encoded, out->packets, out->seconds_lost, out->older_files, in->copied,
        known, out->copied, r->timings.uploaded, r->timings.downloaded, in->gaps, in->gap_seconds,
        in->sound_short, r->have_stream, r->stream.exact, in->short_range);
}

static json_t *stages(const struct rn_app_report *r)
{
    json_t *list = json_array();
    for (int i = 0; list && r->chain && i < rn_chain_count(r->chain); i++) {
        const struct rn_stage *stage = rn_chain_stage(r->chain, i);
        rn_app_json_append(&list, rn_app_json_make("name:t label:t total_s:f?", stage->desc->name,
                                                   stage->label, r->streamed && r->have_device,
                                                   r->timings.stage[i]));
    }
    return list;
}

static json_t *losses(const struct rn_losses *all)
{
    json_t *list = json_array();
    for (int i = 0; list && i < rn_losses_count(all); i++)
        rn_app_json_append(&list, rn_app_json_make("kind:t text:t", rn_losses_get(all, i)->kind,
                                                   rn_losses_get(all, i)->text));
    return list;
}

static json_t *make_record(const struct rn_app_report *r, int status)
{
    json_t *o = json_object();
    const struct rn_pool_meter *pool = &r->meter.pool;
    const struct rn_io_damage *damage = &r->ledger.in.damage;
    struct rusage usage;
    bool measured = getrusage(RUSAGE_SELF, &usage) == 0, ran = r->streamed;
    char format[24], *chain = r->chain ? rn_chain_format(r->chain) : NULL;
    double share = 0, fps = r->wall > 0 ? (double)r->ledger.written / r->wall : 0;
    const char *bound = ran && !r->part ? part_names[find_bound(r, &share)] : NULL;
    rn_app_json_fill(&o,
                     "schema:i program:t version:t command:t exit_status:i complete:b input:t "
                     "output:t output_path:t outputs:o chain:o",
                     RN_METRICS_SCHEMA, "runnel", RN_VERSION, r->cli->command->name, status,
                     r->complete, r->cli->operand[0], r->output, r->path, outputs(r),
                     r->chain && !chain ? NULL : rn_app_json_text(chain));
    free(chain);
    put_device(&o, r);
    rn_app_json_fill(
        &o,
        "width:i? height:i+ pixel_format:t inflight:i lanes:i? batch:i+ batches:I+ frames_again:I+ "
        "threads:i frames_expected:c? frames_in:I? frames_out:I+ frames_by_field:I+ "
        "frames_damaged:I+ frames_missing:I+ discontinuities:I+ changes_unapplied:I+ ledger:o+ "
        "losses:o+",
        r->have_stream, r->stream.geom.w, r->stream.geom.h,
        r->have_stream ? rn_format_name(&r->stream.geom.fmt, format) : NULL,
        r->meter.inflight ? r->meter.inflight : r->cli->inflight, ran, pool->lanes, pool->batch,
        pool->batches, pool->again, r->cli->threads, r->have_stream, r->stream.frames, ran,
        r->ledger.read, r->ledger.written, r->timings.by_field, damage->damaged, damage->missing,
        damage->discontinuities, (int64_t)r->unapplied, ledger(r), losses(r->losses));
    rn_app_json_fill(
        &o,
        "setup_s:f? wall_s:f+ fps:f+ decode_s:f+ upload_s:f+ stages:o download_s:f? encode_s:f+ "
        "submit_s:f+ wait_reader_s:f+ wait_device_s:f+ wait_writer_s:f+ bound:t bound_share:f? "
        "peak_rss_bytes:c",
        ran, r->setup, r->wall, fps, r->meter.decode, r->timings.upload, stages(r), ran,
        r->timings.download, r->encode, pool->submit, r->meter.wait_reader, pool->idle,
        r->meter.wait_writer, bound, bound != NULL, share,
        measured ? (int64_t)1024 * usage.ru_maxrss : -1);
    return o;
}

int rn_app_metrics_write(const char *path, const struct rn_app_report *r, int status)
{
    return rn_app_json_write(make_record(r, status), path);
}

int rn_app_metrics_describe(void)
{
    const struct rn_app_command command = {.name = ""};
    const struct rn_app_cli cli = {.command = &command};
    struct rn_app_output output = {.name = NULL};
    RN_OWNED(rn_losses_destroy) struct rn_losses *all = rn_losses_create();
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    int err = rn_chain_parse(&chain, "invert");
    rn_losses_add(all, "", " ");
    const struct rn_app_report r = {&cli, .chain = chain, .outputs = &output, .noutputs = 1,
                                    .losses = all};
    return err ? err : rn_app_metrics_write(NULL, &r, 0);
}
