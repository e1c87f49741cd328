/* SPDX-License-Identifier: MIT */
#include "io/read/demux/select.h"

#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/containers/table.h"

/* Writes a specifier as libavformat takes it. Returns false if text is none. */
static bool translate(char to[128], const char *text, bool *optional)
{
    char plain[64];
    size_t n = strlen(text);
    *optional = n && text[n - 1] == '?';
    n -= *optional;
    if (!n || n >= sizeof plain || text[n - 1] == ':')
        return false;
    av_strlcpy(plain, text, n + 1);
    bool typed = n > 2 && plain[1] == ':' && strchr("vVasdt", plain[0]);
    const char *rest = typed ? plain + 2 : plain;
    size_t letters = strspn(rest, "abcdefghijklmnopqrstuvwxyz");
    if (!rest[letters] && (letters == 2 || letters == 3)) /* a language */
        snprintf(to, 128, "%.*sm:language:%s", (int)(rest - plain), plain, rest);
    else
        av_strlcpy(to, plain, 128);
    return true;
}

/* Covers are video to libav. */
static bool has_pictures(const AVStream *st)
{
    return st->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && rn_read_select_has(st) &&
           !(st->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS));
}

/* All streams, for a message: "0 video h264, 1 audio aac (eng)". */
static void list_streams(const AVFormatContext *fmt, char *text, size_t size)
{
    *text = '\0';
    for (unsigned i = 0; i < fmt->nb_streams; i++) {
        const AVStream *st = fmt->streams[i];
        const char *type = av_get_media_type_string(st->codecpar->codec_type);
        const AVDictionaryEntry *e = av_dict_get(st->metadata, "language", NULL, 0);
        av_strlcatf(text, size, "%s%u %s %s%s%.8s%s", i ? ", " : "", i, type ? type : "unknown",
                    avcodec_get_name(st->codecpar->codec_id), e ? " (" : "", e ? e->value : "",
                    e ? ")" : "");
    }
}

/* Sets mark[i] of all streams that one of the texts names. */
static int mark_streams(AVFormatContext *fmt, const struct rn_io_specifiers *list,
                        const char *option, const char *input, bool *mark)
{
    for (int k = 0; k < list->n; k++) {
        char specifier[128];
        bool optional, any = false, ok = translate(specifier, list->text[k], &optional);
        rn_io_capture_begin();
        for (unsigned i = 0; ok && i < fmt->nb_streams; i++) {
            int ret = avformat_match_stream_specifier(fmt, fmt->streams[i], specifier);
            mark[i] |= ret > 0;
            any |= ret > 0;
            ok = ret >= 0;
        }
        rn_io_capture_end();
        if (!ok)
            return rn_fail(RN_EUSAGE,
                           "--%s takes a type (v a s d t), an index, or both and a language, such "
                           "as a, 2, s:0 or a:eng, not '%.64s'",
                           option, list->text[k]);
        if (any || optional)
            continue;
        char all[400];
        list_streams(fmt, all, sizeof all);
        return rn_fail(RN_EUSAGE, "--%s %.64s matches no stream of '%s', which holds %s", option,
                       list->text[k], input, all);
    }
    return 0;
}

int rn_read_select_streams(AVFormatContext *fmt, const struct rn_io_read_opts *opts,
                           const char *input)
{
    if (!opts->map.n && !opts->drop.n)
        return 0;
    unsigned n = fmt->nb_streams;
    bool by_bytes = rn_container_of_input(fmt)->end_marks;
    enum AVDiscard how = by_bytes ? RN_DISCARD_READ : AVDISCARD_ALL;
    RN_OWNED(av_freep) bool *mapped = av_calloc(n + 1, sizeof *mapped);
    RN_OWNED(av_freep) bool *dropped = av_calloc(n + 1, sizeof *dropped);
    int err = mapped && dropped ? 0 : rn_fail_memory();
    err = err ? err : mark_streams(fmt, &opts->map, "map", input, mapped);
    err = err ? err : mark_streams(fmt, &opts->drop, "drop", input, dropped);
    bool named = false, had = false, remains = false;
    for (unsigned i = 0; i < n && !err; i++)
        named |= mapped[i] && has_pictures(fmt->streams[i]);
    for (unsigned i = 0; i < n && !err; i++) {
        AVStream *st = fmt->streams[i];
        bool pictures = has_pictures(st);
        bool take = !opts->map.n || mapped[i] || (pictures && !named);
        had |= pictures;
        if (!take || dropped[i])
            st->discard = how;
        remains |= has_pictures(st);
    }
    if (!err && had && !remains)
        err = rn_fail(RN_EUSAGE, "--drop leaves no video of '%s'", input);
    return err;
}

int rn_read_select_pictures(const AVFormatContext *fmt)
{
    int best = -1;
    int64_t best_score = -1;
    for (unsigned i = 0; i < fmt->nb_streams; i++) {
        const AVStream *st = fmt->streams[i];
        if (!has_pictures(st))
            continue;
        int64_t score = (int64_t)st->codecpar->width * st->codecpar->height;
        if (st->disposition & AV_DISPOSITION_DEFAULT)
            score += INT64_C(1) << 40;
        if (score > best_score) {
            best = (int)i;
            best_score = score;
        }
    }
    return best;
}
