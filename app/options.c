/* SPDX-License-Identifier: MIT */
#include "app/options.h"

#include "filters/bench/bench.h"
#include "filters/core/pool/pool.h"

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

#define SETS_LEVEL(name, level)                                                                    \
    static bool name(void *field, const char *text)                                                \
    {                                                                                              \
        (void)text;                                                                                \
        *(enum rn_log_level *)field = level;                                                       \
        return true;                                                                               \
    }
SETS_LEVEL(set_quiet, RN_LOG_ERROR)
SETS_LEVEL(set_verbose, RN_LOG_DEBUG)

/* Fails where the option with the other value was given before. */
#define OVERWRITES(name, value, other)                                                             \
    static bool name(void *field, const char *text)                                                \
    {                                                                                              \
        (void)text;                                                                                \
        bool ok = *(enum rn_overwrite *)field != other;                                            \
        *(enum rn_overwrite *)field = value;                                                       \
        return ok;                                                                                 \
    }
OVERWRITES(set_yes, RN_OVERWRITE_YES, RN_OVERWRITE_NO)
OVERWRITES(set_no, RN_OVERWRITE_NO, RN_OVERWRITE_YES)

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

static bool set_probe_seconds(void *field, const char *text)
{
    struct rn_io_time time;
    bool ok = rn_read_time_parse(text, &time) && time.kind == RN_TIME_SECONDS && time.seconds > 0 &&
              time.seconds <= 86400;
    *(double *)field = ok ? time.seconds : 0;
    return ok;
}

static bool set_timeout(void *field, const char *text)
{
    struct rn_io_time time;
    bool ok = rn_read_time_parse(text, &time) && time.kind == RN_TIME_SECONDS;
    *(double *)field = ok ? time.seconds : 0;
    return ok;
}

/* ---- the table of options */

#define USUAL(line)             .usual = line
#define TEXT(field)             .off = offsetof(struct rn_app_cli, field)
#define FLAG(field)             TEXT(field)
#define SET(field, function)    TEXT(field), .set = function
#define NUMBER(field, low, top) TEXT(field), SIZE(field), .min = low, .max = top
#define CHOICE(field, low, ...)                                                                    \
    TEXT(field), SIZE(field), .min = low, .words = (const char *const[])                           \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define SIZE(field) .size = sizeof((struct rn_app_cli *)0)->field

