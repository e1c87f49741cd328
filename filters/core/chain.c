#include "filters/core/chain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/core/err.h"
#include "filters/core/log.h"

static const char blanks[] = " \n\t\r";
static const char label_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

char *rn_token(const char **text, const char *stop)
{
    const char *p = *text + strspn(*text, blanks);
    char *out = malloc(strlen(p) + 1);
    if (!out)
        return NULL;
    char *w = out, *keep = out; /* blanks before keep were quoted or escaped: they stay */
    while (*p && !strchr(stop, *p)) {
        char c = *p++;
        if (c == '\\' && *p) {
            *w++ = *p++;
            keep = w;
        } else if (c == '\'') {
            while (*p && *p != '\'')
                *w++ = *p++;
            if (*p) {
                p++;
                keep = w;
            }
        } else {
            *w++ = c;
        }
    }
    while (w > keep && strchr(blanks, w[-1]))
        w--;
    *w = '\0';
    *text = p;
    return out;
}

/* Where parameters were parted by a comma, the next one is taken for a filter. */
static int stray_parameter(const struct rn_stage *before, const char *name)
{
    return rn_fail(RN_EUSAGE,
                   "no filter is named '%s'; %s has a parameter of this name, and parameters "
                   "are parted by ':'",
                   name, before->desc->name);
}

/* Appends a name to a list that is printed and searched. */
static void add_name(const char *name, const char *names[64], char *list, size_t size)
{
    int n = 0;
    while (names[n])
        n++;
    size_t used = strlen(list);
    if (n < 63)
        names[n] = name;
    snprintf(list + used, size - used, "%s%s", used ? " " : "", name);
}

static int unknown_filter(const char *name)
{
    const char *names[64] = {0};
    char list[1024] = "";
    for (int i = 0; rn_registry[i]; i++)
        add_name(rn_registry[i]->name, names, list, sizeof list);
    const char *near = rn_nearest(name, names);
    return rn_fail(RN_EUSAGE, "no filter is named '%s'%s%s%s; there are: %s", name,
                   near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "", list);
}

static int unknown_param(const struct rn_stage *stage, const char *name)
{
    const char *names[64] = {0};
    char list[1024] = "";
    for (int i = 0; stage->table[i].name; i++)
        add_name(stage->table[i].name, names, list, sizeof list);
    const char *near = rn_nearest(name, names);
    return rn_fail(RN_EUSAGE, "%s has no parameter '%s'%s%s%s; it has: %s", stage->desc->name, name,
                   near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "", list);
}

/* A key is what FFmpeg takes for one: letters, digits, _-/. and then, after blanks, the = sign.
 * Returns its length, 0 if text does not begin with one. */
static size_t key_length(const char *text)
{
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/.");
    return n && text[n + strspn(text + n, blanks)] == '=' ? n : 0;
}

static int parse_options(struct rn_stage *stage, const char *text)
{
    const struct rn_stage_desc *desc = stage->desc;
    unsigned long long given = 0; /* bit per row */
    int position = 0; /* of the next value without a name; -1 behind the first with one */
    while (*text) {
        text += strspn(text, blanks);
        size_t n = key_length(text);
        const struct rn_param *row = position < 0 ? NULL : &stage->table[position];
        if (n) {
            char key[64];
            snprintf(key, sizeof key, "%.*s", (int)n, text);
            row = rn_param_find(stage->table, key);
            if (!row)
                return unknown_param(stage, key);
            text += n;
            text += strspn(text, blanks) + 1;
            position = -1;
        } else if (!row) {
            return rn_fail(RN_EUSAGE, "%s: '%s' has no name, and positional values come first",
                           desc->name, text);
        } else if (!row->name) {
            return rn_fail(RN_EUSAGE, "%s: one value too many: '%s'", desc->name, text);
        } else {
            position++;
        }
        unsigned long long bit = 1ull << ((row - stage->table) & 63);
        if (given & bit)
            return rn_fail(RN_EUSAGE, "%s: %s is given twice", desc->name, row->name);
        given |= bit;
        char *value = rn_token(&text, ":");
        if (!value)
            return rn_fail_memory();
        int err = rn_stage_set(stage, row, value);
        free(value);
        if (err)
            return err;
        if (*text == ':')
            text++;
    }
    return 0;
}

