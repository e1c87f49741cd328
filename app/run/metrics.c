#include "app/run/metrics.h"

#include "app/run/json.h"
#include "app/version.h"
#include "filters/core/chain/chain_internal.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/textout.h"

#include <stdlib.h>
#include <sys/resource.h>

static json_t *peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? rn_app_json_count(1024LL * usage.ru_maxrss)
                                               : json_null();
}

static json_t *chain_text(const struct rn_chain *chain)
{
    if (!chain)
        return json_null();
    char *text = rn_chain_format(chain);
    json_t *json = text ? rn_app_json_text(text) : NULL;
    free(text);
    return json;
}

static json_t *outputs(const struct rn_app_report *r)
{
    json_t *list = json_array();
    for (int i = 0; list && i < r->noutputs; i++) {
        const struct rn_app_output *out = &r->outputs[i];
        struct rn_app_json_object o = rn_app_json_begin();
        rn_app_json_put(&o, "path", rn_app_json_text(out->path));
        rn_app_json_put(&o, "width", json_integer(out->w));
        rn_app_json_put(&o, "height", json_integer(out->h));
        rn_app_json_put(&o, "frames", json_integer(out->ledger.written));
        rn_app_json_put(&o, "complete", json_boolean(out->complete));
        rn_app_json_append(&list, rn_app_json_end(&o));
    }
    return list;
}

static void put_geometry(struct rn_app_json_object *o, const struct rn_app_report *r)
{
    const struct rn_geom *in = &r->stream.geom;
    char name[24] = "";
    if (r->have_stream)
        rn_format_name(&in->fmt, name);
    rn_app_json_put(o, "width", rn_app_json_when(r->have_stream, json_integer(in->w)));
    rn_app_json_put(o, "height", rn_app_json_when(r->have_stream, json_integer(in->h)));
    rn_app_json_put(o, "pixel_format", rn_app_json_text(r->have_stream ? name : NULL));
}

static json_t *device_names(const struct rn_app_report *r)
{
    json_t *names = json_array();
    for (int i = 0; i < r->ndevices; i++)
        json_array_append_new(names, rn_app_json_text(r->device[i].name));
    return names;
}

static void put_device(struct rn_app_json_object *o, const struct rn_app_report *r)
{
    const struct rn_device_info *d = &r->device[0];
    const char *name = r->on_device ? d->name : r->have_device ? "none" : NULL;
    rn_app_json_put(o, "device", rn_app_json_text(name));
    rn_app_json_put(o, "devices", rn_app_json_when(r->have_device, device_names(r)));
    rn_app_json_put(o, "device_type", rn_app_json_text(r->on_device ? d->type : NULL));
    rn_app_json_put(o, "device_platform", rn_app_json_text(r->on_device ? d->platform_name : NULL));
    rn_app_json_put(o, "device_driver", rn_app_json_text(r->on_device ? d->driver : NULL));
    rn_app_json_put(o, "device_version", rn_app_json_text(r->on_device ? d->version : NULL));
    rn_app_json_put(o, "device_shares_memory",
                    rn_app_json_when(r->on_device, json_boolean(d->shared_memory)));
}

static void put_frames(struct rn_app_json_object *o, const struct rn_app_report *r)
{
    bool ran = r->streamed;
    rn_app_json_put(o, "frames_expected",
                    rn_app_json_when(r->have_stream, rn_app_json_count(r->stream.frames)));
    rn_app_json_put(o, "frames_in", rn_app_json_when(ran, json_integer(r->ledger.read)));
    rn_app_json_put(o, "frames_out", rn_app_json_when(ran, json_integer(r->ledger.written)));
    rn_app_json_put(o, "frames_by_field", rn_app_json_when(ran, json_integer(r->timings.by_field)));
    rn_app_json_put(o, "frames_damaged",
                    rn_app_json_when(ran, json_integer(r->ledger.in.damage.damaged)));
    rn_app_json_put(o, "frames_missing",
                    rn_app_json_when(ran, json_integer(r->ledger.in.damage.missing)));
    rn_app_json_put(o, "discontinuities",
                    rn_app_json_when(ran, json_integer(r->ledger.in.damage.discontinuities)));
    rn_app_json_put(o, "changes_unapplied", rn_app_json_when(ran, json_integer(r->unapplied)));
}

