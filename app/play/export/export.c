#include "app/play/loop/player.h"
#include "app/play/view/message.h"
#include "app/play/export/render_queue.h"
#include "app/run/session.h"
#include "app/play/loop/seek.h"
#include "filters/base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rn_play_export(struct rn_play *p)
{
    char text[RN_RENDERS_TEXT];
    struct rn_play_part part;
    if (!p->transport->seekable) {
        rn_play_say(p, "this input cannot be read once more to be rendered");
        return;
    }
    char *chain = rn_chain_format(p->session->chain);
    struct rn_play_render_request request = {
        .cli = p->session->cli,
        .chain = chain ? chain : "",
        .part = rn_play_part(p, &part) ? &part : NULL,
    };
    /* Floats and signed samples are what no codec of Matroska keeps. */
    const struct rn_format *fmt = &p->session->analysis.out.fmt;
    bool coded = fmt->number == RN_NUMBER_UNSIGNED && !fmt->complex;
    request.extension = coded ? "mkv" : "tif";
    request.codec = coded && !p->session->cli->play.export ? "ffv1" : NULL;
    if (chain)
        rn_play_render_queue_add(p->renders, &request, text);
    rn_play_say(p, chain ? text : "out of memory");
    free(chain);
}

void rn_play_poll_renders(struct rn_play *p)
{
    char text[RN_RENDERS_TEXT];
    bool news = rn_play_render_queue_poll(p->renders, text);
    if (news)
        rn_play_redraw(p);
    if (!*text)
        return;
    rn_play_say(p, text);
    rn_log(strncmp(text, "wrote", 5) ? RN_LOG_WARNING : RN_LOG_INFO, "%s", text);
}

bool rn_play_may_quit(struct rn_play *p)
{
    bool may = !p->renders->n || p->renders->warned;
    p->renders->warned = true;
    if (!may)
        rn_play_say(p, "a render is running: q again stops it");
    return may;
}
