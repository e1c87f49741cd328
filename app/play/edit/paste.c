#include "app/play/edit/paste.h"

#include <stdlib.h>
#include <string.h>

#include "app/play/loop/player.h"
#include "app/play/view/compare.h"
#include "app/play/loop/seek.h"
#include "filters/base/text/printable.h"

/* Quotes keep everything as it is. */
static void print_quoted(const char *text, FILE *f)
{
    fputs("'", f);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, f);
    fputs("'", f);
}

static void print_escaped(const char *text, FILE *f)
{
    fputs("$'", f);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c > '~')
            fprintf(f, "\\%03o", c);
        else
            fprintf(f, c == '\'' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputs("'", f);
}

/* What would do something to a terminal is escaped. */
static bool print_chain(const char *option, const struct rn_chain *chain, FILE *f)
{
    char *text = rn_chain_format(chain), *plain = text ? strdup(text) : NULL;
    if (plain) {
        rn_printable(plain, false);
        fprintf(f, "%s ", option);
        (strcmp(plain, text) ? print_escaped : print_quoted)(text, f);
    }
    bool printed = plain != NULL;
    free(plain);
    free(text);
    return printed;
}

void rn_play_print_line(const struct rn_play *p, FILE *f)
{
    char range[RN_PART_TEXT];
    struct rn_play_tuned first = rn_play_tuned_state(p, false),
                         other = rn_play_tuned_state(p, true);
    bool any = (rn_chain_count(first.chain) || first.changed) && print_chain("-f", first.chain, f);
    if (other.changed)
        any |= print_chain(any ? " --versus" : "--versus", other.chain, f);
    rn_play_range(p, range);
    if (any || *range)
        fprintf(f, "%s%s\n", any && *range ? " " : "", range);
}