static json_t *ledger(const struct rn_app_report *r)
{
    const struct rn_io_intake *in = &r->ledger.in;
    const struct rn_io_outflow *out = &r->ledger.out;
    struct rn_app_json_object o = rn_app_json_begin();
    rn_app_json_put(&o, "packets_announced", rn_app_json_count(in->announced));
    rn_app_json_put(&o, "packets_read", json_integer(in->packets));
    rn_app_json_put(&o, "packets_hidden", json_integer(in->hidden));
    rn_app_json_put(&o, "packets_leading", json_integer(in->leading));
    rn_app_json_put(&o, "packets_lost", json_integer(in->unanswered));
    rn_app_json_put(&o, "frames_decoded", json_integer(in->decoded));
    rn_app_json_put(&o, "frames_filtered", json_integer(r->ledger.read));
    rn_app_json_put(&o, "frames_written", json_integer(r->ledger.written));
    rn_app_json_put(&o, "frames_repeated",
                    rn_app_json_when(out->counted, json_integer(out->repeated)));
    rn_app_json_put(&o, "frames_dropped",
                    rn_app_json_when(out->counted, json_integer(out->dropped)));
    rn_app_json_put(&o, "frames_encoded",
                    rn_app_json_when(out->counted, json_integer(out->frames)));
    rn_app_json_put(&o, "packets_encoded",
                    rn_app_json_when(out->counted, json_integer(out->encoded)));
    rn_app_json_put(&o, "packets_written",
                    rn_app_json_when(out->counted, json_integer(out->packets)));
    rn_app_json_put(&o, "output_off_s",
                    rn_app_json_when(out->counted, rn_app_json_real(out->seconds_lost)));
    rn_app_json_put(&o, "frames_copied_in", json_integer(in->copied));
    rn_app_json_put(&o, "frames_copied_out",
                    rn_app_json_when(out->counted, json_integer(out->copied)));
    rn_app_json_put(&o, "bytes_uploaded", json_integer(r->timings.uploaded));
    rn_app_json_put(&o, "bytes_downloaded", json_integer(r->timings.downloaded));
    rn_app_json_put(&o, "gaps", json_integer(in->gaps));
    rn_app_json_put(&o, "gaps_s", rn_app_json_real(in->gap_seconds));
    rn_app_json_put(&o, "sound_short_s", rn_app_json_real(in->sound_short));
    rn_app_json_put(&o, "expected_exact",
                    rn_app_json_when(r->have_stream, json_boolean(r->stream.exact)));
    rn_app_json_put(&o, "range_short", json_boolean(in->short_range));
    return rn_app_json_end(&o);
}

static json_t *stages(const struct rn_app_report *r)
{
    json_t *list = json_array();
    for (int i = 0; list && r->chain && i < r->chain->n; i++) {
        const struct rn_stage *stage = r->chain->stage[i];
        struct rn_app_json_object o = rn_app_json_begin();
        rn_app_json_put(&o, "name", rn_app_json_text(stage->desc->name));
        rn_app_json_put(&o, "label", rn_app_json_text(stage->label));
        rn_app_json_put(&o, "total_s",
                        rn_app_json_when(r->streamed, rn_app_json_real(r->timings.stage[i])));
        rn_app_json_append(&list, rn_app_json_end(&o));
    }
    return list;
}

static json_t *losses(const struct rn_losses *all)
{
    json_t *list = json_array();
    for (int i = 0; list && i < rn_losses_count(all); i++) {
        struct rn_app_json_object o = rn_app_json_begin();
        rn_app_json_put(&o, "kind", rn_app_json_text(rn_losses_get(all, i)->kind));
        rn_app_json_put(&o, "text", rn_app_json_text(rn_losses_get(all, i)->text));
        rn_app_json_append(&list, rn_app_json_end(&o));
    }
    return list;
}

