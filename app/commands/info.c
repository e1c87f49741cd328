/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* basename */
#include "app/commands/commands.h"

#include "app/process/environment.h"
#include "app/process/signals.h"
#include "app/run/files.h"
#include "app/run/json.h"
#include "filters/base/owned.h"
#include "filters/base/version.h"
#include "filters/base/text/plural.h"
#include "filters/base/text/printable.h"
#include "io/read/images/names.h"
#include "io/read/inventory.h"
#include "io/volumes/volume.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#define RN_INFO_SCHEMA 1

struct view {
    const char *input;
    const struct rn_io_stream *stream;
    struct rn_read_inventory v;
};

/* ---- text */

/* A title and a list with commas; a line with an empty list is not printed. */
struct line {
    char text[1024];
    size_t n;
    bool has_items;
};

static void __attribute__((format(printf, 3, 4)))
say(struct line *l, bool known, const char *fmt, ...)
{
    va_list args;
    if (!known)
        return;
    va_start(args, fmt);
    l->n += (size_t)snprintf(l->text + l->n, sizeof l->text - l->n, "%s", l->has_items ? ", " : "");
    if (l->n < sizeof l->text)
        l->n += (size_t)vsnprintf(l->text + l->n, sizeof l->text - l->n, fmt, args);
    va_end(args);
    l->n = l->n < sizeof l->text ? l->n : sizeof l->text - 1;
    l->has_items = true;
}

static void end(struct line *l)
{
    rn_printable(l->text, false);
    if (l->has_items)
        printf("%s\n", l->text);
    l->has_items = false;
}

/* Ends the one before. */
static void begin(struct line *l, const char *title)
{
    end(l);
    *l = (struct line){.has_items = false};
    l->n = (size_t)snprintf(l->text, sizeof l->text, "%-13.60s", title);
}

static void say_rate(struct line *l, double bits)
{
    bool large = bits >= 1e6;
    say(l, bits > 0, "%.4g %s", bits / (large ? 1e6 : 1e3), large ? "Mb/s" : "kb/s");
}

/* The rate at which a preview shows a scan is not a property of the input. */
static bool has_rate(const struct view *view)
{
    return !view->v.volume && view->stream->rate.den && view->stream->rate.num;
}

/* Prints the container, and the pictures as they reach the filters. */
static void print_input(const struct view *view)
{
    const struct rn_read_inventory *v = &view->v;
    const struct rn_io_stream *s = view->stream;
    const struct rn_read_inventory_pictures *p = &v->pictures;
    bool has_slices =
        v->volume && v->volume->n[RN_AXIS_CHANNEL] == 1 && v->volume->n[RN_AXIS_TIME] == 1;
    char name[24];
    struct line l = {.n = 0};
    begin(&l, "input");
    say(&l, true, "%.400s", view->input);
    begin(&l, "container");
    say(&l, true, "%s", v->format ? v->format : "none: image files, pages or slices");
    say(&l, isfinite(v->duration) && !v->volume, "%.6g s", v->duration);
    say(&l, isfinite(v->start) && v->start != 0, "starts at %.6g s", v->start);
    say_rate(&l, (double)v->bit_rate);
    say(&l, v->chapters, "%d chapter%s", v->chapters, v->chapters == 1 ? "" : "s");
    say(&l, v->programs > 1, "%d programs", v->programs);
    begin(&l, "pictures");
    say(&l, true, "%dx%d", s->geom.w, s->geom.h);
    say(&l, s->frames >= 0, "%s%" PRId64 " %s%s", s->exact ? "" : "about ", s->frames,
        has_slices  ? "slice"
        : v->volume ? "picture"
                    : "frame",
        s->frames == 1 ? "" : "s");
    say(&l, has_rate(view), "%.6g fps", (double)s->rate.num / s->rate.den);
    say(&l, s->aspect.den && s->aspect.num && s->aspect.num != s->aspect.den, "samples %d:%d",
        s->aspect.num, s->aspect.den);
    say(&l, *p->fields, "%s%s", strcmp(p->fields, "progressive") ? "interlaced, " : "", p->fields);
    say(&l, p->rotation, "to be turned by %d degrees", p->rotation);
    say(&l, p->alpha, "transparent");
    say(&l, p->loop_count, p->loop_count < 0 ? "plays forever" : "plays %d time%s", p->loop_count,
        rn_plural(p->loop_count));
    begin(&l, "samples");
    say(&l, true, "%s", *p->stored ? p->stored : "unknown");
    say(&l, true, "filtered as %s", rn_format_name(&s->geom.fmt, name));
    end(&l);
}

