/* SPDX-License-Identifier: MIT */
#include "app/cli.h"

#include "filters/base/text/words.h"
#include "filters/bench/bench.h"
#include "filters/parts/network/network.h"

#include <stdio.h>
#include <string.h>

#define MAX_INFLIGHT 64
#define MAX_THREADS  1024

/* ---- values */

/* rn_app_option_row.set that parses a text into the field. */
#define READS(name, read)                                                                          \
    static bool name(void *field, const char *text)                                                \
    {                                                                                              \
        return read(text, field);                                                                  \
    }
READS(set_time, rn_read_time_parse)
READS(set_rate, rn_read_rate_parse)
READS(set_size, rn_read_size_parse)
READS(set_level, rn_log_level_parse)
READS(set_deinterlace, rn_io_deinterlace_parse)
READS(set_rotate, rn_io_rotate_parse)
READS(set_crop, rn_io_crop_parse)
READS(set_scale, rn_io_scale_parse)
READS(set_compression, rn_write_compression_parse)

/* rn_app_option_row.set that stores a text if it is valid. */
#define STORES(name, is_valid)                                                                     \
    static bool name(void *field, const char *text)                                                \
    {                                                                                              \
        *(const char **)field = text;                                                              \
        return is_valid(text);                                                                     \
    }
STORES(set_choice, rn_vol_selection_check)
STORES(set_raw, rn_vol_raw_check)

static bool add_specifier(void *field, const char *text)
{
    struct rn_io_specifiers *list = field;
    if (!*text || list->n == RN_MOST_SPECIFIERS)
        return false;
    list->text[list->n++] = text;
    return true;
}

static bool set_cache(void *field, const char *text)
{
    *(int64_t *)field = 0;
    return !strcmp(text, "0") || rn_read_size_parse(text, field);
}

static bool set_timeout(void *field, const char *text)
{
    struct rn_io_time time;
    bool ok = rn_read_time_parse(text, &time) && time.kind == RN_TIME_SECONDS;
    *(double *)field = ok ? time.seconds : 0;
    return ok;
}

static bool set_probe_seconds(void *field, const char *text)
{
    double *seconds = field;
    return set_timeout(field, text) && *seconds > 0 && *seconds <= 86400;
}

/* ---- the table of options */

#define TEXT(field)             .off = offsetof(struct rn_app_cli, field)
#define FLAG(field)             TEXT(field)
#define SET(field, function)    TEXT(field), .set = function
#define VALUE(field, value)     TEXT(field), SIZE(field), .min = value
#define NUMBER(field, low, top) TEXT(field), SIZE(field), .min = low, .max = top
#define CHOICE(field, low, ...)                                                                    \
    TEXT(field), SIZE(field), .min = low, .words = (const char *const[])                           \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define SIZE(field) .size = sizeof((struct rn_app_cli *)0)->field