static void put_times(struct rn_app_json_object *o, const struct rn_app_report *r)
{
    double share = 0;
    const char *bound = r->streamed ? rn_app_part_name(rn_app_report_bound(r, &share)) : NULL;
    bool ran = r->streamed;
    double fps = r->wall > 0 ? (double)r->ledger.written / r->wall : 0;
    rn_app_json_put(o, "setup_s", rn_app_json_when(ran, rn_app_json_real(r->setup)));
    rn_app_json_put(o, "wall_s", rn_app_json_when(ran, rn_app_json_real(r->wall)));
    rn_app_json_put(o, "fps", rn_app_json_when(ran, rn_app_json_real(fps)));
    rn_app_json_put(o, "decode_s", rn_app_json_when(ran, rn_app_json_real(r->meter.decode)));
    rn_app_json_put(o, "upload_s", rn_app_json_when(ran, rn_app_json_real(r->timings.upload)));
    rn_app_json_put(o, "stages", stages(r));
    rn_app_json_put(o, "download_s", rn_app_json_when(ran, rn_app_json_real(r->timings.download)));
    rn_app_json_put(o, "encode_s", rn_app_json_when(ran, rn_app_json_real(r->encode)));
    rn_app_json_put(o, "submit_s", rn_app_json_when(ran, rn_app_json_real(r->meter.submit)));
    rn_app_json_put(o, "wait_reader_s",
                    rn_app_json_when(ran, rn_app_json_real(r->meter.wait_reader)));
    rn_app_json_put(o, "wait_device_s",
                    rn_app_json_when(ran, rn_app_json_real(r->meter.wait_device)));
    rn_app_json_put(o, "wait_writer_s",
                    rn_app_json_when(ran, rn_app_json_real(r->meter.wait_writer)));
    rn_app_json_put(o, "bound", rn_app_json_text(bound));
    rn_app_json_put(o, "bound_share", rn_app_json_when(ran, rn_app_json_real(share)));
}

static json_t *make_record(const struct rn_app_report *r, int status)
{
    struct rn_app_json_object o = rn_app_json_begin();
    rn_app_json_put(&o, "schema", json_integer(RN_METRICS_SCHEMA));
    rn_app_json_put(&o, "program", json_string("runnel"));
    rn_app_json_put(&o, "version", json_string(RN_VERSION));
    rn_app_json_put(&o, "command", rn_app_json_text(r->cli->command->name));
    rn_app_json_put(&o, "exit_status", json_integer(status));
    rn_app_json_put(&o, "complete", json_boolean(r->complete));
    rn_app_json_put(&o, "input", rn_app_json_text(r->input));
    rn_app_json_put(&o, "output", rn_app_json_text(r->output));
    rn_app_json_put(&o, "output_path", rn_app_json_text(r->path));
    rn_app_json_put(&o, "outputs", outputs(r));
    rn_app_json_put(&o, "chain", chain_text(r->chain));
    put_device(&o, r);
    put_geometry(&o, r);
    rn_app_json_put(&o, "inflight",
                    json_integer(r->meter.inflight ? r->meter.inflight : r->cli->inflight));
    rn_app_json_put(&o, "lanes", rn_app_json_when(r->streamed, json_integer(r->meter.lanes)));
    rn_app_json_put(&o, "batch", rn_app_json_when(r->streamed, json_integer(r->meter.batch)));
    rn_app_json_put(&o, "batches", rn_app_json_when(r->streamed, json_integer(r->meter.batches)));
    rn_app_json_put(&o, "frames_again",
                    rn_app_json_when(r->streamed, json_integer(r->meter.again)));
    rn_app_json_put(&o, "threads", json_integer(r->cli->threads));
    put_frames(&o, r);
    rn_app_json_put(&o, "ledger", rn_app_json_when(r->streamed, ledger(r)));
    rn_app_json_put(&o, "losses", rn_app_json_when(r->streamed, losses(r->losses)));
    put_times(&o, r);
    rn_app_json_put(&o, "peak_rss_bytes", peak_memory());
    return rn_app_json_end(&o);
}

int rn_app_metrics_write(const char *path, const struct rn_app_report *r, int status)
{
    struct rn_textout *out = NULL;
    json_t *record = make_record(r, status);
    char *text = rn_app_json_dump(record, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    int err = text ? rn_textout_open(&out, path) : rn_fail_memory();
    if (!err) {
        fprintf(rn_textout_stream(out), "%s\n", text);
        err = rn_textout_close(&out, RN_TEXT_COMPLETE);
    }
    free(text);
    json_decref(record);
    return err;
}