static void print_colours(const struct view *view)
{
    const struct rn_read_inventory_pictures *p = &view->v.pictures;
    static const char none[] = "not said";
    struct line l = {.n = 0};
    begin(&l, "colours");
    say(&l, true, "primaries %s", *p->primaries ? p->primaries : none);
    say(&l, true, "transfer %s", *p->transfer ? p->transfer : none);
    say(&l, true, "matrix %s", *p->matrix ? p->matrix : none);
    say(&l, true, "range %s", *p->range ? p->range : none);
    say(&l, *p->chroma, "chroma %s", p->chroma);
    say(&l, p->max_luminance > 0, "mastered on %.4g..%.4g cd/m2", p->least_luminance,
        p->max_luminance);
    say(&l, p->max_light || p->average_light, "MaxCLL %d, MaxFALL %d cd/m2", p->max_light,
        p->average_light);
    say(&l, p->dolby_vision, "Dolby Vision");
    say(&l, p->hdr10_plus, "HDR10+");
    say(&l, p->icc, "ICC profile");
    say(&l, p->captions, "closed captions");
    end(&l);
}

static void print_volume(const struct rn_vol *v)
{
    int64_t slices = v->n[RN_AXIS_SLICE], channels = v->n[RN_AXIS_CHANNEL];
    int64_t times = v->n[RN_AXIS_TIME];
    const double *o = v->origin;
    double d[9];
    for (int i = 0; i < 9; i++)
        d[i] = v->direction[i / 3][i % 3] + 0.0; /* no -0 */
    const char *unit = v->rescale.unit;
    bool spaced = v->spacing[0] > 0, rescaled = v->rescale.slope != 0;
    struct line l = {.n = 0};
    begin(&l, "volume");
    say(&l, true, "%" PRId64 " slice%s", slices, slices == 1 ? "" : "s");
    say(&l, channels > 1, "%" PRId64 " channels", channels);
    say(&l, times > 1, "%" PRId64 " points in time", times);
    say(&l, v->interval > 0 && times > 1, "%.6g s apart", v->interval);
    say(&l, spaced, "spacing %.6g x %.6g x %.6g mm", v->spacing[0], v->spacing[1], v->spacing[2]);
    say(&l, !spaced, "spacing not said");
    begin(&l, "place");
    say(&l, !v->placed, "not said");
    /* + 0.0: no -0 */
    say(&l, v->placed, "origin %.6g %.6g %.6g mm", o[0] + 0.0, o[1] + 0.0, o[2] + 0.0);
    say(&l, v->placed, "rows along %.4g %.4g %.4g", d[0], d[1], d[2]);
    say(&l, v->placed, "columns %.4g %.4g %.4g", d[3], d[4], d[5]);
    say(&l, v->placed, "slices %.4g %.4g %.4g", d[6], d[7], d[8]);
    begin(&l, "values");
    say(&l, rescaled, "%.9g x sample %+.9g%s%s", v->rescale.slope, v->rescale.intercept,
        *unit ? " " : "", unit);
    say(&l, !rescaled && *unit, "in %s", unit);
    say(&l, !rescaled && !*unit, "as stored: no slope, intercept or unit is said");
    say(&l, v->windowed, "shown from %.6g to %.6g", v->window[0], v->window[1]);
    begin(&l, "made by");
    say(&l, *v->made_by, "%.900s", v->made_by);
    end(&l);
}

static void print_stream(const struct rn_read_inventory_stream *s)
{
    char title[32];
    struct line l = {.n = 0};
    snprintf(title, sizeof title, "%c %d %s", s->pictures ? '*' : ' ', s->index, s->kind);
    begin(&l, title);
    say(&l, true, s->profile ? "%s (%s)" : "%s", s->codec, s->profile);
    say(&l, s->w, "%dx%d", s->w, s->h);
    say(&l, s->rate > 0 && !s->is_attached, "%.6g fps", s->rate);
    say(&l, s->sample_rate, "%d Hz", s->sample_rate);
    say(&l, s->channels, "%s", s->layout);
    say(&l, s->channels && s->bits, "%d bits", s->bits);
    say(&l, s->frames, "%" PRId64 " packet%s", s->frames, rn_plural(s->frames));
    say_rate(&l, (double)s->bit_rate);
    say(&l, isfinite(s->duration), "%.6g s", s->duration);
    say(&l, isfinite(s->start) && s->start != 0, "starts at %.6g s", s->start);
    say(&l, s->language, "%s", s->language);
    say(&l, s->title, "\"%s\"", s->title);
    say(&l, s->file, "file %s", s->file);
    say(&l, s->is_default, "default");
    say(&l, s->is_forced, "forced");
    say(&l, s->is_attached, "attached picture");
    end(&l);
}

