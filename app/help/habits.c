/* SPDX-License-Identifier: MIT */
#include "app/help/habits.h"

#include "app/options.h"
#include "filters/base/text/word_list.h"
#include "filters/core/chain/stage.h"
#include "filters/core/chain/vocabulary.h"

#include <stdio.h>
#include <string.h>

/* Options have lost their dashes; behind a : or = anything may follow. play:X: X of that command;
 * table:X: of those that print one. */
static const struct rn_word_row habits[] = {
    {"i input infile", "INPUT and OUTPUT stand without an option: `runnel render INPUT OUTPUT`"},
    {"o output outfile out save", "OUTPUT is the second word: `runnel render INPUT OUTPUT`"},
    {"ss start start-time start-frame seek skip begin", "--from T, such as 1:30 or 150f"},
    {"to end end-time end-frame stop", "--to T, such as 1:30 or 150f"},
    {"t length duration", "--to T, the end itself, or --frames N"},
    {"vframes frames frames:v count limit max-frames num-frames nframes", "--frames N"},
    {"vf af filter filter_complex lavfi chain effect effects glsl-shader", "-f CHAIN"},
    {"c:a acodec codec:a oac aencoder audio-codec b:a ab ar ac audio-bitrate",
     "--audio ENCODER with its options, such as aac:b=192k"},
    {"c:s scodec codec:s", "--subs ENCODER"},
    {"c:v vcodec codec:v c codec ovc encoder vc video-codec", "--codec NAME"},
    {"b:v b vb bitrate video-bitrate maxrate minrate bufsize",
     "--codec-opts NAME=VALUE, such as b=2M, or --size N for the whole file"},
    {"crf preset tune profile g qp qscale q:v bf x264-params x265-params x264opts quality keyint",
     "--codec-opts NAME=VALUE, such as crf=20:preset=slow"},
    {"lossless", "--codec ffv1, or --for archive"},
    {"fs filesize file-size max-size target-size pass", "--size N, such as 25M"},
    {"an no-audio noaudio no-sound mute", "--audio none"},
    {"sn no-sub no-subs no-subtitles", "--subs none"},
    {"dn", "--drop d"},
    {"vn no-video", "the pictures are what runnel is for; ffmpeg -vn copies the sound alone"},
    {"r framerate rate frame-rate", "frames keep their times; --fps R is for image files"},
    {"pix_fmt pixel-format pixel_format pixfmt", "--pix-fmt FMT"},
    {"depth bits bit-depth bitdepth", "-f format=gray16 and the like, or --pix-fmt"},
    {"s resize geometry resolution video_size width height w autofit thumbnail scale-to",
     "--scale WxH, or -1 for one of them, as in 640x-1"},
    {"rotate rotation flip flop hflip vflip transpose mirror autorotate noautorotate auto-orient",
     "--rotate 90, 180, 270, hflip, vflip or none"},
    {"aspect", "--codec-opts aspect=W/H"},
    {"container muxer ext extension format of type", "--container NAME, or OUTPUT's extension"},
    {"jobs j workers parallel cores", "--threads N"},
    {"loglevel msg-level verbosity log debug trace", "--log-level LEVEL"},
    {"hide_banner nostats really-quiet silent", "-q"},
    {"force overwrite overwrite-output clobber", "-y"},
    {"gpu cpu gpus no-gpu cuda opencl platform software hardware",
     "-d SEL: gpu, cpu, none or a number of `runnel devices`"},
    {"hwaccel hwdec", "decoding is done by the CPU; -d chooses where filters run"},
    {"metadata map_metadata tags", "tags of the input are kept; ffmpeg changes them"},
    {"strict xerror", "--strict or --exact; of an encoder: --codec-opts strict=experimental"},
    {"compress", "--compression NAME"},
    {"stream_loop loop-file loop-playlist repeat", "--loop"},
    {"compare diff side-by-side split", "--versus CHAIN, or --reference FILE"},
    {"play:fs play:an play:no-audio play:mute fullscreen pause speed volume screenshot-directory",
     "`runnel play` has keys for it: `runnel play --keys`"},
    {"table:csv table:format", "stdout gets a table, of stats as CSV, or with --json JSON"},
    {"table:o table:output table:out table:save", "the result goes to stdout: add >FILE"},
    {"headless no-window nodisp", "`runnel render INPUT null:` shows and writes nothing"},
    {"config conf settings", "options of every run stand in ~/.config/runnel/config"},
    {"input-ipc-server", "--ipc SOCKET"},
    {"input-conf", "keys are changed in ~/.config/runnel/keys; see `runnel play --keys`"},
    {0},
};

static const struct rn_word_row commands[] = {
    {"preview view watch show display open ffplay mpv", "'play'"},
    {"convert transcode encode process apply export write save run ffmpeg magick", "'render'"},
    {"filter", "'render' or 'filters'"},
    {"list ls", "'filters' or 'devices'"},
    {"probe identify inspect ffprobe mediainfo header describe dump", "'info'"},
    {"measure metrics analyze analyse statistics csv", "'stats'"},
    {"compare diff", "'play --versus' or 'play --reference'"},
    {"benchmark time speed test", "'bench'"},
    {"device gpus gpu opencl clinfo platforms list-devices", "'devices'"},
    {"effects plugins list-filters", "'filters'"},
    {"version v", "'--version'"},
    {0},
};

/* An option of ours but for the number of its dashes, a filter, or a command. */
static const char *ours_for(const char *word, char *text, size_t size)
{
    const char *name = word + strspn(word, "-"), *sign = name == word + 1 ? "--" : "-";
    int n = (int)strcspn(name, "=:");
    const struct rn_app_option_row *row = sign[1]  ? rn_app_option_named(name, (size_t)n)
                                          : n == 1 ? rn_app_option_lettered(NULL, *name)
                                                   : NULL;
    snprintf(text, size, "%.*s", n, name);
    const struct rn_stage_desc *desc = rn_registry_find(text);
    desc = desc ? desc : rn_registry_alias(text);
    const char *topic = desc ? desc->name : rn_vocabulary_filters(text);
    const char *command = topic ? NULL : rn_app_habit_command(text);
    if (row)
        snprintf(text, size, "%s%.*s%s%s", sign, n, name, row->arg ? " " : "",
                 row->arg ? row->arg : "");
    else if (topic)
        snprintf(text, size, "-f %s%s", desc ? "" : "with one of ", topic);
    else if (command)
        snprintf(text, size, "the command is %s", command);
    else
        return rn_vocabulary_instead(text);
    return text;
}

const char *rn_app_habit(const struct rn_app_command *command, const char *word, char *text,
                         size_t size)
{
    const char *name = word + strspn(word, "-");
    const char *own = command->options & RN_OPTIONS_PLAY     ? "play"
                      : command->options & RN_OPTIONS_ENCODE ? "render"
                                                             : "table";
    int n = snprintf(text, size, "%s:%.*s", own, (int)strcspn(name, "="), name);
    const char *ours = rn_word_meant(habits, text, (size_t)n);
    for (size_t k = strlen(name); k && !ours; k--) /* longest first: c:a is not c */
        if (!name[k] || name[k] == ':' || name[k] == '=')
            ours = rn_word_meant(habits, name, k);
    return ours ? ours : ours_for(word, text, size);
}

const char *rn_app_habit_command(const char *word)
{
    word += strspn(word, "-");
    return rn_word_meant(commands, word, strlen(word));
}