const struct rn_app_option_row rn_app_options[] = {
    {RN_OPTIONS_FILTERS, 'f', "filters", "CHAIN",
     "filters in order, 32 at most: name=value:key=value,name2@label=... or @FILE that holds a "
     "chain, or @NAME of a preset; `runnel filters` lists them, with --presets these",
     TEXT(filters), USUAL("filters in order: blur=sigma=2,sobel; @NAME: preset")},
    {RN_OPTIONS_FILTERS, 0, "allow-code", NULL,
     "run kernels too that a chain file or a replay names; those that -f itself names always run",
     FLAG(allow_code)},
    {RN_OPTIONS_FILTERS, 0, "allow-writes", NULL,
     "write files too that a chain file or a replay names (over existing ones only with -y)",
     FLAG(allow_writes)},
    {RN_OPTIONS_REPLAY, 0, "replay", "FILE",
     "apply what `play --record FILE` recorded, at the same frames; takes the place of -f",
     TEXT(replay)},
    {RN_OPTIONS_PLAN, 'n', "count", "N",
     "cut the run into N segments (default: 10, or as many as there are cells)",
     NUMBER(parts.count, 1, 100000), .takes = "a number of segments, at least 1",
     USUAL("cut the run into N segments")},
    {RN_OPTIONS_PLAN, 0, "minutes", "M", "likewise, each of about M minutes of INPUT",
     NUMBER(parts.minutes, 1, 100000), .takes = "a number of minutes, at least 1",
     USUAL("segments of about M minutes of INPUT")},
    {RN_OPTIONS_PART, 0, "plan", "FILE",
     "what `runnel plan` printed: brings INPUT, OUTPUT and their options; goes with --segment",
     TEXT(parts.plan), .once = true},
    {RN_OPTIONS_PART, 0, "segment", "I/N",
     "render segment I of N, from 1 on; slurm: that of $SLURM_ARRAY_TASK_ID", TEXT(parts.segment),
     .once = true},
    {RN_OPTIONS_PART, 0, "segments", "N",
     "encode N segments side by side, each by a process of its own; the bytes are those of one; "
     "goes on where such a run was cut off",
     NUMBER(parts.here, 1, RN_MOST_SEGMENTS_HERE), .takes = "a number 1..256", .once = true},
    {RN_OPTIONS_PART, 0, "resume", NULL,
     "the same with one segment: what is whole when the run is cut off stays beside OUTPUT, and "
     "the "
     "same command goes on from there",
     FLAG(parts.resume), .once = true},
    {RN_OPTIONS_DIR, 0, "dir", "DIR", "the folder of the segments' files (default: that of OUTPUT)",
     TEXT(parts.dir), .once = true},
    {RN_OPTIONS_PLAY, 0, "kernel", "FILE",
     "append the filter `custom` with this kernel; saving the file swaps the new kernel in",
     TEXT(play.kernel)},
    {RN_OPTIONS_PLAY, 0, "versus", "CHAIN",
     "show what this chain makes of the same frames beside that of -f; the key X has it tuned",
     TEXT(play.versus), USUAL("show what this chain makes beside what -f makes")},
    {RN_OPTIONS_PLAY, 0, "reference", "FILE",
     "compare each frame with that of its number in FILE, which has the size and count of INPUT's",
     TEXT(play.reference)},
    {RN_OPTIONS_PLAY, 0, "record", "FILE",
     "write every change of a parameter with its frame; for `render --replay FILE`",
     TEXT(play.record)},
    {RN_OPTIONS_PLAY, 0, "untimed", NULL, "as fast as it goes, without sound", FLAG(play.untimed),
     USUAL("as fast as it goes, without sound")},
    {RN_OPTIONS_PLAY, 0, "loop", NULL, "begin again at the end", FLAG(play.loop),
     USUAL("begin again at the end")},
    {RN_OPTIONS_PLAY, 0, "md5", NULL,
     "print a checksum of every plane that is shown on stdout, in the form of `render ... md5:`",
     FLAG(play.md5)},
    {RN_OPTIONS_PLAY, 0, "keys", NULL,
     "print all keys and actions in the form of the file that changes them, ~/.config/runnel/keys; "
     "with --json all commands and properties of scripts; needs no INPUT",
     FLAG(play.keys)},
    {RN_OPTIONS_PLAY, 0, "ipc", "SOCKET",
     "make a socket of this name, through which scripts tune and look on: JSON lines, as mpv's",
     TEXT(play.ipc)},
    {RN_OPTIONS_PLAY, 0, "cache", "N",
     "hold up to N bytes (64M, 1G) of decoded frames, for steps back and loops; 0: none; default: "
     "256M, or an eighth of the memory if that is less",
     SET(play.cache, set_cache), .takes = "a number of bytes such as 64M or 1G, or 0"},
    {RN_OPTIONS_PLAY, 0, "export", "NAME.EXT",
     "what E renders goes to NAME-0001.EXT and so on, with the codec that render chooses; default: "
     "runnel.mkv, lossless (FFV1), or runnel.tif where that cannot hold the samples",
     TEXT(play.export)},
    {RN_OPTIONS_STATS, 'p', "p", "P",
     "the order of the norm in the column lp, 1..1000; 3 if not given", TEXT(p),
     USUAL("order of the norm in the column lp, 1..1000; else 3")},
    {RN_OPTIONS_JSON, 0, "json", NULL, "JSON instead of a table; of CSV one object a line",
     FLAG(json), USUAL("JSON instead of text; in play: of --keys"), .once = true},
    {RN_OPTIONS_LIST, 0, "presets", NULL, "list the chains that `-f @NAME` finds by their names",
     FLAG(presets), USUAL("list the chains that `-f @NAME` finds by their names")},
    {RN_OPTIONS_STATS, 0, "plot", "FILE",
     "draw the norms of all frames and their histogram to FILE.svg or FILE.png; needs gnuplot",
     TEXT(plot), USUAL("draw all norms to FILE.svg or FILE.png, by gnuplot")},
    {RN_OPTIONS_BENCH, 0, "repeats", "N", "measure N times, 1..100 (default 5)",
     NUMBER(repeats, 1, RN_MAX_TIMES), .takes = "a number 1..100",
     USUAL("measure N times, 1..100 (default 5)")},
    {RN_OPTIONS_BENCH, 0, "suite", "NAME",
     "without INPUT: devices (default), filters, streaming, linear",
     CHOICE(suite, RN_SUITE_DEVICES, "devices", "filters", "streaming", "linear"),
     .takes = "devices, filters, streaming or linear",
     USUAL("devices (default), filters, streaming or linear")},
    {RN_OPTIONS_BENCH, 0, "quick", NULL,
     "without INPUT: small sizes, to see that all works; the figures say little", FLAG(quick)},
    {RN_OPTIONS_DEVICE, 'd', "device", "SEL",
     "OpenCL device: 0, 0:1, gpu, cpu, part of a name, or none = plain C, same pixels; default: "
     "$RUNNEL_DEVICE, else the first GPU, else the first device; 0,1 or gpu,cpu: these share the "
     "frames",
     TEXT(device), USUAL("gpu, cpu, none (plain C), a number, part of a name")},
    {RN_OPTIONS_DEVICE, 0, "threads", "N",
     "CPU threads for decoder, CPU device and encoder each (default 0: all that the process may "
     "use)",
     NUMBER(threads, 0, MAX_THREADS), .takes = "a number 0..1024"},
    {RN_OPTIONS_PIPELINE, 0, "inflight", "N",
     "the most frames in flight at once, 1..64; they bound the memory (default: 4, or so many that "
     "each core of a CPU computes frames of its own)",
     NUMBER(inflight, 1, MAX_INFLIGHT), .takes = "a number 1..64"},
    {RN_OPTIONS_PIPELINE, 0, "batch", "N",
     "the most frames that a device takes together, 1..64 (default: about 16 MiB of them on a GPU, "
     "1 on a CPU)",
     NUMBER(batch, 1, RN_MOST_BATCH), .takes = "a number 1..64"},

    {RN_OPTIONS_INPUT, 0, "from", "T", "start here: 90, 1:30, 1:30.5, or 150f = frame 150 from 0",
     SET(source.from, set_time),
     .takes = "a time such as 90, 1:30, 1:30.5, or a frame such as 150f",
     USUAL("start here: 90, 1:30, 1:30.5, or 150f = frame 150")},
    {RN_OPTIONS_INPUT, 0, "to", "T", "stop before this time or frame", SET(source.to, set_time),
     .takes = "a time such as 90, 1:30, 1:30.5, or a frame such as 150f",
     USUAL("stop before this time or frame, given likewise")},
    {RN_OPTIONS_INPUT, 0, "frames", "N", "stop after N frames", NUMBER(source.frames, 1, INT64_MAX),
     .takes = "a number of frames, at least 1", USUAL("stop after N frames")},
    {RN_OPTIONS_INPUT, 0, "renumber", NULL,
     "count frames from 0 at --from (default: they keep their numbers in the input: for noise, "
     "stats, md5:, names of images, --replay)",
     FLAG(source.renumber)},
    {RN_OPTIONS_INPUT, 0, "fps", "R",
     "frame rate of image input: 25, 29.97, 30000/1001 (default 25)", SET(source.fps, set_rate),
     .takes = "a frame rate such as 25, 29.97 or 30000/1001",
     USUAL("frame rate of image input: 25 (default), 30000/1001")},
    {RN_OPTIONS_INPUT, 0, "map", "STREAM",
     "take the pictures and these streams alone: a type (v a s d t), an index, or both and a "
     "language: a:0, s:eng; may be given again; a ? at the end: if there is one",
     SET(source.map, add_specifier),
     .takes = "a stream such as a, 2, s:0 or a:eng, 32 times at most"},
    {RN_OPTIONS_INPUT, 0, "drop", "STREAM", "leave these streams out; named likewise",
     SET(source.drop, add_specifier),
     .takes = "a stream such as a, 2, s:0 or a:eng, 32 times at most"},
    {RN_OPTIONS_INPUT, 0, "series", "N",
     "one of several series (DICOM), arrays (.mat) or images (OME-TIFF): its number in the list "
     "that is shown where there are several, its name or its UID",
     TEXT(source.series)},
    {RN_OPTIONS_INPUT, 0, "channel", "N",
     "which channels of a volume to read, from 1 on: 2, 1,3, 2-4 or all (default)",
     SET(source.channel, set_choice), .takes = "channels from 1 on such as 2, 1,3, 2-4, 2- or all"},
    {RN_OPTIONS_INPUT, 0, "time", "N",
     "likewise its points in time; DICOM: which of several pictures at the same positions (phases, "
     "echoes...)",
     SET(source.time, set_choice),
     .takes = "points in time from 1 on such as 2, 1,3, 2-4, 2- or all"},
    {RN_OPTIONS_INPUT, 0, "complex", "HOW",
     "of complex samples the magnitude (default), or the parts: two planes, real and imaginary; "
     "stats then measures a third one, the moduli",
     CHOICE(source.complex, RN_COMPLEX_MAGNITUDE, "magnitude", "parts"),
     .takes = "magnitude or parts"},
    {RN_OPTIONS_INPUT, 0, "probesize", "N",
     "read up to N bytes (500k, 20M) to find the streams; default: FFmpeg's, 5M",
     SET(source.probe_bytes, set_size),
     .takes = "a number of bytes such as 500k or 20M, 32 to 1000G"},
    {RN_OPTIONS_INPUT, 0, "analyzeduration", "T", "likewise, up to this time; default: 5 s",
     SET(source.probe_seconds, set_probe_seconds),
     .takes = "a time such as 20 or 1:30, up to a day"},
    {RN_OPTIONS_INPUT, 0, "memory", "N",
     "the memory for pictures, such as 800M or 4G: less is in flight at once, or the input is "
     "refused; default: three quarters of what there is, and no more than a small file justifies",
     SET(source.memory, set_size), .takes = "a number of bytes such as 800M or 4G, up to 1000G"},
    {RN_OPTIONS_INPUT, 0, "allow-playlists", NULL,
     "open the files and addresses, too, that a playlist names (HLS, DASH, concat, SDP)",
     FLAG(source.allow_playlists)},
    {RN_OPTIONS_INPUT, 0, "fields", "HOW",
     "auto (default): filters that mix lines take the two fields of a frame that is flagged "
     "interlaced one by one, as if they were separated before and woven after; frame: never; "
     "field: of every frame",
     CHOICE(source.fields, RN_FIELDS_AUTO, "auto", "frame", "field"),
     .takes = "auto, frame or field"},
    {RN_OPTIONS_INPUT, 0, "deinterlace", "HOW",
     "frame or field: one picture of each interlaced frame, or of each of its fields (twice the "
     "rate), by bwdif; frame:all, field:all: of frames without the flag, too",
     SET(source.geometry, set_deinterlace), .takes = "frame, field, frame:all or field:all"},
    {RN_OPTIONS_INPUT, 0, "rotate", "HOW",
     "auto (default): upright, as a phone's display matrix says, in every command and output; "
     "none: as stored, the matrix a tag, which the window of play follows; 90, 180, 270 "
     "(clockwise), hflip, vflip: auto and then that",
     SET(source.geometry, set_rotate), .takes = "auto, none, 90, 180, 270, hflip or vflip"},
    {RN_OPTIONS_INPUT, 0, "crop", "WxH+X+Y",
     "cut W x H pixels out, X from the left, Y from the top; WxH: out of the middle; after "
     "--deinterlace and --rotate",
     SET(source.geometry, set_crop),
     .takes = "a size and a place such as 1280x720+320+180, or a size"},
    {RN_OPTIONS_INPUT, 0, "scale", "WxH",
     "scale to W x H pixels (bicubic), after all of these; one of them -1: keeps the shape, -2: to "
     "an even number",
     SET(source.geometry, set_scale), .takes = "a size such as 1280x720, 1280x-1 or -2x720",
     USUAL("scale to W x H pixels; 1280x-1 keeps the shape")},
    {RN_OPTIONS_INPUT, 0, "raw", "WxHxN:TYPE",
     "INPUT is samples without a header, N pictures of WxH (all that are there if N is left out): "
     "512x512x771:u16le; TYPE is u8 s8, or u16 s16 u32 s32 f16 f32 f64 with le or be; +BYTES "
     "behind it leaves so many out at the beginning",
     SET(source.raw, set_raw),
     .takes = "a size and a type such as 512x512x771:u16le or 64x64:f32be+348"},
    {RN_OPTIONS_INPUT, 0, "on-change", "WHAT",
     "pictures of another size or shape than the first: scale (to the first size; the default, but "
     "for image files), stop: OUTPUT.partial holds what came before, status 3, split: OUTPUT, "
     "OUTPUT-2, OUTPUT-3... for each of them",
     CHOICE(source.on_change, RN_CHANGE_SCALE, "scale", "stop", "split"),
     .takes = "scale, stop or split"},

    {RN_OPTIONS_ENCODE, 0, "for", "WHAT",
     "codec, pixel format and sound for what will play the file: web, phone (.mp4), tv (.mkv), "
     "archive (.mkv, lossless), edit (.mov); --codec and the like come first",
     CHOICE(write.profile, RN_PROFILE_WEB, "web", "phone", "tv", "archive", "edit"),
     .takes = "web, phone, tv, archive or edit",
     USUAL("web, phone, tv, archive, edit: codecs for this use"), .once = true},
    {RN_OPTIONS_ENCODE, 0, "size", "N",
     "a media file of N bytes at most (25M is 25,000,000), as a rule up to 10 % smaller: all is "
     "decoded, filtered and encoded twice, with libx264, libx265 or libvpx-vp9",
     SET(write.size, set_size), .takes = "a number of bytes such as 800k or 25M, up to 1000G",
     .once = true},
    {RN_OPTIONS_ENCODE, 0, "grid", "HOW",
     "on: encoders restart after whole groups of pictures, 240 pictures or more, so that parts "
     "encoded apart are the bytes of one run (default); off: one encoder for all",
     CHOICE(write.grid, RN_GRID_ON, "on", "off"), .takes = "on or off"},
    {RN_OPTIONS_ENCODE, 0, "container", "NAME",
     "container, where the name of OUTPUT has no extension for it: matroska, mpegts, nut ...",
     TEXT(write.container)},
    {RN_OPTIONS_ENCODE, 0, "codec", "NAME", "encoder (default: by the container of OUTPUT)",
     TEXT(write.codec), USUAL("encoder: libx265, ffv1...; default: by the container")},
    {RN_OPTIONS_ENCODE, 0, "codec-opts", "K=V:K=V", "its options, such as crf=20:preset=slow",
     TEXT(write.codec_opts), USUAL("its options, such as crf=20:preset=slow")},
    {RN_OPTIONS_ENCODE, 0, "compression", "NAME",
     "of TIFF and PNG: none, deflate (the default), packbits, lzw, zstd; with a level: deflate:9 "
     "(TIFF: 4, PNG: 6); of NRRD and MetaImage: none (the default), deflate",
     SET(write.compression, set_compression), .takes = RN_COMPRESSION_TAKES},
    {RN_OPTIONS_ENCODE, 0, "pix-fmt", "FMT",
     "pixel format to write (default: nearest to the chain's)", TEXT(write.pix_fmt)},
    {RN_OPTIONS_ENCODE, 0, "keep-start", NULL,
     "keep the time at which the input starts (default: the output starts at 0)",
     FLAG(source.keep_start)},
    {RN_OPTIONS_ENCODE, 0, "audio", "WHAT",
     "copy, none, or an encoder for all sound and its options: aac:b=192k (default: copy; what the "
     "container cannot hold is converted, losslessly if it can be)",
     TEXT(write.audio), USUAL("copy (default), none, or an encoder: aac:b=192k")},
    {RN_OPTIONS_ENCODE, 0, "subs", "WHAT",
     "the same for subtitles: copy, none, srt, ass, mov_text ...", TEXT(write.subs)},
    {RN_OPTIONS_ENCODE, 0, "strict", NULL,
     "exit status 6 too if the output could not keep all that the input has: each loss is a line "
     "after the run",
     FLAG(strict)},
    {RN_OPTIONS_ENCODE, 0, "verify", NULL,
     "read the output back: exit status 4 unless it has as many pictures as were written and, "
     "where "
     "its format is lossless, their samples",
     FLAG(verify)},
    {RN_OPTIONS_OVERWRITE, 'y', "yes", NULL, "overwrite existing files", SET(overwrite, set_yes),
     USUAL("overwrite existing files; default: ask, or refuse")},
    {RN_OPTIONS_OVERWRITE, 'n', "no", NULL,
     "never overwrite (default: ask on a terminal, else refuse)", SET(overwrite, set_no)},
    {RN_OPTIONS_ENCODE, 0, "replace-set", NULL,
     "with -y and a numbered output: also remove those files of an older set that are not replaced",
     FLAG(write.replace_set)},

    {RN_OPTIONS_REPORT, 0, "exact", NULL, "exit status 6 if the input ends before --to or --frames",
     FLAG(exact)},
    {RN_OPTIONS_REPORT, 0, "dry-run", NULL,
     "open the input, check chain, options and outputs, and say what the run would read, do and "
     "write; nothing is written",
     FLAG(dry_run), USUAL("write nothing: check all, say what the run would do")},
    {RN_OPTIONS_METRICS, 0, "metrics", "FILE",
     "write times, counts and the exit status as JSON; - is stdout, /dev/fd/3 what the shell "
     "opened with 3>>log",
     TEXT(metrics), USUAL("write times, counts and status as JSON; - is stdout")},
    {RN_OPTIONS_GUARD, 0, "timeout", "T",
     "end the run where one wait for the device, or one step of reading or writing a file, takes "
     "longer than this time (90, 1:30; default 10 minutes, of a header 5 s of a processor; 0: "
     "never); OUTPUT.partial holds what came before, but not where writing hangs",
     SET(timeout, set_timeout), .takes = "a time such as 90 or 1:30, or 0"},
    {RN_OPTIONS_GUARD, 0, "unconfined", NULL,
     "keep the right to open other files than those that are named here, and to start programs: "
     "for drivers that need it",
     FLAG(unconfined)},
    {RN_OPTIONS_REPORT, 0, "progress", "FILE",
     "write progress as JSON lines, twice a second; - or /dev/fd/3 as above", TEXT(progress),
     USUAL("write progress as JSON lines; - is stdout")},

    {RN_OPTIONS_COMMON, 0, "log-level", "LEVEL", "quiet, error, warning, info (default) or debug",
     SET(level, set_level), .takes = "quiet, error, warning, info or debug"},
    {RN_OPTIONS_COMMON, 'q', "quiet", NULL, "errors only: no progress, no table",
     SET(level, set_quiet), USUAL("errors only: no progress, no table")},
    {RN_OPTIONS_COMMON, 'v', "verbose", NULL,
     "what happens inside, too: confinement, drivers, caches", SET(level, set_verbose)},
    {RN_OPTIONS_COMMON, 0, "no-config", NULL,
     "leave out the options in $XDG_CONFIG_HOME/runnel/config or ~/.config/runnel/config",
     FLAG(no_config)},
    {RN_OPTIONS_COMMON, 'h', "help", NULL, "the commonest options; --help all: all of them",
     FLAG(help), USUAL("this list; --help all: every option")},
    {RN_OPTIONS_COMMON, 0, "version", NULL, "show the version", FLAG(version)},
    {0},
};
_Static_assert(sizeof rn_app_options / sizeof *rn_app_options <= RN_MAX_OPTIONS + 1,
               "RN_MAX_OPTIONS");

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