static void print_text(const struct view *view)
{
    const struct rn_read_inventory *v = &view->v;
    print_input(view);
    if (v->volume)
        print_volume(v->volume);
    else
        print_colours(view);
    if (v->nstreams)
        printf("streams, by the index that --map takes (* is filtered):\n");
    for (int i = 0; i < v->nstreams; i++)
        print_stream(&v->stream[i]);
    for (int i = 0; i < v->ntags; i++) {
        struct line l = {.n = 0};
        begin(&l, i ? "" : "tags");
        say(&l, true, "%.100s = %.600s", v->tag[i].key, v->tag[i].value);
        end(&l);
    }
}

/* ---- JSON */

/* null for an empty text */
static json_t *named(const char *text)
{
    return rn_app_json_text(text && *text ? text : NULL);
}

/* null for 0 */
static json_t *counted(int64_t n)
{
    return rn_app_json_when(n > 0, json_integer(n));
}

static json_t *rational(struct rn_io_rational r)
{
    char text[32];
    snprintf(text, sizeof text, "%d/%d", r.num, r.den);
    return rn_app_json_text(r.num && r.den ? text : NULL);
}

static json_t *stream_record(const struct rn_read_inventory_stream *s)
{
    return rn_app_json_make(
        "index:i type:t filtered:b codec:t profile:t width:o height:o fps:f? sample_rate:o "
        "channels:o channel_layout:o bits:o packets:o bit_rate:o start_s:f duration_s:f language:t "
        "title:t file:t default:b forced:b attached_picture:b",
        s->index, s->kind, s->pictures, s->codec, s->profile, counted(s->w), counted(s->h),
        s->rate > 0, s->rate, counted(s->sample_rate), counted(s->channels), named(s->layout),
        counted(s->bits), counted(s->frames), counted(s->bit_rate), s->start, s->duration,
        s->language, s->title, s->file, s->is_default, s->is_forced, s->is_attached);
}

static json_t *colour_record(const struct rn_read_inventory_pictures *p)
{
    return rn_app_json_make(
        "primaries:o transfer:o matrix:o range:o chroma_location:o mastering_min_cd_m2:f? "
        "mastering_max_cd_m2:f? max_cll:o max_fall:o dolby_vision:b hdr10_plus:b icc_profile:b "
        "closed_captions:b",
        named(p->primaries), named(p->transfer), named(p->matrix), named(p->range),
        named(p->chroma), p->max_luminance > 0, p->least_luminance, p->max_luminance > 0,
        p->max_luminance, counted(p->max_light), counted(p->average_light), p->dolby_vision,
        p->hdr10_plus, p->icc, p->captions);
}

static json_t *pictures_record(const struct view *view)
{
    const struct rn_io_stream *s = view->stream;
    const struct rn_read_inventory_pictures *p = &view->v.pictures;
    char name[24];
    return rn_app_json_make(
        "width:i height:i frames:c frames_exact:b rate:o? sample_aspect:o pixel_format_stored:o "
        "pixel_format:t fields:o rotation:i transparent:b plays:i? colour:o",
        s->geom.w, s->geom.h, s->frames, s->exact, has_rate(view), rational(s->rate),
        rational(s->aspect), named(p->stored), rn_format_name(&s->geom.fmt, name), named(p->fields),
        p->rotation, p->alpha, p->loop_count != 0, p->loop_count, colour_record(p));
}

static json_t *array_of(const double *list, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        rn_app_json_append(&array, rn_app_json_real(list[i] + 0.0) /* no -0 */);
    return array;
}

static json_t *volume_record(const struct rn_vol *v)
{
    bool spaced = v->spacing[0] > 0, rescaled = v->rescale.slope != 0;
    return rn_app_json_make(
        "slices:I channels:I times:I spacing_mm:o? interval_s:f? origin_mm:o? direction:o? "
        "slope:f? intercept:f? unit:o window:o? made_by:o",
        v->n[RN_AXIS_SLICE], v->n[RN_AXIS_CHANNEL], v->n[RN_AXIS_TIME], spaced,
        array_of(v->spacing, 3), v->interval > 0, v->interval, v->placed, array_of(v->origin, 3),
        v->placed, array_of(v->direction[0], 9), rescaled, v->rescale.slope, rescaled,
        v->rescale.intercept, named(v->rescale.unit), v->windowed, array_of(v->window, 2),
        named(v->made_by));
}

static json_t *make_record(const struct view *view)
{
    const struct rn_read_inventory *v = &view->v;
    json_t *streams = json_array();
    for (int i = 0; i < v->nstreams; i++)
        rn_app_json_append(&streams, stream_record(&v->stream[i]));
    json_t *tags = json_object();
    for (int i = 0; i < v->ntags; i++)
        rn_app_json_put(&tags, v->tag[i].key, rn_app_json_text(v->tag[i].value));
    return rn_app_json_make(
        "schema:i program:t version:t input:t container:t bit_rate:o start_s:f duration_s:f? "
        "chapters:i programs:i pictures:o volume:o streams:o tags:o",
        RN_INFO_SCHEMA, "runnel", RN_VERSION, view->input, v->format, counted(v->bit_rate),
        v->start, !v->volume, v->duration, v->chapters, v->programs, pictures_record(view),
        v->volume ? volume_record(v->volume) : json_null(), streams, tags);
}

