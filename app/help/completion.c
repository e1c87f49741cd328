/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strcasestr */
#include "app/help/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- the line */

void rn_app_typed_begin(struct rn_app_typed *typed, const char *text)
{
    snprintf(typed->text, sizeof typed->text, "%s", text);
    typed->fresh = true;
}

void rn_app_typed_add(struct rn_app_typed *typed, const char *text)
{
    size_t used = typed->fresh ? 0 : strlen(typed->text);
    if (used + strlen(text) < sizeof typed->text)
        snprintf(typed->text + used, sizeof typed->text - used, "%s", text);
    typed->fresh = false;
}

/* One character of UTF-8. */
void rn_app_typed_erase(struct rn_app_typed *typed)
{
    size_t used = strlen(typed->text);
    while (used && (typed->text[--used] & 0xc0) == 0x80)
        continue;
    typed->text[used] = '\0';
    typed->fresh = false;
}

/* ---- where the text ends */

struct end {
    enum { END_NOTHING, END_FILTER, END_PARAM, END_VALUE } kind;
    const struct rn_stage_desc *desc;
    const char *values;         /* of the stage: what follows its = */
    const struct rn_param *row; /* END_VALUE */
    const char *word;           /* that is not complete */
};

static const struct rn_stage_desc *find_filter(const char *name, const char *end)
{
    char text[64];
    size_t length = strcspn(name, "@=");
    if ((size_t)(end - name) < length || length >= sizeof text)
        return NULL;
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    return rn_registry_find(text);
}

/* A sign that parts what is before it from what is behind it. */
static void pass(struct end *end, const char *sign)
{
    if (*sign == ',') {
        *end = (struct end){.kind = END_FILTER, .word = sign + 1};
    } else if (*sign == '=' && end->kind == END_FILTER) {
        end->desc = find_filter(end->word, sign);
        end->kind = end->desc ? END_PARAM : END_NOTHING;
        end->values = end->word = sign + 1;
    } else if (*sign == '=' && end->kind == END_PARAM) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(sign - end->word), end->word);
        end->row = rn_param_find(end->desc->params, name);
        end->kind = end->row ? END_VALUE : END_NOTHING;
        end->word = sign + 1;
    } else if (*sign == ':' && end->desc) {
        end->kind = END_PARAM;
        end->word = sign + 1;
    }
}

static struct end end_of(const char *text)
{
    struct end end = {.kind = END_FILTER, .word = text};
    bool quoted = false;
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            quoted = !quoted;
        else if (*p == '\\' && !quoted && p[1])
            p++;
        else if (!quoted)
            pass(&end, p);
    }
    while (isspace((unsigned char)*end.word))
        end.word++;
    return end;
}

/* ---- filters */

bool rn_app_holds(const char *text, const char *word)
{
    return text && strcasestr(text, word);
}

/* 0: not at all; 3: best. */
static int fit(const struct rn_stage_desc *desc, const char *word)
{
    if (!strncasecmp(desc->name, word, strlen(word)))
        return 3;
    return rn_app_holds(desc->name, word) || rn_app_holds(desc->aliases, word) ? 2
           : rn_app_holds(desc->help, word)                                    ? 1
                                                                               : 0;
}

static bool offer_filter(const char *word, int n, struct rn_app_offer *offer)
{
    for (int grade = 3; grade > 0; grade--)
        for (int i = 0; rn_registry[i]; i++) {
            const struct rn_stage_desc *desc = rn_registry[i];
            if (fit(desc, word) != grade || n--)
                continue;
            *offer = (struct rn_app_offer){.name = desc->name, .is_whole = true};
            snprintf(offer->note, sizeof offer->note, "%s",
                     grade == 2 && desc->aliases ? desc->aliases : desc->help);
            return true;
        }
    return false;
}

/* ---- parameters and values */

static bool is_given(const struct end *end, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = end->values; p && p < end->word; p += strcspn(p, ":"), p += *p == ':')
        if (!strncmp(p, name, length) && p[length] == '=')
            return true;
    return false;
}

static void describe(const struct rn_param *row, struct rn_app_offer *offer)
{
    char range[160];
    bool unit = row->unit && *row->unit;
    *offer = (struct rn_app_offer){.name = row->name};
    rn_param_range(row, range, sizeof range);
    snprintf(offer->note, sizeof offer->note, "%s%s%s  %s", range, unit ? " " : "",
             unit ? row->unit : "", row->help);
}

static bool offer_param(const struct end *end, int n, struct rn_app_offer *offer)
{
    for (const struct rn_param *row = end->desc->params; row->name; row++) {
        if (strncasecmp(row->name, end->word, strlen(end->word)) != 0 || is_given(end, row->name) ||
            n--)
            continue;
        describe(row, offer);
        return true;
    }
    return false;
}

static bool offer_value(const struct end *end, int n, struct rn_app_offer *offer)
{
    const struct rn_param *row = end->row;
    if (row->type != RN_CHOICE && n == 0)
        describe(row, offer);
    if (row->type != RN_CHOICE)
        return n == 0;
    for (int i = 0; i <= (int)row->max; i++) {
        if (strncasecmp(row->choices[i], end->word, strlen(end->word)) != 0 || n--)
            continue;
        *offer = (struct rn_app_offer){.name = row->choices[i]};
        snprintf(offer->note, sizeof offer->note, "%s",
                 i == (int)row->def ? "the default" : row->help);
        return true;
    }
    return false;
}

bool rn_app_completion_offer(const char *text, int n, struct rn_app_offer *offer)
{
    struct end end = end_of(text);
    return end.kind == END_FILTER  ? offer_filter(end.word, n, offer)
           : end.kind == END_PARAM ? offer_param(&end, n, offer)
                                   : end.kind == END_VALUE && offer_value(&end, n, offer);
}

/* ---- taken */

static void put(char *text, size_t size, const char *word, const char *name, const char *sign)
{
    size_t at = (size_t)(word - text);
    if (at + strlen(name) + strlen(sign) < size)
        snprintf(text + at, size - at, "%s%s", name, sign);
}

/* Behind a value that is complete the next parameter follows, if there is one. */
static void go_on(char *text, size_t size)
{
    struct rn_app_offer offer;
    size_t used = strlen(text);
    if (used + 2 > size)
        return;
    text[used] = ':';
    text[used + 1] = '\0';
    if (!rn_app_completion_offer(text, 0, &offer))
        text[used] = '\0';
}

void rn_app_completion_take(char *text, size_t size, int n)
{
    struct rn_app_offer offer;
    struct end end = end_of(text);
    if (!rn_app_completion_offer(text, n, &offer))
        return;
    if (end.kind == END_FILTER)
        put(text, size, end.word, offer.name,
            rn_registry_find(offer.name)->params->name ? "=" : "");
    else if (end.kind == END_PARAM)
        put(text, size, end.word, offer.name, "=");
    else if (end.row->type == RN_CHOICE && strcmp(end.word, offer.name) != 0)
        put(text, size, end.word, offer.name, "");
    else if (*end.word)
        go_on(text, size);
}
