#include "app/run/report.h"

#include "app/run/json.h"
#include "app/version.h"
#include "filters/core/chain/chain.h"

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
    const char *name = r->on_device ? d->name : r->have_device ? "none" : NULL;
    json_t *names = json_array();
    for (int i = 0; i < r->ndevices; i++)
        json_array_append_new(names, rn_app_json_text(r->device[i].name));
    rn_app_json_fill(o, "device:t devices:o? device_type:t device_platform:t device_driver:t", name,
                     r->have_device, names, r->on_device ? d->type : NULL,
                     r->on_device ? d->platform_name : NULL, r->on_device ? d->driver : NULL);
    rn_app_json_fill(o, "device_version:t device_shares_memory:b?",
                     r->on_device ? d->version : NULL, r->on_device, d->shared_memory);
}

static json_t *ledger(const struct rn_app_report *r)
{
    struct rn_app_json_object o = rn_app_json_begin();
    const struct rn_io_intake *in = &r->ledger.in;
    const struct rn_io_outflow *out = &r->ledger.out;
    rn_app_json_fill(&o, "packets_announced:c packets_read:I packets_hidden:I", in->announced,
                     in->packets, in->hidden);
    rn_app_json_fill(&o, "packets_leading:I packets_lost:I frames_decoded:I frames_filtered:I",
                     in->leading, in->unanswered, in->decoded, r->ledger.read);
    rn_app_json_fill(&o, "frames_written:I frames_repeated:I? frames_dropped:I?", r->ledger.written,
                     out->counted, out->repeated, out->counted, out->dropped);
    rn_app_json_fill(&o, "frames_encoded:I? packets_encoded:I? packets_written:I?", out->counted,
                     out->frames, out->counted, out->encoded, out->counted, out->packets);
    rn_app_json_fill(&o, "output_off_s:f? frames_copied_in:I frames_copied_out:I?", out->counted,
                     out->seconds_lost, in->copied, out->counted, out->copied);
    rn_app_json_fill(&o, "bytes_uploaded:I bytes_downloaded:I gaps:I gaps_s:f sound_short_s:f",
                     r->timings.uploaded, r->timings.downloaded, in->gaps, in->gap_seconds,
                     in->sound_short);
    rn_app_json_fill(&o, "expected_exact:b? range_short:b", r->have_stream, r->stream.exact,
                     in->short_range);
    return rn_app_json_end(&o);
}

static json_t *stages(const struct rn_app_report *r)
{
    json_t *list = json_array();
    for (int i = 0; list && r->chain && i < rn_chain_count(r->chain); i++) {
        const struct rn_stage *stage = rn_chain_stage(r->chain, i);
        rn_app_json_append(&list, rn_app_json_make("name:t label:t total_s:f?", stage->desc->name,
                                                   stage->label, r->streamed, r->timings.stage[i]));
    }
    return list;
}

static json_t *losses(const struct rn_losses *all)
{
    json_t *list = json_array();
    for (int i = 0; list && i < rn_losses_count(all); i++) {
        rn_app_json_append(&list, rn_app_json_make("kind:t text:t", rn_losses_get(all, i)->kind,
                                                   rn_losses_get(all, i)->text));
    }
    return list;
}

static void put_times(struct rn_app_json_object *o, const struct rn_app_report *r)
{
    double share = 0;
    const char *bound = r->streamed ? rn_app_part_name(rn_app_report_bound(r, &share)) : NULL;
    bool ran = r->streamed;
    double fps = r->wall > 0 ? (double)r->ledger.written / r->wall : 0;
    rn_app_json_fill(o, "setup_s:f? wall_s:f? fps:f? decode_s:f? upload_s:f? stages:o", ran,
                     r->setup, ran, r->wall, ran, fps, ran, r->meter.decode, ran, r->timings.upload,
                     stages(r));
    rn_app_json_fill(o, "download_s:f? encode_s:f? submit_s:f? wait_reader_s:f?", ran,
                     r->timings.download, ran, r->encode, ran, r->meter.submit, ran,
                     r->meter.wait_reader);
    rn_app_json_fill(o, "wait_device_s:f? wait_writer_s:f? bound:t bound_share:f?", ran,
                     r->meter.wait_device, ran, r->meter.wait_writer, bound, ran, share);
}

static json_t *make_record(const struct rn_app_report *r, int status)
{
    struct rn_app_json_object o = rn_app_json_begin();
    struct rusage usage;
    bool measured = getrusage(RUSAGE_SELF, &usage) == 0, ran = r->streamed;
    char format[24], *chain = r->chain ? rn_chain_format(r->chain) : NULL;
    rn_app_json_fill(&o, "schema:i program:t version:t command:t exit_status:i complete:b",
                     RN_METRICS_SCHEMA, "runnel", RN_VERSION, r->cli->command->name, status,
                     r->complete);
    rn_app_json_fill(&o, "input:t output:t output_path:t outputs:o chain:o", r->input, r->output,
                     r->path, outputs(r), r->chain && !chain ? NULL : rn_app_json_text(chain));
    free(chain);
    put_device(&o, r);
    rn_app_json_fill(&o, "width:i? height:i? pixel_format:t", r->have_stream, r->stream.geom.w,
                     r->have_stream, r->stream.geom.h,
                     r->have_stream ? rn_format_name(&r->stream.geom.fmt, format) : NULL);
    rn_app_json_fill(&o, "inflight:i lanes:i? batch:i? batches:I? frames_again:I? threads:i",
                     r->meter.inflight ? r->meter.inflight : r->cli->inflight, ran, r->meter.lanes,
                     ran, r->meter.batch, ran, r->meter.batches, ran, r->meter.again,
                     r->cli->threads);
    rn_app_json_fill(&o, "frames_expected:c? frames_in:I? frames_out:I? frames_by_field:I?",
                     r->have_stream, r->stream.frames, ran, r->ledger.read, ran, r->ledger.written,
                     ran, r->timings.by_field);
    rn_app_json_fill(&o, "frames_damaged:I? frames_missing:I? discontinuities:I?", ran,
                     r->ledger.in.damage.damaged, ran, r->ledger.in.damage.missing, ran,
                     r->ledger.in.damage.discontinuities);
    rn_app_json_fill(&o, "changes_unapplied:I? ledger:o? losses:o?", ran, (int64_t)r->unapplied,
                     ran, ledger(r), ran, losses(r->losses));
    put_times(&o, r);
    rn_app_json_put(&o, "peak_rss_bytes",
                    measured ? rn_app_json_count(1024LL * usage.ru_maxrss) : json_null());
    return rn_app_json_end(&o);
}

int rn_app_metrics_write(const char *path, const struct rn_app_report *r, int status)
{
    return rn_app_json_write(make_record(r, status), path);
}