int rn_app_info_describe(void)
{
    struct rn_read_inventory_stream stream = {.kind = ""};
    const struct rn_io_stream pictures = {.frames = 0};
    const struct rn_vol volume = {.windowed = true};
    const struct view view = {"", &pictures, {.volume = &volume, .stream = &stream, .nstreams = 1}};
    return rn_app_json_write(make_record(&view), NULL);
}

/* ---- a folder of several types */

static void print_folder(const char *input, const struct rn_read_folder *f)
{
    struct line l = {.n = 0};
    int files = 0;
    for (int i = 0; i < f->n; i++)
        files += f->kind[i].files;
    begin(&l, "folder");
    say(&l, true, "%.400s", input);
    say(&l, true, "%d file%s of %d type%s: a run takes the images of one", files,
        files == 1 ? "" : "s", f->n, f->n == 1 ? "" : "s");
    for (int i = 0; i < f->n; i++) {
        const struct rn_read_folder_kind *k = &f->kind[i];
        begin(&l, *k->name ? k->name : "no extension");
        say(&l, true, "%d file%s", k->files, k->files == 1 ? "" : "s");
        say(&l, true,
            k->files > 2   ? "%.200s ... %.200s"
            : k->files > 1 ? "%.200s %.200s"
                           : "%.200s",
            basename(k->first), basename(k->last));
        say(&l, k->images, "INPUT '%.*s*%s'", (int)(basename(k->first) - k->first), k->first,
            strrchr(k->first, '.'));
    }
    end(&l);
}

static json_t *folder_record(const char *input, const struct rn_read_folder *f)
{
    json_t *list = json_array();
    for (int i = 0; i < f->n && list; i++) {
        const struct rn_read_folder_kind *k = &f->kind[i];
        rn_app_json_append(&list, rn_app_json_make("extension:o files:i first:t last:t images:b",
                                                   named(k->name), k->files, k->first, k->last,
                                                   k->images));
    }
    return rn_app_json_make("schema:i program:t version:t input:t folder:o", RN_INFO_SCHEMA,
                            "runnel", RN_VERSION, input, list);
}

int rn_app_folder_describe(void)
{
    struct rn_read_folder_kind kind = {.files = 0};
    const struct rn_read_folder folder = {.kind = &kind, .n = 1};
    return rn_app_json_write(folder_record("", &folder), NULL);
}

/* ---- the command */

static int tell(const struct rn_app_cli *cli)
{
    RN_OWNED(rn_read_close) struct rn_read_source *source = NULL;
    struct rn_io_read_opts opts = cli->source;
    opts.index_mode = RN_FRAME_INDEX_ANY;
    opts.described = opts.alone = true;
    if (opts.geometry.rotate == RN_ROTATE_DEFAULT)
        opts.geometry.rotate = RN_ROTATE_NONE; /* the stored orientation, with the rotation */
    RN_OWNED(rn_read_folder_free) struct rn_read_folder folder = {.n = 0};
    int err = rn_read_folder_take(&folder, cli->operand[0]);
    if (err > 0 && cli->json)
        return rn_app_json_write(folder_record(cli->operand[0], &folder), NULL);
    if (err > 0)
        print_folder(cli->operand[0], &folder);
    else if (!err)
        err = rn_read_open(&source, cli->operand[0], &opts);
    if (err)
        return err > 0 ? 0 : err;
    struct view view = {.input = cli->operand[0], .stream = rn_read_stream_of(source)};
    err = rn_read_inventory_take(&view.v, source);
    if (!err && cli->json)
        err = rn_app_json_write(make_record(&view), NULL);
    else if (!err)
        print_text(&view);
    rn_read_inventory_free(&view.v);
    return err;
}

static int info_run(const struct rn_app_cli *cli)
{
    rn_app_environment_prepare(cli->threads);
    rn_io_init();
    rn_app_signals_limit(cli->timeout, cli->operand[0], NULL, NULL);
    int err = rn_app_confine(cli, NULL, NULL);
    err = err ? err : rn_app_signals_start();
    err = err ? err : tell(cli);
    rn_app_signals_end();
    return err;
}

const struct rn_app_command rn_app_command_info = {
    .name = "info",
    .operands = "INPUT",
    .summary = "tell what INPUT holds: streams, colours, spacing ...",
    .options = RN_OPTIONS_INPUT | RN_OPTIONS_JSON | RN_OPTIONS_GUARD,
    .min_operands = 1,
    .max_operands = 1,
    .run = info_run,
};