const struct rn_app_option_row rn_app_options[] = {
    {RN_OPTIONS_FILTERS, 'f', "filters", "CHAIN", TEXT(filters)},
    {RN_OPTIONS_FILTERS, 0, "allow-code", NULL, FLAG(allow_code)},
    {RN_OPTIONS_FILTERS, 0, "allow-writes", NULL, FLAG(allow_writes)},
    {RN_OPTIONS_REPLAY, 0, "replay", "FILE", TEXT(replay)},
    {RN_OPTIONS_PLAN, 'n', "count", "N", NUMBER(parts.count, 1, 100000)},
    {RN_OPTIONS_PLAN | RN_OPTIONS_LEARN, 0, "minutes", "M", NUMBER(parts.minutes, 1, 100000)},
    {RN_OPTIONS_PART, 0, "plan", "FILE", TEXT(parts.plan), .once = true},
    {RN_OPTIONS_PART, 0, "segment", "I/N", TEXT(parts.segment), .once = true},
    {RN_OPTIONS_PART, 0, "segments", "N", NUMBER(parts.here, 1, RN_MOST_SEGMENTS_HERE),
     .once = true},
    {RN_OPTIONS_PART | RN_OPTIONS_LEARN, 0, "resume", NULL, FLAG(parts.resume), .once = true},
    {RN_OPTIONS_PART, 0, "skip-complete", NULL, FLAG(parts.skip), .once = true},
    {RN_OPTIONS_DIR, 0, "dir", "DIR", TEXT(parts.dir), .once = true},
    {RN_OPTIONS_LEARN, 0, "layers", "N", NUMBER(learn.layers, 2, RN_NETWORK_LAYERS)},
    {RN_OPTIONS_LEARN, 0, "width", "N", NUMBER(learn.width, 1, RN_NETWORK_WIDTH)},
    {RN_OPTIONS_LEARN, 0, "slices", "R", NUMBER(learn.slices, 1, RN_NETWORK_INPUTS / 2)},
    {RN_OPTIONS_LEARN, 0, "steps", "N", NUMBER(learn.steps, 1, 1000000000)},
    {RN_OPTIONS_LEARN, 0, "seed", "N", NUMBER(learn.seed, 0, 999999999)},
    {RN_OPTIONS_LEARN, 0, "loss", "HOW", CHOICE(learn.loss, 1, "l2", "l1")},
    {RN_OPTIONS_PLAY, 0, "kernel", "FILE", TEXT(play.kernel)},
    {RN_OPTIONS_PLAY, 0, "versus", "CHAIN", TEXT(play.versus)},
    {RN_OPTIONS_PLAY, 0, "reference", "FILE", TEXT(play.reference)},
    {RN_OPTIONS_PLAY, 0, "record", "FILE", TEXT(play.record)},
    {RN_OPTIONS_PLAY, 0, "untimed", NULL, FLAG(play.untimed)},
    {RN_OPTIONS_PLAY, 0, "loop", NULL, FLAG(play.loop)},
    {RN_OPTIONS_PLAY, 0, "md5", NULL, FLAG(play.md5)},
    {RN_OPTIONS_PLAY, 0, "keys", NULL, FLAG(play.keys)},
    {RN_OPTIONS_PLAY, 0, "ipc", "SOCKET", TEXT(play.ipc)},
    {RN_OPTIONS_PLAY, 0, "cache", "N", SET(play.cache, set_cache)},
    {RN_OPTIONS_PLAY, 0, "export", "NAME.EXT", TEXT(play.export)},
    {RN_OPTIONS_STATS, 'p', "p", "P", TEXT(p)},
    {RN_OPTIONS_JSON, 0, "json", NULL, FLAG(json), .once = true},
    {RN_OPTIONS_LIST, 0, "presets", NULL, FLAG(presets)},
    {RN_OPTIONS_BENCH, 0, "repeats", "N", NUMBER(repeats, 1, RN_MAX_TIMES)},
    {RN_OPTIONS_BENCH, 0, "suite", "NAME",
     CHOICE(suite, RN_SUITE_DEVICES, "devices", "filters", "streaming", "linear", "network")},
    {RN_OPTIONS_BENCH, 0, "mnist", "DIR", TEXT(mnist)},
    {RN_OPTIONS_BENCH, 0, "quick", NULL, FLAG(quick)},
    {RN_OPTIONS_DEVICE, 'd', "device", "SEL", TEXT(device)},
    {RN_OPTIONS_DEVICE, 0, "threads", "N", NUMBER(threads, 0, MAX_THREADS)},
    {RN_OPTIONS_PIPELINE, 0, "inflight", "N", NUMBER(inflight, 1, MAX_INFLIGHT)},
    {RN_OPTIONS_PIPELINE, 0, "batch", "N", NUMBER(batch, 1, RN_MOST_BATCH)},

    {RN_OPTIONS_INPUT, 0, "from", "T", SET(source.from, set_time)},
    {RN_OPTIONS_INPUT, 0, "to", "T", SET(source.to, set_time)},
    {RN_OPTIONS_INPUT, 0, "frames", "N", NUMBER(source.frames, 1, INT64_MAX)},
    {RN_OPTIONS_INPUT, 0, "renumber", NULL, FLAG(source.renumber)},
    {RN_OPTIONS_INPUT, 0, "fps", "R", SET(source.fps, set_rate)},
    {RN_OPTIONS_INPUT, 0, "map", "STREAM", SET(source.map, add_specifier)},
    {RN_OPTIONS_INPUT, 0, "drop", "STREAM", SET(source.drop, add_specifier)},
    {RN_OPTIONS_INPUT, 0, "series", "N", TEXT(source.series)},
    {RN_OPTIONS_INPUT, 0, "channel", "N", SET(source.channel, set_choice)},
    {RN_OPTIONS_INPUT, 0, "time", "N", SET(source.time, set_choice)},
    {RN_OPTIONS_INPUT, 0, "complex", "HOW",
     CHOICE(source.complex, RN_COMPLEX_MAGNITUDE, "magnitude", "parts")},
    {RN_OPTIONS_INPUT, 0, "probesize", "N", SET(source.probe_bytes, set_size)},
    {RN_OPTIONS_INPUT, 0, "analyzeduration", "T", SET(source.probe_seconds, set_probe_seconds)},
    {RN_OPTIONS_INPUT, 0, "memory", "N", SET(source.memory, set_size)},
    {RN_OPTIONS_INPUT, 0, "hwdec", "TYPE", TEXT(source.hwdec)},
    {RN_OPTIONS_INPUT, 0, "allow-playlists", NULL, FLAG(source.allow_playlists)},
    {RN_OPTIONS_INPUT, 0, "fields", "HOW",
     CHOICE(source.fields, RN_FIELDS_AUTO, "auto", "frame", "field")},
    {RN_OPTIONS_INPUT, 0, "deinterlace", "HOW", SET(source.geometry, set_deinterlace)},
    {RN_OPTIONS_INPUT, 0, "rotate", "HOW", SET(source.geometry, set_rotate)},
    {RN_OPTIONS_INPUT, 0, "crop", "WxH+X+Y", SET(source.geometry, set_crop)},
    {RN_OPTIONS_INPUT, 0, "scale", "WxH", SET(source.geometry, set_scale)},
    {RN_OPTIONS_INPUT, 0, "raw", "WxHxN:TYPE", SET(source.raw, set_raw)},
    {RN_OPTIONS_INPUT, 0, "on-change", "WHAT",
     CHOICE(source.on_change, RN_CHANGE_SCALE, "scale", "stop", "split")},

    {RN_OPTIONS_ENCODE, 0, "for", "WHAT",
     CHOICE(write.profile, RN_PROFILE_WEB, "web", "phone", "tv", "archive", "edit"), .once = true},
    {RN_OPTIONS_ENCODE, 0, "size", "N", SET(write.size, set_size), .once = true},
    {RN_OPTIONS_ENCODE, 0, "grid", "HOW", CHOICE(write.grid, RN_GRID_ON, "on", "off")},
    {RN_OPTIONS_ENCODE, 0, "container", "NAME", TEXT(write.container)},
    {RN_OPTIONS_ENCODE, 0, "codec", "NAME", TEXT(write.codec)},
    {RN_OPTIONS_ENCODE, 0, "codec-opts", "K=V:K=V", TEXT(write.codec_opts)},
    {RN_OPTIONS_ENCODE, 0, "compression", "NAME", SET(write.compression, set_compression)},
    {RN_OPTIONS_ENCODE, 0, "pix-fmt", "FMT", TEXT(write.pix_fmt)},
    {RN_OPTIONS_ENCODE, 0, "keep-start", NULL, FLAG(source.keep_start)},
    {RN_OPTIONS_ENCODE, 0, "audio", "WHAT", TEXT(write.audio)},
    {RN_OPTIONS_ENCODE, 0, "subs", "WHAT", TEXT(write.subs)},
    {RN_OPTIONS_ENCODE, 0, "strict", NULL, FLAG(strict)},
    {RN_OPTIONS_ENCODE, 0, "verify", NULL, FLAG(verify)},
    {RN_OPTIONS_OVERWRITE, 'y', "yes", NULL, VALUE(overwrite, RN_OVERWRITE_YES)},
    {RN_OPTIONS_OVERWRITE, 'n', "no", NULL, VALUE(overwrite, RN_OVERWRITE_NO)},
    {RN_OPTIONS_ENCODE, 0, "replace-set", NULL, FLAG(write.replace_set)},

    {RN_OPTIONS_REPORT, 0, "exact", NULL, FLAG(exact)},
    {RN_OPTIONS_REPORT, 0, "dry-run", NULL, FLAG(dry_run)},
    {RN_OPTIONS_METRICS, 0, "metrics", "FILE", TEXT(metrics)},
    {RN_OPTIONS_GUARD, 0, "timeout", "T", SET(timeout, set_timeout)},
    {RN_OPTIONS_GUARD, 0, "unconfined", NULL, FLAG(unconfined)},
    {RN_OPTIONS_REPORT, 0, "progress", "FILE", TEXT(progress)},

    {RN_OPTIONS_COMMON, 0, "log-level", "LEVEL", SET(level, set_level)},
    {RN_OPTIONS_COMMON, 'q', "quiet", NULL, VALUE(level, RN_LOG_ERROR)},
    {RN_OPTIONS_COMMON, 'v', "verbose", NULL, VALUE(level, RN_LOG_DEBUG)},
    {RN_OPTIONS_COMMON, 0, "no-config", NULL, FLAG(no_config)},
    {RN_OPTIONS_COMMON, 'h', "help", NULL, FLAG(help)},
    {RN_OPTIONS_COMMON, 0, "version", NULL, FLAG(version)},
    {0},
};
_Static_assert(sizeof rn_app_options / sizeof *rn_app_options <= RN_MAX_OPTIONS + 1,
               "RN_MAX_OPTIONS");

