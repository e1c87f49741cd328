/* SPDX-License-Identifier: MIT */
#include "app/run/report.h"

#include "app/run/json.h"
#include "filters/base/owned.h"
#include "filters/base/version.h"

#include <stdlib.h>
#include <sys/resource.h>

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

static void put_device(struct rn_app_json_object *o, const struct rn_app_report *r)
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
        "frames_dropped:I? "
        "frames_encoded:I? packets_encoded:I? packets_written:I? output_off_s:f? "
        "older_files:I? "
        "frames_copied_in:I "
        "frames_copied_out:I? bytes_uploaded:I bytes_downloaded:I gaps:I gaps_s:f sound_short_s:f "
        "expected_exact:b? range_short:b",
        in->announced, in->packets, in->hidden, in->leading, in->unanswered, in->damage.surplus,
        in->decoded, r->ledger.read, r->ledger.written, known, out->repeated, known, out->dropped,
        known, out->frames, known, out->encoded, known, out->packets, known, out->seconds_lost,
        known, out->older_files, in->copied, known, out->copied, r->timings.uploaded,
        r->timings.downloaded, in->gaps, in->gap_seconds, in->sound_short, r->have_stream,
        r->stream.exact, in->short_range);
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
    struct rn_app_json_object o = rn_app_json_begin();
    const struct rn_pool_meter *pool = &r->meter.pool;
    const struct rn_io_damage *damage = &r->ledger.in.damage;
    struct rusage usage;
    bool measured = getrusage(RUSAGE_SELF, &usage) == 0, ran = r->streamed;
    char format[24], *chain = r->chain ? rn_chain_format(r->chain) : NULL;
    double share = 0, fps = r->wall > 0 ? (double)r->ledger.written / r->wall : 0;
    const char *bound = ran && !r->part ? rn_app_part_name(rn_app_report_bound(r, &share)) : NULL;
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
        "width:i? height:i? pixel_format:t inflight:i lanes:i? batch:i? batches:I? frames_again:I? "
        "threads:i frames_expected:c? frames_in:I? frames_out:I? frames_by_field:I? "
        "frames_damaged:I? frames_missing:I? discontinuities:I? changes_unapplied:I? ledger:o? "
        "losses:o?",
        r->have_stream, r->stream.geom.w, r->have_stream, r->stream.geom.h,
        r->have_stream ? rn_format_name(&r->stream.geom.fmt, format) : NULL,
        r->meter.inflight ? r->meter.inflight : r->cli->inflight, ran, pool->lanes, ran,
        pool->batch, ran, pool->batches, ran, pool->again, r->cli->threads, r->have_stream,
        r->stream.frames, ran, r->ledger.read, ran, r->ledger.written, ran, r->timings.by_field,
        ran, damage->damaged, ran, damage->missing, ran, damage->discontinuities, ran,
        (int64_t)r->unapplied, ran, ledger(r), ran, losses(r->losses));
    rn_app_json_fill(
        &o,
        "setup_s:f? wall_s:f? fps:f? decode_s:f? upload_s:f? stages:o download_s:f? encode_s:f? "
        "submit_s:f? wait_reader_s:f? wait_device_s:f? wait_writer_s:f? bound:t bound_share:f? "
        "peak_rss_bytes:c",
        ran, r->setup, ran, r->wall, ran, fps, ran, r->meter.decode, ran, r->timings.upload,
        stages(r), ran, r->timings.download, ran, r->encode, ran, pool->submit, ran,
        r->meter.wait_reader, ran, pool->idle, ran, r->meter.wait_writer, bound, bound != NULL,
        share, measured ? (int64_t)1024 * usage.ru_maxrss : -1);
    return rn_app_json_end(&o);
}

int rn_app_metrics_write(const char *path, const struct rn_app_report *r, int status)
{
    return rn_app_json_write(make_record(r, status), path);
}

int rn_app_metrics_describe(const struct rn_app_command *command)
{
    const struct rn_app_cli cli = {.command = command};
    struct rn_app_output output = {.name = NULL};
    RN_OWNED(rn_losses_destroy) struct rn_losses *all = rn_losses_create();
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    int err = rn_chain_parse(&chain, "invert");
    rn_losses_add(all, "", " ");
    const struct rn_app_report r = {&cli, .chain = chain, .outputs = &output, .noutputs = 1,
                                    .losses = all};
    return err ? err : rn_app_metrics_write(NULL, &r, 0);
}