static int add(struct rn_chain *chain, const struct rn_stage_desc *desc, struct rn_stage **stage)
{
    if (chain->n == RN_MAX_STAGES)
        return rn_fail(RN_EUSAGE, "a chain holds at most %d filters", RN_MAX_STAGES);
    *stage = rn_stage_create(desc);
    if (!*stage)
        return rn_fail_memory();
    chain->stage[chain->n++] = *stage;
    return 0;
}

/* One filter: name[@label][=options]; *text moves behind it. */
static int parse_stage(struct rn_chain *chain, const char **text)
{
    char *options = NULL, *name = rn_token(text, "=,;[");
    int err = name ? 0 : rn_fail_memory();
    if (!err && **text == '=') {
        (*text)++;
        options = rn_token(text, "[],;");
        if (!options)
            err = rn_fail_memory();
    }
    if (err)
        goto end;
    char *label = strchr(name, '@');
    if (label)
        *label++ = '\0';
    if (**text && **text != ',') {
        err = rn_fail(RN_EUSAGE, "a chain has no '%c': filters are parted by commas", **text);
        goto end;
    }
    const struct rn_stage_desc *desc = rn_registry_find(name);
    struct rn_stage *stage;
    if (!*name)
        err = rn_fail(RN_EUSAGE, "a filter's name is missing in the chain");
    else if (label && (!*label || label[strspn(label, label_characters)]))
        err = rn_fail(RN_EUSAGE, "a label is made of letters, digits, _ and -; got '%s'", label);
    else if (!desc && chain->n && rn_param_find(chain->stage[chain->n - 1]->table, name))
        err = stray_parameter(chain->stage[chain->n - 1], name);
    else if (!desc)
        err = unknown_filter(name);
    else
        err = add(chain, desc, &stage);
    if (!err && label) {
        stage->label = strdup(label);
        if (!stage->label)
            err = rn_fail_memory();
    }
    if (!err && options)
        err = parse_options(stage, options);
end:
    free(options);
    free(name);
    return err;
}

/* FFmpeg takes the end of the text for the closing quote, which hides most slips of the shell. */
static bool quote_is_open(const char *text)
{
    bool open = false;
    for (; *text; text++) {
        if (!open && *text == '\\' && text[1])
            text++;
        else if (*text == '\'')
            open = !open;
    }
    return open;
}

static int parse_text(struct rn_chain *chain, const char *text)
{
    if (quote_is_open(text))
        return rn_fail(RN_EUSAGE, "a quote ' in the chain is not closed");
    text += strspn(text, blanks);
    while (*text) {
        int err = parse_stage(chain, &text);
        if (err)
            return err;
        if (*text == ',') {
            text++;
            if (!text[strspn(text, blanks)])
                return rn_fail(RN_EUSAGE, "the chain ends with a comma");
        }
    }
    return 0;
}

/* The file's text without the lines that begin with #. */
static int read_file(const char *path, char **text)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return rn_fail(RN_EUSAGE, "cannot read the chain file '%s': %s", path, strerror(errno));
    char *line = NULL, *out = calloc(1, 1);
    size_t size = 0, used = 0;
    ssize_t n;
    int err = out ? 0 : rn_fail_memory();
    while (!err && (n = getline(&line, &size, f)) >= 0) {
        if (line[0] == '#')
            continue;
        char *grown = realloc(out, used + (size_t)n + 1);
        if (!grown) {
            err = rn_fail_memory();
            break;
        }
        out = grown;
        memcpy(out + used, line, (size_t)n + 1);
        used += (size_t)n;
    }
    if (!err && ferror(f))
        err = rn_fail(RN_EUSAGE, "cannot read the chain file '%s': %s", path, strerror(errno));
    if (!err && strlen(out) != used)
        err = rn_fail(RN_EUSAGE, "the chain file '%s' is not text", path);
    free(line);
    fclose(f);
    if (err) {
        free(out);
        out = NULL;
    }
    *text = out;
    return err;
}

