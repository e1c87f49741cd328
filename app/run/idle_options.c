/* SPDX-License-Identifier: MIT */
#include "app/run/session.h"

#include "io/write/sink.h"

#include <string.h>

/* ---- the settings */

static const struct {
    const char *option;
    size_t off, size;
    bool coding; /* which --for chooses */
} fields[] = {
#define FIELD(option, field, coding)                                                               \
    {                                                                                              \
        option, offsetof(struct rn_write_opts, field), sizeof(((struct rn_write_opts *)0)->field), \
            coding                                                                                 \
    }
    FIELD("codec", codec, true),
    FIELD("codec-opts", codec_opts, true),
    FIELD("pix-fmt", pix_fmt, true),
    FIELD("audio", audio, true),
    FIELD("subs", subs, false),
    FIELD("compression", compression, false),
    FIELD("replace-set", replace_set, false),
};
#define NFIELDS (sizeof fields / sizeof *fields)

int rn_app_idle_write(const struct rn_app_session *s, struct rn_write_opts *write)
{
    const struct rn_io_media *media = rn_read_media(s->source);
    const struct rn_geom *geom = &s->analysis.out;
    const struct rn_write_opts wanted = *write, none = {.threads = 0};
    enum rn_log_level level = rn_log_level();
    bool set[NFIELDS], any = false;
    for (size_t i = 0; i < NFIELDS; i++) {
        size_t off = fields[i].off;
        set[i] = !rn_app_cli_asked(s->cli, fields[i].option) &&
                 memcmp((char *)&wanted + off, (char *)&none + off, fields[i].size) != 0;
        any |= set[i];
        if (set[i])
            memset((char *)write + off, 0, fields[i].size);
    }
    int err = any ? rn_write_check_options(s->output, write, media, geom) : 0;
    for (size_t i = 0; i < NFIELDS && !err; i++) {
        struct rn_write_opts more = *write;
        memcpy((char *)&more + fields[i].off, (char *)&wanted + fields[i].off, fields[i].size);
        if (!set[i] || (fields[i].coding && write->profile))
            continue;
        rn_log_set_level(RN_LOG_QUIET);
        bool takes = !rn_write_check_options(s->output, &more, media, geom);
        rn_log_set_level(level);
        if (takes)
            *write = more;
        else
            rn_log(RN_LOG_DEBUG, "'%s' does not take the --%s of the settings", s->output,
                   fields[i].option);
    }
    return err;
}

/* ---- the command line */

void rn_app_idle_tell(const struct rn_app_session *s)
{
    static const char *const options[] = {"probesize",  "analyzeduration", "hwdec", "codec",
                                          "codec-opts", "pix-fmt",         "audio", "subs",
                                          "keep-start", "replace-set",     "batch", "exact"};
    const struct rn_app_cli *cli = s->cli;
    bool stills = rn_read_lacks(s->source) & RN_LIMITED_STREAMS;
    bool part = cli->source.to.kind || cli->source.frames >= 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *name = options[i], *why = NULL;
        if (!rn_app_cli_asked(cli, name))
            continue;
        if (i < 3)
            why = stills ? "the input is single pictures" : NULL;
        else if (!strcmp(name, "batch"))
            why = s->ndevices ? NULL : "no device computes";
        else if (!strcmp(name, "exact"))
            why = part ? NULL : "neither --to nor --frames is given";
        else
            why = rn_write_idle(s->output, &cli->write, rn_read_media(s->source), name);
        if (why)
            rn_log(RN_LOG_INFO, "--%s has nothing to do: %s", name, why);
    }
}
