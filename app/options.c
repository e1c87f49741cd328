#include "app/options.h"

#include "app/commands/bench_report.h"
#include "filters/base/text/number.h"
#include "filters/core/pool/pool.h"
#include "filters/core/chain/param.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INFLIGHT 64
#define MAX_THREADS  1024

/* ---- values */

static bool set_from(struct rn_app_cli *cli, const char *text)
{
    return rn_read_time_parse(text, &cli->source.from);
}

static bool set_to(struct rn_app_cli *cli, const char *text)
{
    return rn_read_time_parse(text, &cli->source.to);
}

static bool set_frames(struct rn_app_cli *cli, const char *text)
{
    long long n;
    bool ok = rn_number_whole(text, 1, INT64_MAX, &n);
    cli->source.frames = n;
    return ok;
}

static bool set_fps(struct rn_app_cli *cli, const char *text)
{
    return rn_read_rate_parse(text, &cli->source.fps);
}

static bool set_inflight(struct rn_app_cli *cli, const char *text)
{
    long long n;
    bool ok = rn_number_whole(text, 1, MAX_INFLIGHT, &n);
    cli->inflight = (int)n;
    return ok;
}

static bool set_batch(struct rn_app_cli *cli, const char *text)
{
    long long n;
    bool ok = rn_number_whole(text, 1, RN_MOST_BATCH, &n);
    cli->batch = (int)n;
    return ok;
}

static bool set_repeats(struct rn_app_cli *cli, const char *text)
{
    long long n;
    bool ok = rn_number_whole(text, 1, RN_BENCH_MOST_REPEATS, &n);
    cli->repeats = (int)n;
    return ok;
}

static bool set_threads(struct rn_app_cli *cli, const char *text)
{
    long long n;
    bool ok = rn_number_whole(text, 0, MAX_THREADS, &n);
    cli->threads = (int)n;
    return ok;
}

static bool set_level(struct rn_app_cli *cli, const char *text)
{
    return rn_log_level_parse(text, &cli->level);
}

static bool set_quiet(struct rn_app_cli *cli, const char *text)
{
    (void)text;
    cli->level = RN_LOG_ERROR;
    return true;
}

static bool set_yes(struct rn_app_cli *cli, const char *text)
{
    (void)text;
    bool ok = cli->overwrite != RN_OVERWRITE_NO;
    cli->overwrite = RN_OVERWRITE_YES;
    return ok;
}

static bool set_no(struct rn_app_cli *cli, const char *text)
{
    (void)text;
    bool ok = cli->overwrite != RN_OVERWRITE_YES;
    cli->overwrite = RN_OVERWRITE_NO;
    return ok;
}

static bool add_specifier(struct rn_read_specifiers *list, const char *text)
{
    if (!*text || list->n == RN_MOST_SPECIFIERS)
        return false;
    list->text[list->n++] = text;
    return true;
}

static bool set_map(struct rn_app_cli *cli, const char *text)
{
    return add_specifier(&cli->source.map, text);
}

static bool set_drop(struct rn_app_cli *cli, const char *text)
{
    return add_specifier(&cli->source.drop, text);
}

static bool set_probesize(struct rn_app_cli *cli, const char *text)
{
    return rn_read_size_parse(text, &cli->source.probe_bytes);
}

static bool set_cache(struct rn_app_cli *cli, const char *text)
{
    cli->play.cache = 0;
    return !strcmp(text, "0") || rn_read_size_parse(text, &cli->play.cache);
}

static bool set_analyzeduration(struct rn_app_cli *cli, const char *text)
{
    struct rn_read_time time;
    bool ok = rn_read_time_parse(text, &time) && time.kind == RN_TIME_SECONDS && time.seconds > 0 &&
              time.seconds <= 86400;
    cli->source.probe_seconds = ok ? time.seconds : 0;
    return ok;
}

static bool set_deinterlace(struct rn_app_cli *cli, const char *text)
{
    return rn_read_deinterlace_parse(text, &cli->source.geometry);
}

static bool set_rotate(struct rn_app_cli *cli, const char *text)
{
    return rn_read_rotate_parse(text, &cli->source.geometry);
}

static bool set_crop(struct rn_app_cli *cli, const char *text)
{
    return rn_read_crop_parse(text, &cli->source.geometry);
}

static bool set_scale(struct rn_app_cli *cli, const char *text)
{
    return rn_read_scale_parse(text, &cli->source.geometry);
}