int rn_chain_parse(struct rn_chain **chain, const char *text)
{
    char *from_file = NULL;
    int err = 0;
    *chain = calloc(1, sizeof **chain);
    if (!*chain)
        return rn_fail_memory();
    if (text && text[0] == '@') {
        err = read_file(text + 1, &from_file);
        text = from_file;
    }
    if (!err && text)
        err = parse_text(*chain, text);
    free(from_file);
    if (err)
        rn_chain_destroy(chain);
    return err;
}

void rn_chain_destroy(struct rn_chain **chain)
{
    if (!*chain)
        return;
    for (int i = 0; i < (*chain)->n; i++)
        rn_stage_destroy(&(*chain)->stage[i]);
    free(*chain);
    *chain = NULL;
}

struct rn_stage *rn_chain_append(struct rn_chain *chain, const char *name)
{
    struct rn_stage *stage = NULL;
    const struct rn_stage_desc *desc = rn_registry_find(name);
    if (!desc)
        unknown_filter(name);
    else
        add(chain, desc, &stage);
    return stage;
}

int rn_chain_check(struct rn_chain *chain, const struct rn_geom *in)
{
    chain->in = chain->out = *in;
    for (int i = 0; i < chain->n; i++) {
        int err = rn_stage_check(chain->stage[i], &chain->out);
        if (err)
            return err;
        if (chain->stage[i]->on)
            chain->out = chain->stage[i]->out;
    }
    return 0;
}

void rn_chain_warn(const struct rn_chain *chain)
{
    char mask[16], name[24];
    for (int i = 0; i < chain->n; i++) {
        const struct rn_stage *stage = chain->stage[i];
        const struct rn_param *row = rn_param_find(stage->table, "planes");
        if (row && !stage->planes)
            rn_log(RN_LOG_WARNING, "%s does nothing: planes=%s names no plane of %s",
                   stage->desc->name, rn_param_format(row, stage->params, mask, sizeof mask),
                   rn_format_name(&stage->in.fmt, name));
    }
}

/* Writes text so that rn_token takes it as it is: backslashes before everything special. */
static void print_escaped(FILE *f, const char *text, const char *special)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            fputc('\\', f);
        fputc(*text, f);
    }
}

static void print_value(FILE *f, const struct rn_param *row, const void *values)
{
    /* Escaped once for the split at colons, and the result once more for the split at commas. */
    char *once = NULL;
    size_t size = 0;
    FILE *inner = open_memstream(&once, &size);
    if (!inner)
        return;
    if (row->type == RN_TEXT) {
        print_escaped(inner, *(const char *const *)(const void *)((const char *)values + row->off),
                      "\\': \n\t\r");
    } else {
        char buf[64];
        fputs(rn_param_format(row, values, buf, sizeof buf), inner);
    }
    fclose(inner);
    if (once && strpbrk(once, "\\'[],; \n\t\r"))
        print_escaped(f, once, "\\'[],; \n\t\r");
    else if (once)
        fputs(once, f);
    free(once);
}

int rn_chain_delay(const struct rn_chain *chain)
{
    int delay = 0;
    for (int i = 0; i < chain->n; i++)
        delay += chain->stage[i]->delay;
    return delay;
}

char *rn_chain_format(const struct rn_chain *chain)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    const char *comma = "";
    for (int i = 0; i < chain->n; i++) {
        const struct rn_stage *s = chain->stage[i];
        if (!s->on)
            continue;
        fprintf(f, "%s%s", comma, s->desc->name);
        comma = ",";
        if (s->label)
            fprintf(f, "@%s", s->label);
        char sep = '=';
        for (const struct rn_param *row = s->table; row->name; row++) {
            if (rn_param_is_default(row, s->params))
                continue;
            fprintf(f, "%c%s=", sep, row->name);
            print_value(f, row, s->params);
            sep = ':';
        }
    }
    return fclose(f) ? (free(text), NULL) : text;
}
