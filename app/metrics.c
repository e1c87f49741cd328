#include "app/metrics.h"

#include "app/json.h"
#include "app/version.h"
#include "filters/core/chain_internal.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/textout.h"

#include <stdlib.h>
#include <sys/resource.h>

/* A member that is missing for want of memory makes the whole object useless. */
struct object {
    json_t *json;
    bool failed;
};

/* Takes value over. */
static void put(struct object *o, const char *key, json_t *value)
{
    if (json_object_set_new(o->json, key, value))
        o->failed = true;
}

/* The object, or NULL if anything of it is missing. */
static json_t *whole(struct object *o)
{
    if (!o->failed)
        return o->json;
    json_decref(o->json);
    return NULL;
}

static json_t *when(bool known, json_t *value)
{
    if (known)
        return value;
    json_decref(value);
    return json_null();
}

static json_t *peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? rn_json_count(1024LL * usage.ru_maxrss)
                                               : json_null();
}

static json_t *chain_text(const struct rn_chain *chain)
{
    if (!chain)
        return json_null();
    char *text = rn_chain_format(chain);
    json_t *json = text ? rn_json_text(text) : NULL;
    free(text);
    return json;
}

static json_t *outputs(const struct rn_report *r)
{
    json_t *list = json_array();
    for (int i = 0; list && i < r->noutputs; i++) {
        const struct rn_output *out = &r->outputs[i];
        struct object o = {json_object(), false};
        put(&o, "path", rn_json_text(out->path));
        put(&o, "width", json_integer(out->w));
        put(&o, "height", json_integer(out->h));
        put(&o, "frames", json_integer(out->ledger.written));
        put(&o, "complete", json_boolean(out->complete));
        if (json_array_append_new(list, whole(&o))) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static void put_geometry(struct object *o, const struct rn_report *r)
{
    const struct rn_geom *in = &r->stream.geom;
    char name[24] = "";
    if (r->have_stream)
        rn_format_name(&in->fmt, name);
    put(o, "width", when(r->have_stream, json_integer(in->w)));
    put(o, "height", when(r->have_stream, json_integer(in->h)));
    put(o, "pixel_format", rn_json_text(r->have_stream ? name : NULL));
}

static void put_device(struct object *o, const struct rn_report *r)
{
    const struct rn_device_info *d = &r->device;
    const char *name = r->on_device ? d->name : r->have_device ? "none" : NULL;
    put(o, "device", rn_json_text(name));
    put(o, "device_type", rn_json_text(r->on_device ? d->type : NULL));
    put(o, "device_platform", rn_json_text(r->on_device ? d->platform_name : NULL));
    put(o, "device_driver", rn_json_text(r->on_device ? d->driver : NULL));
    put(o, "device_version", rn_json_text(r->on_device ? d->version : NULL));
    put(o, "device_shares_memory", when(r->on_device, json_boolean(d->shared_memory)));
}

static void put_frames(struct object *o, const struct rn_report *r)
{
    bool ran = r->streamed;
    put(o, "frames_expected", when(r->have_stream, rn_json_count(r->stream.frames)));
    put(o, "frames_in", when(ran, json_integer(r->ledger.read)));
    put(o, "frames_out", when(ran, json_integer(r->ledger.written)));
    put(o, "frames_by_field", when(ran, json_integer(r->timings.by_field)));
    put(o, "frames_damaged", when(ran, json_integer(r->ledger.in.damage.damaged)));
    put(o, "frames_missing", when(ran, json_integer(r->ledger.in.damage.missing)));
    put(o, "discontinuities", when(ran, json_integer(r->ledger.in.damage.discontinuities)));
    put(o, "changes_unapplied", when(ran, json_integer(r->unapplied)));
}

static json_t *ledger(const struct rn_report *r)
{
    const struct rn_intake *in = &r->ledger.in;
    const struct rn_outflow *out = &r->ledger.out;
    struct object o = {json_object(), false};
    put(&o, "packets_announced", rn_json_count(in->announced));
    put(&o, "packets_read", json_integer(in->packets));
    put(&o, "packets_hidden", json_integer(in->hidden));
    put(&o, "packets_leading", json_integer(in->leading));
    put(&o, "packets_lost", json_integer(in->unanswered));
    put(&o, "frames_decoded", json_integer(in->decoded));
    put(&o, "frames_filtered", json_integer(r->ledger.read));
    put(&o, "frames_written", json_integer(r->ledger.written));
    put(&o, "frames_repeated", when(out->counted, json_integer(out->repeated)));
    put(&o, "frames_dropped", when(out->counted, json_integer(out->dropped)));
    put(&o, "frames_encoded", when(out->counted, json_integer(out->frames)));
    put(&o, "packets_encoded", when(out->counted, json_integer(out->encoded)));
    put(&o, "packets_written", when(out->counted, json_integer(out->packets)));
    put(&o, "output_off_s", when(out->counted, rn_json_real(out->seconds_lost)));
    put(&o, "gaps", json_integer(in->gaps));
    put(&o, "gaps_s", rn_json_real(in->gap_seconds));
    put(&o, "expected_exact", when(r->have_stream, json_boolean(r->stream.exact)));
    put(&o, "range_short", json_boolean(in->short_range));
    return whole(&o);
}

static json_t *stages(const struct rn_report *r)
{
    json_t *list = json_array();
    for (int i = 0; list && r->chain && i < r->chain->n; i++) {
        const struct rn_stage *stage = r->chain->stage[i];
        struct object o = {json_object(), false};
        put(&o, "name", rn_json_text(stage->desc->name));
        put(&o, "label", rn_json_text(stage->label));
        put(&o, "total_s", when(r->streamed, rn_json_real(r->timings.stage[i])));
        if (json_array_append_new(list, whole(&o))) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *losses(const struct rn_losses *all)
{
    json_t *list = json_array();
    for (int i = 0; list && i < rn_losses_count(all); i++) {
        struct object o = {json_object(), false};
        put(&o, "kind", rn_json_text(rn_losses_get(all, i)->kind));
        put(&o, "text", rn_json_text(rn_losses_get(all, i)->text));
        if (json_array_append_new(list, whole(&o))) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static void put_times(struct object *o, const struct rn_report *r)
{
    double share = 0;
    const char *bound = r->streamed ? rn_part_name(rn_report_bound(r, &share)) : NULL;
    bool ran = r->streamed;
    double fps = r->wall > 0 ? (double)r->ledger.written / r->wall : 0;
    put(o, "setup_s", when(ran, rn_json_real(r->setup)));
    put(o, "wall_s", when(ran, rn_json_real(r->wall)));
    put(o, "fps", when(ran, rn_json_real(fps)));
    put(o, "decode_s", when(ran, rn_json_real(r->meter.decode)));
    put(o, "upload_s", when(ran, rn_json_real(r->timings.upload)));
    put(o, "stages", stages(r));
    put(o, "download_s", when(ran, rn_json_real(r->timings.download)));
    put(o, "encode_s", when(ran, rn_json_real(r->encode)));
    put(o, "submit_s", when(ran, rn_json_real(r->meter.submit)));
    put(o, "wait_reader_s", when(ran, rn_json_real(r->meter.wait_reader)));
    put(o, "wait_device_s", when(ran, rn_json_real(r->meter.wait_device)));
    put(o, "wait_writer_s", when(ran, rn_json_real(r->meter.wait_writer)));
    put(o, "bound", rn_json_text(bound));
    put(o, "bound_share", when(ran, rn_json_real(share)));
}

static json_t *make_record(const struct rn_report *r, int status)
{
    struct object o = {json_object(), false};
    put(&o, "schema", json_integer(RN_METRICS_SCHEMA));
    put(&o, "program", json_string("runnel"));
    put(&o, "version", json_string(RN_VERSION));
    put(&o, "command", rn_json_text(r->cli->command->name));
    put(&o, "exit_status", json_integer(status));
    put(&o, "complete", json_boolean(r->complete));
    put(&o, "input", rn_json_text(r->input));
    put(&o, "output", rn_json_text(r->output));
    put(&o, "output_path", rn_json_text(r->path));
    put(&o, "outputs", outputs(r));
    put(&o, "chain", chain_text(r->chain));
    put_device(&o, r);
    put_geometry(&o, r);
    put(&o, "inflight", json_integer(r->cli->inflight));
    put(&o, "threads", json_integer(r->cli->threads));
    put_frames(&o, r);
    put(&o, "ledger", when(r->streamed, ledger(r)));
    put(&o, "losses", when(r->streamed, losses(r->losses)));
    put_times(&o, r);
    put(&o, "peak_rss_bytes", peak_memory());
    return whole(&o);
}

int rn_metrics_write(const char *path, const struct rn_report *r, int status)
{
    struct rn_textout *out = NULL;
    json_t *record = make_record(r, status);
    char *text = rn_json_dump(record, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    int err = text ? rn_textout_open(&out, path) : rn_fail_memory();
    if (!err) {
        fprintf(rn_textout_stream(out), "%s\n", text);
        err = rn_textout_close(&out, RN_TEXT_COMPLETE);
    }
    free(text);
    json_decref(record);
    return err;
}