/* The place of text among n names; -1: it is none of them. */
static int choose(const char *const *names, int n, const char *text)
{
    while (n-- > 0 && (!names[n] || strcmp(text, names[n]) != 0))
        ;
    return n;
}
#define CHOOSE(names, text) choose(names, (int)(sizeof(names) / sizeof *(names)), text)

static bool set_fields(struct rn_app_cli *cli, const char *text)
{
    static const char *const names[] = {
        [RN_FIELDS_AUTO] = "auto", [RN_FIELDS_FRAME] = "frame", [RN_FIELDS_FIELD] = "field"};
    int i = CHOOSE(names, text);
    cli->source.fields = (enum rn_read_fields)i;
    return i >= 0;
}

static bool set_channel(struct rn_app_cli *cli, const char *text)
{
    cli->source.channel = text;
    return rn_vol_choice_check(text);
}

static bool set_complex(struct rn_app_cli *cli, const char *text)
{
    bool parts = !strcmp(text, "parts");
    cli->source.complex = parts ? RN_COMPLEX_PARTS : RN_COMPLEX_MAGNITUDE;
    return parts || !strcmp(text, "magnitude");
}

static bool set_time(struct rn_app_cli *cli, const char *text)
{
    cli->source.time = text;
    return rn_vol_choice_check(text);
}

static bool set_raw(struct rn_app_cli *cli, const char *text)
{
    cli->source.raw = text;
    return rn_vol_raw_check(text);
}

static bool set_on_change(struct rn_app_cli *cli, const char *text)
{
    static const char *const names[] = {
        [RN_CHANGE_SCALE] = "scale", [RN_CHANGE_STOP] = "stop", [RN_CHANGE_SPLIT] = "split"};
    int i = CHOOSE(names, text);
    cli->source.on_change = (enum rn_read_on_change)i;
    return i >= 0;
}

static bool set_suite(struct rn_app_cli *cli, const char *text)
{
    static const char *const names[] = {"devices", "filters", "streaming", "linear"};
    cli->suite = text;
    return CHOOSE(names, text) >= 0;
}

static bool set_compression(struct rn_app_cli *cli, const char *text)
{
    return rn_write_compression_parse(text, &cli->compression);
}

/* ---- the table of options */

#define TEXT(field) .off = offsetof(struct rn_app_cli, field)
#define FLAG(field) TEXT(field)