extern const struct rn_word_row rn_app_option_texts[]; /* options.words */

const char *rn_app_option_text(const struct rn_app_option_row *row, const char *what)
{
    char key[64];
    snprintf(key, sizeof key, "%s%s", row->name, what);
    return rn_word_meant(rn_app_option_texts, key);
}

bool rn_app_option_is_taken(const struct rn_app_command *command,
                            const struct rn_app_option_row *row)
{
    return row->group == RN_OPTIONS_COMMON || (command && (command->options & row->group));
}

const struct rn_app_option_row *rn_app_option_named(const char *name, size_t length)
{
    for (const struct rn_app_option_row *row = rn_app_options; row->name; row++)
        if (strlen(row->name) == length && !strncmp(row->name, name, length))
            return row;
    return NULL;
}

const struct rn_app_option_row *rn_app_option_lettered(const struct rn_app_command *command,
                                                       int letter)
{
    const struct rn_app_option_row *found = NULL;
    for (const struct rn_app_option_row *row = rn_app_options; row->name; row++)
        if (letter && row->letter == letter &&
            (!found || (command && rn_app_option_is_taken(command, row))))
            found = row;
    return found;
}

const struct rn_app_option_row *rn_app_option_typed(const char *word, size_t n)
{
    if (n > 2 && word[1] == '-')
        return rn_app_option_named(word + 2, n - 2);
    return n == 2 ? rn_app_option_lettered(NULL, word[1]) : NULL;
}
