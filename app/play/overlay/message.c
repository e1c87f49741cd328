/* SPDX-License-Identifier: MIT */
#include "app/play/edit/chain_file.h"
#include "app/play/loop/player.h"
#include "filters/base/clock.h"
#include "filters/base/output/private.h"
#include "filters/base/owned.h"
#include "filters/base/text/number.h"
#include "filters/base/text/printable.h"

#include <fcntl.h>

#define MESSAGE_TIME 4.0  /* seconds */
#define HINT_TIME    12.0 /* likewise */
#define MAX_ERROR    80   /* characters of an error that can be read on one line */

struct rn_play_message {
    char text[1024];
    double until;       /* this time of rn_clock */
    bool drawn;         /* it was in what was drawn last */
    char building[256]; /* "": nothing */
    int hint;           /* that is shown, from 1; 0: the file was not read yet */
    double hint_until;
};

/* ---- hints */

static const struct {
    const char *command, *done;      /* whose key it names, and what ends it */
    const char *does, *other, *rest; /* other: another command, or NULL */
} hints[] = {
    {"new", "add", " adds a filter: type its name", NULL, ""},
    {"step", "step", " changes the chosen value, ", "param-next", " chooses the next one"},
    {"help", "help", " shows all keys, a right click or ", "menu", " what can be done here"},
};
#define HINTS ((int)(sizeof hints / sizeof *hints))

/* The file of how many are over, a digit; -1: it cannot be kept. */
static int open_hints(void)
{
    char why[RN_PRIVATE_WHY];
    RN_OWNED(rn_free_owned) char *path = rn_play_autosave_folder();
    RN_OWNED(rn_close_owned)
    int folder = path ? rn_private_folder(path, RN_PRIVATE_CREATE, why) : -1;
    const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
    return folder < 0 ? -1 : openat(folder, "hints", flags, 0600);
}

static void end_hint(struct rn_play *p)
{
    struct rn_play_message *m = p->message;
    char over = (char)('0' + m->hint++);
    RN_OWNED(rn_close_owned) int fd = open_hints();
    if (fd < 0 || write(fd, &over, 1) != 1)
        m->hint = HINTS + 1;
    m->hint_until = rn_clock() + HINT_TIME;
    rn_play_redraw(p);
}

void rn_play_hint_done(struct rn_play *p, const char *command)
{
    int i = p->message->hint - 1;
    if (i >= 0 && i < HINTS && !p->scripted &&
        (!strcmp(command, hints[i].done) || (hints[i].other && !strcmp(command, hints[i].other))))
        end_hint(p);
}

/* ---- messages */

char *rn_play_key(const struct rn_play *p, const char *name, char buf[RN_KEY_NAME])
{
    const struct rn_ui_command *c = rn_ui_command_find(p->keys->commands, name);
    if (!*rn_ui_keymap_key(p->keys, c, rn_ui_command_default(c), buf))
        snprintf(buf, RN_KEY_NAME, ":%s", name); /* as it can be typed */
    return buf;
}

void rn_play_say(struct rn_play *p, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    rn_number_vprint(p->message->text, sizeof p->message->text, fmt, args);
    va_end(args);
    rn_mark_cut(p->message->text, sizeof p->message->text);
    rn_printable(p->message->text, false);
    p->message->until = rn_clock() + MESSAGE_TIME;
    rn_play_redraw(p);
}

void rn_play_say_refused(struct rn_play *p, const char *error)
{
    const char *part = strstr(error, "; ");
    bool cut = strlen(error) > MAX_ERROR && part;
    rn_play_say(p, "refused: %.*s%s", cut ? (int)(part - error) : (int)strlen(error), error,
                cut ? " (the terminal has the rest)" : "");
}

void rn_play_say_parameter(struct rn_play *p)
{
    char text[256];
    rn_play_say(p, "%s", rn_play_cursor_describe(p, text, sizeof text));
}

void rn_play_extend_message(struct rn_play *p, double seconds)
{
    p->message->until += seconds;
}

void rn_play_say_building(struct rn_play *p, const char *text)
{
    if (strcmp(text, p->message->building) != 0)
        rn_play_redraw(p);
    snprintf(p->message->building, sizeof p->message->building, "%s", text);
}

const char *rn_play_latest_message(const struct rn_play *p)
{
    return p->message->text;
}

void rn_play_write_messages(struct rn_play *p, const char *renders, char *buf, size_t size)
{
    char hint[160] = "", key[RN_KEY_NAME], other[RN_KEY_NAME] = "", over = '0';
    if (!p->message->hint) { /* what nobody sees, or could not be kept, is not shown */
        RN_OWNED(rn_close_owned) int fd = rn_ui_is_seen() ? open_hints() : -1;
        bool some = fd >= 0 && read(fd, &over, 1) >= 0 && over >= '0' && over < '0' + HINTS;
        p->message->hint = some ? over - '0' + 1 : HINTS + 1;
        p->message->hint_until = rn_clock() + HINT_TIME;
    }
    int i = p->message->hint - 1;
    if (i < HINTS) {
        if (hints[i].other)
            rn_play_key(p, hints[i].other, other);
        snprintf(hint, sizeof hint, "hint %d of %d: %s%s%s%s", i + 1, HINTS,
                 rn_play_key(p, hints[i].command, key), hints[i].does, other, hints[i].rest);
    }
    p->message->drawn = rn_clock() < p->message->until;
    const char *lines[] = {renders, p->message->drawn ? p->message->text : "", p->message->building,
                           hint};
    *buf = '\0';
    for (size_t k = 0, used = 0; k < sizeof lines / sizeof *lines && used < size; k++)
        if (*lines[k])
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? "\n" : "", lines[k]);
}

void rn_play_poll_message(struct rn_play *p)
{
    if (p->message->drawn && rn_clock() >= p->message->until)
        rn_play_redraw(p);
    bool goes = p->message->hint > 1 || rn_chain_count(p->session->chain); /* or nothing to tune */
    if (p->message->hint && p->message->hint <= HINTS && goes &&
        rn_clock() >= p->message->hint_until)
        end_hint(p);
}

const struct rn_play_part_type rn_play_message_part = {.size = sizeof(struct rn_play_message)};