static const struct rn_app_option_row rows[] = {
    {RN_OPTIONS_FILTERS, 'f', "filters", "CHAIN",
     "filters in order: name=value:key=value,name2@label=...\n"
     "or @FILE that holds a chain; `runnel filters` lists them",
     TEXT(filters)},
    {RN_OPTIONS_REPLAY, 0, "replay", "FILE",
     "apply what `play --record FILE` recorded, at the same\n"
     "frames; takes the place of -f",
     TEXT(replay)},
    {RN_OPTIONS_PLAY, 0, "kernel", "FILE",
     "append the filter `custom` with this kernel; saving the\n"
     "file swaps the new kernel in",
     TEXT(play.kernel)},
    {RN_OPTIONS_PLAY, 0, "versus", "CHAIN",
     "show what this chain makes of the same frames beside\n"
     "that of -f; the key X has it tuned",
     TEXT(play.versus)},
    {RN_OPTIONS_PLAY, 0, "record", "FILE",
     "write every change of a parameter with its frame; for\n"
     "`render --replay FILE`",
     TEXT(play.record)},
    {RN_OPTIONS_PLAY, 0, "untimed", NULL, "as fast as it goes, without sound", FLAG(play.untimed)},
    {RN_OPTIONS_PLAY, 0, "loop", NULL, "begin again at the end", FLAG(play.loop)},
    {RN_OPTIONS_PLAY, 0, "md5", NULL,
     "print a checksum of every plane that is shown on stdout,\n"
     "in the form of `render ... md5:`",
     FLAG(play.md5)},
    {RN_OPTIONS_PLAY, 0, "keys", NULL,
     "print all keys and actions in the form of the file that\n"
     "changes them, ~/.config/runnel/keys; needs no INPUT",
     FLAG(play.keys)},
    {RN_OPTIONS_PLAY, 0, "ipc", "SOCKET",
     "make a socket of this name, through which scripts tune and\n"
     "look on: JSON lines, as mpv's",
     TEXT(play.ipc)},
    {RN_OPTIONS_PLAY, 0, "cache", "N",
     "hold up to N bytes (64M, 1G) of decoded frames, for steps\n"
     "back and loops; 0: none; default: 256M, or an eighth of\n"
     "the memory if that is less",
     .set = set_cache, .takes = "a number of bytes such as 64M or 1G, or 0"},
    {RN_OPTIONS_PLAY, 0, "export", "NAME.EXT",
     "what E renders goes to NAME-0001.EXT and so on, with the\n"
     "codec that render chooses; default: runnel.mkv, lossless\n"
     "(FFV1), or runnel.tif where that cannot hold the samples",
     TEXT(play.export)},
    {RN_OPTIONS_STATS, 'p', "p", "P",
     "the order of the norm in the column lp, 1..1000; 3 if not\n"
     "given",
     TEXT(p)},
    {RN_OPTIONS_JSON, 0, "json", NULL, "JSON instead of a table; of CSV one object a line",
     FLAG(json)},
    {RN_OPTIONS_STATS, 0, "plot", "FILE",
     "draw the norms of all frames and their histogram to\n"
     "FILE.svg or FILE.png; needs gnuplot",
     TEXT(plot)},
    {RN_OPTIONS_BENCH, 0, "repeats", "N", "measure N times, 1..100 (default 5)", .set = set_repeats,
     .takes = "a number 1..100"},
    {RN_OPTIONS_BENCH, 0, "suite", "NAME",
     "without INPUT: devices (default), filters, streaming, linear", .set = set_suite,
     .takes = "devices, filters, streaming or linear"},
    {RN_OPTIONS_BENCH, 0, "quick", NULL,
     "without INPUT: small sizes, to see that all works; the\n"
     "figures say little",
     FLAG(quick)},
    {RN_OPTIONS_DEVICE, 'd', "device", "SEL",
     "OpenCL device: 0, 0:1, gpu, cpu, part of a name, or none\n"
     "= plain C, same pixels; default: $RUNNEL_DEVICE, else the\n"
     "first GPU, else the first device; 0,1 or gpu,cpu: these\n"
     "share the frames",
     TEXT(device)},
    {RN_OPTIONS_DEVICE, 0, "threads", "N",
     "CPU threads for decoder, CPU device and encoder each\n"
     "(default 0: all that the process may use)",
     .set = set_threads, .takes = "a number 0..1024"},
    {RN_OPTIONS_PIPELINE, 0, "inflight", "N",
     "the most frames in flight at once, 1..64; they bound the\n"
     "memory (default: 4, or so many that each core of a CPU\n"
     "computes frames of its own)",
     .set = set_inflight, .takes = "a number 1..64"},
    {RN_OPTIONS_PIPELINE, 0, "batch", "N",
     "the most frames that a device takes together, 1..64\n"
     "(default: about 16 MiB of them on a GPU, 1 on a CPU)",
     .set = set_batch, .takes = "a number 1..64"},

    {RN_OPTIONS_INPUT, 0, "from", "T", "start here: 90, 1:30, 1:30.5, or 150f = frame 150 from 0",
     .set = set_from, .takes = "a time such as 90, 1:30, 1:30.5, or a frame such as 150f"},
    {RN_OPTIONS_INPUT, 0, "to", "T", "stop before this time or frame", .set = set_to,
     .takes = "a time such as 90, 1:30, 1:30.5, or a frame such as 150f"},
    {RN_OPTIONS_INPUT, 0, "frames", "N", "stop after N frames", .set = set_frames,
     .takes = "a number of frames, at least 1"},
    {RN_OPTIONS_INPUT, 0, "renumber", NULL,
     "count frames from 0 at --from (default: they keep their\n"
     "numbers in the input: for noise, stats, md5:, names of\n"
     "images, --replay)",
     FLAG(source.renumber)},
    {RN_OPTIONS_INPUT, 0, "fps", "R",
     "frame rate of image input: 25, 29.97, 30000/1001\n(default 25)", .set = set_fps,
     .takes = "a frame rate such as 25, 29.97 or 30000/1001"},
    {RN_OPTIONS_INPUT, 0, "map", "STREAM",
     "take the pictures and these streams alone: a type (v a s d\n"
     "t), an index, or both and a language: a:0, s:eng; may be\n"
     "given again; a ? at the end: if there is one",
     .set = set_map, .takes = "a stream such as a, 2, s:0 or a:eng, 32 times at most"},
    {RN_OPTIONS_INPUT, 0, "drop", "STREAM", "leave these streams out; named likewise",
     .set = set_drop, .takes = "a stream such as a, 2, s:0 or a:eng, 32 times at most"},
    {RN_OPTIONS_INPUT, 0, "series", "N",
     "one of several series (DICOM), arrays (.mat) or images\n"
     "(OME-TIFF): its number in the list that is shown where\n"
     "there are several, its name or its UID",
     TEXT(source.series)},
    {RN_OPTIONS_INPUT, 0, "channel", "N",
     "which channels of a volume to read: N, 1,3, 2-4 or all\n"
     "(default)",
     .set = set_channel, .takes = "channels from 1 on such as 2, 1,3, 2-4, 2- or all"},
    {RN_OPTIONS_INPUT, 0, "time", "N",
     "likewise its points in time; DICOM: which of several\n"
     "pictures at the same positions (phases, echoes...)",
     .set = set_time, .takes = "points in time from 1 on such as 2, 1,3, 2-4, 2- or all"},
    {RN_OPTIONS_INPUT, 0, "complex", "HOW",
     "of complex samples the magnitude (default), or the parts:\n"
     "two planes, real and imaginary; stats then measures a\n"
     "third one, the moduli",
     .set = set_complex, .takes = "magnitude or parts"},
    {RN_OPTIONS_INPUT, 0, "probesize", "N",
     "read up to N bytes (500k, 20M) to find the streams;\n"
     "default: FFmpeg's, 5M",
     .set = set_probesize, .takes = "a number of bytes such as 500k or 20M, 32 to 1000G"},
    {RN_OPTIONS_INPUT, 0, "analyzeduration", "T", "likewise, up to this time; default: 5 s",
     .set = set_analyzeduration, .takes = "a time such as 20 or 1:30, up to a day"},
    {RN_OPTIONS_INPUT, 0, "allow-playlists", NULL,
     "open the files and addresses, too, that a playlist names\n"
     "(HLS, DASH, concat, SDP)",
     FLAG(source.allow_playlists)},
    {RN_OPTIONS_INPUT, 0, "fields", "HOW",
     "auto (default): filters that mix lines take the two fields\n"
     "of a frame that is flagged interlaced one by one, as if\n"
     "they were separated before and woven after; frame: never;\n"
     "field: of every frame",
     .set = set_fields, .takes = "auto, frame or field"},
    {RN_OPTIONS_INPUT, 0, "deinterlace", "HOW",
     "frame or field: one picture of each interlaced frame, or\n"
     "of each of its fields (twice the rate), by bwdif;\n"
     "frame:all, field:all: of frames without the flag, too",
     .set = set_deinterlace, .takes = "frame, field, frame:all or field:all"},
    {RN_OPTIONS_INPUT, 0, "rotate", "HOW",
     "auto (default): upright, as a phone's display matrix says,\n"
     "in every command and output; none: as stored, the matrix a\n"
     "tag, which the window of play follows; 90, 180, 270\n"
     "(clockwise), hflip, vflip: auto and then that",
     .set = set_rotate, .takes = "auto, none, 90, 180, 270, hflip or vflip"},
    {RN_OPTIONS_INPUT, 0, "crop", "WxH+X+Y",
     "cut W x H pixels out, X from the left, Y from the top;\n"
     "WxH: out of the middle; after --deinterlace and --rotate",
     .set = set_crop, .takes = "a size and a place such as 1280x720+320+180, or a size"},
    {RN_OPTIONS_INPUT, 0, "scale", "WxH",
     "scale to W x H pixels (bicubic), after all of these; one\n"
     "of them -1: keeps the shape, -2: to an even number",
     .set = set_scale, .takes = "a size such as 1280x720, 1280x-1 or -2x720"},
    {RN_OPTIONS_INPUT, 0, "raw", "WxHxN:TYPE",
     "INPUT is samples without a header, N pictures of WxH (all\n"
     "that are there if N is left out): 512x512x771:u16le; TYPE\n"
     "is u8 s8, or u16 s16 u32 s32 f16 f32 f64 with le or be;\n"
     "+BYTES behind it leaves so many out at the beginning",
     .set = set_raw, .takes = "a size and a type such as 512x512x771:u16le or 64x64:f32be+348"},
    {RN_OPTIONS_INPUT, 0, "on-change", "WHAT",
     "pictures of another size or shape than the first: scale\n"
     "(to the first size; the default, but for image files),\n"
     "stop: OUTPUT.partial holds what came before, status 3,\n"
     "split: OUTPUT, OUTPUT-2, OUTPUT-3... for each of them",
     .set = set_on_change, .takes = "scale, stop or split"},

    {RN_OPTIONS_ENCODE, 0, "container", "NAME",
     "container, where the name of OUTPUT has no extension for\n"
     "it: matroska, mpegts, nut ...",
     TEXT(container)},
    {RN_OPTIONS_ENCODE, 0, "codec", "NAME", "encoder (default: by the container of OUTPUT)",
     TEXT(codec)},
    {RN_OPTIONS_ENCODE, 0, "codec-opts", "K=V:K=V", "its options, such as crf=20:preset=slow",
     TEXT(codec_opts)},
    {RN_OPTIONS_ENCODE, 0, "compression", "NAME",
     "of TIFF and PNG: none, deflate (the default), packbits,\n"
     "lzw, zstd; with a level: deflate:9 (TIFF: 4, PNG: 6);\n"
     "of NRRD and MetaImage: none (the default), deflate",
     .set = set_compression, .takes = RN_COMPRESSION_TAKES},
    {RN_OPTIONS_ENCODE, 0, "pix-fmt", "FMT",
     "pixel format to write (default: nearest to the chain's)", TEXT(pix_fmt)},
    {RN_OPTIONS_ENCODE, 0, "keep-start", NULL,
     "keep the time at which the input starts (default: the\n"
     "output starts at 0)",
     FLAG(source.keep_start)},
    {RN_OPTIONS_ENCODE, 0, "audio", "WHAT",
     "copy, none, or an encoder for all sound and its options:\n"
     "aac:b=192k (default: copy; what the container cannot hold\n"
     "is converted, losslessly if it can be)",
     TEXT(audio)},
    {RN_OPTIONS_ENCODE, 0, "subs", "WHAT",
     "the same for subtitles: copy, none, srt, ass, mov_text ...", TEXT(subs)},
    {RN_OPTIONS_ENCODE, 0, "strict", NULL,
     "exit status 6 too if the output could not keep all that\n"
     "the input has: each loss is a line after the run",
     FLAG(strict)},
    {RN_OPTIONS_OVERWRITE, 'y', "yes", NULL, "overwrite existing files", .set = set_yes},
    {RN_OPTIONS_OVERWRITE, 'n', "no", NULL,
     "never overwrite (default: ask on a terminal, else refuse)", .set = set_no},
    {RN_OPTIONS_OVERWRITE, 0, "allow-writes", NULL,
     "write files too that a chain file or a replay names (over\n"
     "existing ones only with -y)",
     FLAG(allow_writes)},

    {RN_OPTIONS_REPORT, 0, "exact", NULL, "exit status 6 if the input ends before --to or --frames",
     FLAG(exact)},
    {RN_OPTIONS_METRICS, 0, "metrics", "FILE",
     "write times, counts and the exit status as JSON;\n"
     "- is stdout, /dev/fd/3 what the shell opened with 3>>log",
     TEXT(metrics)},
    {RN_OPTIONS_REPORT, 0, "progress", "FILE",
     "write progress as JSON lines, twice a second; - or\n"
     "/dev/fd/3 as above",
     TEXT(progress)},

    {RN_OPTIONS_COMMON, 0, "log-level", "LEVEL", "quiet, error, warning, info (default) or debug",
     .set = set_level, .takes = "quiet, error, warning, info or debug"},
    {RN_OPTIONS_COMMON, 'q', "quiet", NULL, "errors only: no progress, no table", .set = set_quiet},
    {RN_OPTIONS_COMMON, 'h', "help", NULL, "show this help", FLAG(help)},
    {RN_OPTIONS_COMMON, 0, "version", NULL, "show the version", FLAG(version)},
};
#define NROWS ((int)(sizeof rows / sizeof *rows))
_Static_assert(NROWS <= RN_MOST_OPTIONS, "RN_MOST_OPTIONS");

const struct rn_app_option_row *rn_app_option_rows(int *n)
{
    *n = NROWS;
    return rows;
}

bool rn_app_option_is_taken(const struct rn_app_command *command,
                            const struct rn_app_option_row *row)
{
    return row->group == RN_OPTIONS_COMMON || (command && (command->options & row->group));
}
