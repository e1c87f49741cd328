/* SPDX-License-Identifier: MIT */
#include "filters/base/owned.h"
#include "filters/core/chain/chain_internal.h"

#include "filters/base/arguments.h"
#include "filters/core/chain/length.h"
#include "filters/core/chain/vocabulary.h"
#include "filters/base/output/textfile.h"

#define MOST_BEFORE (1 << 24)
#define MAX_GIVEN   64 /* more parameters than any filter has */

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

/* Finds the filter whose name begins a text; *rest is the text behind the name and its separator.
 * Returns NULL if the text is a name alone, or begins with no filter's name. */
static const struct rn_stage_desc *leading_filter(const char *text, const char **rest)
{
    char name[64];
    size_t n = strspn(text, label_characters);
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : 0), text);
    *rest = text + n + strspn(text + n, " \n\t\r:|+>/(");
    return **rest ? rn_registry_find(name) : NULL;
}

/* Refuses filters, or a filter and its parameter, with a wrong separator between them. */
static int check_separator(const char *name, const char *options)
{
    const char *rest, *none;
    const struct rn_stage_desc *desc = leading_filter(name, &rest);
    if (!desc)
        return 0;
    int n = (int)strlen(desc->name);
    bool other = rn_registry_find(rest) || leading_filter(rest, &none);
    char brief[RN_BRIEF_TEXT], text[RN_BRIEF_TEXT], value[RN_BRIEF_TEXT];
    rn_brief(rest, text);
    rn_brief(options ? options : "", value);
    text[strcspn(text, ")")] = value[strcspn(value, ")")] = '\0'; /* median(3) */
    return rn_fail(
        RN_EUSAGE, "no filter is named '%s': %s, as in %.*s%s%s%s%s", rn_brief(name, brief),
        other ? "filters are parted by commas" : "parameters follow an = and are parted by ':'", n,
        name,
        other   ? ","
        : *text ? "="
                : "",
        text, options ? "=" : "", value);
}

/* What is said of a value of a filter or parameter, its owner, or of a name, "@"; "": nothing. */
static const char *said_of(const char *owner, const char *word)
{
    char key[64];
    snprintf(key, sizeof key, "%s=%s", owner, word);
    const char *said = rn_word_meant(rn_vocabulary_more, key);
    return said ? said : "";
}

static int unknown_filter(const char *name)
{
    const char *instead = rn_word_meant(rn_vocabulary_elsewhere, name),
               *topic = rn_word_meant(rn_vocabulary_topics, name);
    if (instead)
        return rn_fail(RN_EUSAGE, "no filter is named '%s': %s", name, instead);
    if (topic)
        return rn_fail(RN_EUSAGE, "no filter is named '%s': %s do%s this%s", name, topic,
                       strchr(topic, ',') ? "" : "es", said_of("@", name));
    const char *names[64] = {0};
    char list[1024] = "";
    for (int i = 0; rn_registry[i]; i++)
        add_name(rn_registry[i]->name, names, list, sizeof list);
    const struct rn_stage_desc *known = rn_registry_alias(name);
    const char *near = known ? known->name : rn_nearest(name, names);
    char text[RN_UNKNOWN_TEXT];
    return rn_fail(RN_EUSAGE, "no filter is named %s; %s%s", rn_unknown_name(name, near, text),
                   near ? "`runnel filters` lists them" : "there are: ", near ? "" : list);
}

static int unknown_param(const struct rn_stage *stage, const char *owner, const char *name)
{
    const char *names[64] = {0};
    char list[1024] = "";
    RN_EACH_PARAM (row, stage)
        add_name(row->name, names, list, sizeof list);
    char text[RN_UNKNOWN_TEXT];
    return rn_fail(RN_EUSAGE, "%s has no parameter %s; it has: %s", owner,
                   rn_unknown_name(name, rn_nearest(name, names), text), list);
}

/* A key as FFmpeg defines it: letters, digits, _-/. and then, after blanks, the = sign. Returns its
 * length, 0 if text does not begin with one. */
static size_t key_length(const char *text)
{
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/.");
    return n && text[n + strspn(text + n, blanks)] == '=' ? n : 0;
}

/* The options of one filter while they are parsed. Given options are known by name, not by row:
 * reading custom's file changes the stage's table. */
struct options {
    struct rn_stage *stage;
    const char *text;             /* not parsed yet */
    const char *alias;            /* the name that was given, where it is not the filter's */
    int position;                 /* of the next positional value; -1 after the first named one */
    const char *given[MAX_GIVEN]; /* names of rows, which outlive the table */
    int ngiven;
};

/* Refuses a value that is said in other words, a parameter's name behind which a : stands for the
 * =, and a value that another filter follows without a comma. A text may hold anything. */
static int check_value(const struct options *o, const struct rn_param *row, const char *value)
{
    const char *owner = o->stage->desc->name, *meant = said_of(owner, value), *none;
    const char *rest = value + strcspn(value, blanks), *after = o->text + 1;
    char brief[RN_BRIEF_TEXT], next[RN_BRIEF_TEXT];
    if (row->type == RN_TEXT)
        return 0;
    meant = *meant ? meant : said_of(row->name, value);
    if (*meant)
        return rn_fail(RN_EUSAGE, "%s: '%s' is no value: %s", owner, value, meant);
    if (o->position > 0 && *o->text == ':' && rn_stage_find(o->stage, value))
        return rn_fail(RN_EUSAGE, "%s: %s is a parameter, whose value follows an =, as in %s=%.*s",
                       owner, value, value, (int)strcspn(after, ":"), after);
    rest += strspn(rest, blanks);
    if (!rn_registry_find(rest) && !leading_filter(rest, &none))
        return 0;
    return rn_fail(RN_EUSAGE, "%s: '%s' is no value: filters are parted by commas, as in %s,%s",
                   owner, rn_brief(value, brief), owner, rn_brief(rest, next));
}

/* Parses one option and moves o->text past it. */
static int parse_option(struct options *o)
{
    const char *owner = o->stage->desc->name;
    const struct rn_param *row;
    char brief[RN_BRIEF_TEXT];
    size_t length = key_length(o->text);
    if (length) {
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)length, o->text);
        row = rn_stage_find(o->stage, key);
        if (!row && o->alias)
            snprintf(brief, sizeof brief, "'%.64s' is %s here: %s", o->alias, owner, owner);
        if (!row)
            return unknown_param(o->stage, o->alias ? brief : owner, key);
        o->text += length;
        o->text += strspn(o->text, blanks) + 1;
        o->position = -1;
    } else if (o->alias && (row = o->stage->table)->name) {
        rn_brief(o->text, brief);
        if (row->type != RN_TEXT) /* where theirs may not be taken */
            rn_param_format(row, o->stage->params, brief, sizeof brief);
        return rn_fail(RN_EUSAGE,
                       "'%s' is %s here, whose values may mean something else: name them, as in "
                       "%s=%s=%.*s",
                       o->alias, owner, owner, row->name, (int)strcspn(brief, " "), brief);
    } else if (o->position < 0) {
        return rn_fail(RN_EUSAGE, "%s: '%s' has no name, and positional values come first", owner,
                       rn_brief(o->text, brief));
    } else {
        row = &o->stage->table[o->position++];
        if (!row->name)
            return rn_fail(RN_EUSAGE, "%s: one value too many: '%s'", owner,
                           rn_brief(o->text, brief));
    }
    for (int i = 0; i < o->ngiven; i++)
        if (!strcmp(o->given[i], row->name))
            return rn_fail(RN_EUSAGE, "%s: %s is given twice", owner, row->name);
    if (o->ngiven == MAX_GIVEN)
        return rn_fail(RN_EUSAGE, "%s: at most %d values can be given", owner, MAX_GIVEN);
    o->given[o->ngiven++] = row->name;
    RN_OWNED(rn_free_owned) char *value = rn_token(&o->text, ":");
    if (!value)
        return rn_fail_memory();
    int err = check_value(o, row, value);
    err = err ? err : rn_stage_set(o->stage, row, value);
    o->text += *o->text == ':';
    return err;
}

static int add(struct rn_chain *chain, const struct rn_stage_desc *desc, struct rn_stage **stage)
{
    if (chain->n == RN_MAX_STAGES)
        return rn_fail(RN_EUSAGE, "a chain holds at most %d stages: leave some out", RN_MAX_STAGES);
    *stage = rn_stage_create(desc);
    if (!*stage)
        return rn_fail_memory();
    chain->stage[chain->n++] = *stage;
    return 0;
}

/* The parts of one filter's text, name[@label][=options]; label and options may be NULL. */
struct parts {
    char *name, *options;
    char *label; /* in the memory of name */
};

static int split(struct parts *parts, const char **text)
{
    parts->name = rn_token(text, "=,;[");
    bool more = parts->name && **text == '=';
    if (more) {
        ++*text;
        parts->options = rn_token(text, "[],;");
    }
    if (!parts->name || (more && !parts->options))
        return rn_fail_memory();
    parts->label = strchr(parts->name, '@');
    if (parts->label)
        *parts->label++ = '\0';
    return 0;
}

/* desc: the filter of that name; NULL: there is none. */
static int check_names(const struct rn_chain *chain, const struct parts *parts,
                       const struct rn_stage_desc *desc)
{
    const struct rn_stage *before = chain->n ? chain->stage[chain->n - 1] : NULL;
    const char *label = parts->label;
    char brief[RN_BRIEF_TEXT];
    if (!*parts->name)
        return rn_fail(RN_EUSAGE, "a filter's name is missing in the chain");
    if (label && (!*label || label[strspn(label, label_characters)]))
        return rn_fail(RN_EUSAGE, "a label is made of letters, digits, _ and -; got '%s'",
                       rn_brief(label, brief));
    if (!desc && before && rn_stage_find(before, parts->name))
        return rn_fail(RN_EUSAGE,
                       "no filter is named '%s'; %s has a parameter of this name, and parameters "
                       "are parted by ':'",
                       parts->name, before->desc->name);
    int err = desc ? 0 : check_separator(parts->name, parts->options);
    return err || desc ? err : unknown_filter(parts->name);
}

/* Parses one filter and moves *text past it. */
static int parse_stage(struct rn_chain *chain, const char **text)
{
    struct parts parts = {.name = NULL};
    struct rn_stage *stage = NULL;
    int err = split(&parts, text);
    if (!err && **text && **text != ',')
        err = rn_fail(
            RN_EUSAGE,
            "a chain has no '%c': filters are parted by commas, values follow an =", **text);
    const struct rn_stage_desc *desc = err ? NULL : rn_registry_find(parts.name);
    /* What the stage before has a parameter for is more likely a comma that should be a colon. */
    bool meant = !err && chain->n && rn_stage_find(chain->stage[chain->n - 1], parts.name);
    bool alias = !err && !desc && !meant && (desc = rn_registry_alias(parts.name));
    err = err ? err : check_names(chain, &parts, desc);
    err = err ? err : add(chain, desc, &stage);
    if (!err && parts.label && !(stage->label = strdup(parts.label)))
        err = rn_fail_memory();
    struct options o = {.stage = stage, .text = parts.options, .alias = alias ? parts.name : NULL};
    while (!err && o.text && *o.text) {
        o.text += strspn(o.text, blanks);
        err = parse_option(&o);
    }
    if (!err && alias)
        rn_log(RN_LOG_INFO, "'%s' is the filter %s%s", parts.name, desc->name,
               said_of("@", parts.name));
    free(parts.options);
    free(parts.name);
    return err;
}

/* FFmpeg treats the end of the text as the closing quote, which hides most shell mistakes. */
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

/* Removes the lines that begin with # from text. */
static void drop_comments(char *text)
{
    char *keep = text;
    for (char *line = text, *next; *line; line = next) {
        size_t n = strcspn(line, "\n");
        n += line[n] == '\n';
        next = line + n;
        if (*line == '#')
            continue;
        memmove(keep, line, n);
        keep += n;
    }
    *keep = '\0';
}

int rn_chain_parse(struct rn_chain **chain, const char *text)
{
    RN_NEED(RN_EUSAGE, "chain", chain);
    RN_OWNED(rn_free_owned) char *from_file = NULL;
    char why[RN_TEXT_WHY];
    int err = 0;
    *chain = NULL;
    if (text && strnlen(text, RN_TEXT_LIMIT + 1) > RN_TEXT_LIMIT)
        return rn_fail(RN_EUSAGE, "%s: text is longer than %zu bytes", __func__, RN_TEXT_LIMIT);
    *chain = calloc(1, sizeof **chain);
    if (!*chain)
        return rn_fail_memory();
    if (text && text[0] == '@') {
        err = rn_text_read(&from_file, text + 1, RN_TEXT_LIMIT, why);
        if (err == RN_EUSAGE)
            rn_fail(err, "cannot read the chain file '%s': %s", text + 1, why);
        const char *file = err ? NULL : rn_intern(text + 1);
        err = err || file ? err : rn_fail_memory();
        if (!err) {
            drop_comments(from_file);
            const char *before = rn_stage_origin(file);
            err = parse_text(*chain, from_file);
            rn_stage_origin(before);
        }
    } else if (text) {
        err = parse_text(*chain, text);
    }
    if (err)
        rn_chain_destroy(chain);
    return err;
}

void rn_chain_destroy(struct rn_chain **chain)
{
    RN_NEED(, "chain", chain);
    if (!*chain)
        return;
    for (int i = 0; i < (*chain)->n; i++)
        rn_stage_destroy(&(*chain)->stage[i]);
    free(rn_take_owned(chain));
}

int rn_chain_count(const struct rn_chain *chain)
{
    RN_NEED(0, "chain", chain);
    return chain->n;
}

struct rn_stage *rn_chain_stage(const struct rn_chain *chain, int i)
{
    RN_NEED(NULL, "chain", chain);
    return i >= 0 && i < chain->n ? chain->stage[i] : NULL;
}

struct rn_stage *rn_chain_append(struct rn_chain *chain, const char *name)
{
    RN_NEED(NULL, "chain name", chain, name);
    struct rn_stage *stage = NULL;
    const struct rn_stage_desc *desc = rn_registry_find(name);
    if (!desc)
        unknown_filter(name);
    else
        add(chain, desc, &stage);
    return stage;
}

void rn_chain_measure_nothing(struct rn_chain *chain)
{
    for (int i = 0; chain && i < chain->n; i++)
        chain->stage[i]->on &= !chain->stage[i]->desc->measuring;
}

void rn_chain_prune(struct rn_chain *chain)
{
    RN_NEED(, "chain", chain);
    int n = 0;
    for (int i = 0; i < chain->n; i++) {
        if (chain->stage[i]->on)
            chain->stage[n++] = chain->stage[i];
        else
            rn_stage_destroy(&chain->stage[i]);
    }
    chain->n = n;
}

struct rn_chain *rn_chain_copy(const struct rn_chain *from)
{
    RN_NEED(NULL, "chain", from);
    struct rn_chain *chain = calloc(1, sizeof *chain);
    for (int i = 0; chain && i < from->n; i++) {
        if ((chain->stage[i] = rn_stage_copy(from->stage[i])) != NULL)
            chain->n++;
        else
            rn_chain_destroy(&chain);
    }
    if (!chain)
        rn_fail_memory();
    return chain;
}

int rn_chain_assign(struct rn_chain **chain, const struct rn_chain *from)
{
    RN_NEED(RN_EUSAGE, "chain from", chain, from);
    struct rn_chain *copy = rn_chain_copy(from);
    if (!copy)
        return RN_EINTERNAL;
    rn_chain_destroy(chain);
    *chain = copy;
    return 0;
}

int rn_chain_check(const struct rn_chain *chain, const struct rn_geom *in, struct rn_analysis *a)
{
    RN_NEED(RN_EUSAGE, "chain in analysis", chain, in, a);
    int bad = rn_argument_geom(__func__, in);
    if (bad)
        return bad;
    *a = (struct rn_analysis){.in = *in, .out = *in, .relays = true, .n = chain->n};
    for (int i = 0; i < chain->n; i++) {
        struct rn_snapshot *s = &a->stage[i];
        const struct rn_stage *stage = chain->stage[i];
        *s = (struct rn_snapshot){.desc = stage->desc,
                                  .on = stage->on,
                                  .region = stage->region,
                                  .params = stage->params,
                                  .in = a->out};
        int err = rn_stage_check(stage, &s->in, &s->traits);
        if (err)
            return err;
        a->delay += s->traits.delay;
        int before = s->traits.before > s->traits.delay ? s->traits.before : s->traits.delay;
        /* Of so many nobody counts further, and callers may multiply it. */
        a->before = before < MOST_BEFORE - a->before ? a->before + before : MOST_BEFORE;
        a->relays &= !before || s->traits.relays;
        a->margin = s->traits.margin > a->margin ? s->traits.margin : a->margin;
        if (s->on)
            a->out = s->traits.out;
    }
    return 0;
}

/* The first parameter that names a file for this use. forbidden: only of stages whose code is. */
static const struct rn_param *find_file(const struct rn_chain *chain, enum rn_file_use use,
                                        bool forbidden, const struct rn_stage **stage)
{
    for (int i = 0; i < chain->n; i++) {
        const struct rn_stage *s = chain->stage[i];
        for (const struct rn_param *row = s->table; row->name; row++)
            if (row->file == use && *rn_param_text(row, s->params) && (!forbidden || s->named_by)) {
                if (stage)
                    *stage = s;
                return row;
            }
    }
    return NULL;
}

const struct rn_param *rn_chain_written(const struct rn_chain *chain, const struct rn_stage **stage)
{
    RN_NEED(NULL, "chain", chain);
    return find_file(chain, RN_FILE_WRITTEN, false, stage);
}

const struct rn_param *rn_chain_code(const struct rn_chain *chain, bool forbidden,
                                     const struct rn_stage **stage)
{
    RN_NEED(NULL, "chain", chain);
    return find_file(chain, RN_FILE_RUN, forbidden, stage);
}

int rn_chain_check_code(const struct rn_chain *chain)
{
    RN_NEED(RN_EUSAGE, "chain", chain);
    int err = 0;
    for (int i = 0; i < chain->n && !err; i++)
        err = rn_stage_check_code(chain->stage[i]);
    return err;
}

void rn_chain_allow_code(struct rn_chain *chain)
{
    RN_NEED(, "chain", chain);
    for (int i = 0; i < chain->n; i++)
        chain->stage[i]->named_by = NULL;
}

void rn_chain_warn(const struct rn_chain *chain, const struct rn_analysis *a)
{
    RN_NEED(, "chain analysis", chain, a);
    char mask[16], name[24];
    for (int i = 0; i < chain->n; i++) {
        const struct rn_stage *stage = chain->stage[i];
        const struct rn_param *row = rn_param_find(stage->table, "planes");
        if (row && stage->on && !a->stage[i].traits.planes)
            rn_log(RN_LOG_WARNING, "%s does nothing: planes=%s names no plane of %s",
                   stage->desc->name, rn_param_format(row, stage->params, mask, sizeof mask),
                   rn_format_name(&a->stage[i].in.fmt, name));
        for (row = stage->table; row->name && stage->on; row++)
            rn_length_warn(row, stage->desc->name, stage->params, &a->stage[i].in);
    }
}

static int no_stage(int i)
{
    return rn_fail(RN_EUSAGE, "the chain has no stage at %d (from 0)", i);
}

int rn_chain_set(struct rn_chain *chain, int i, const char *name, const char *text)
{
    RN_NEED(RN_EUSAGE, "chain name text", chain, name, text);
    if (i < 0 || i >= chain->n)
        return no_stage(i);
    struct rn_stage *stage = chain->stage[i];
    const struct rn_param *row = rn_stage_find(stage, name);
    return row ? rn_stage_set(stage, row, text) : unknown_param(stage, stage->desc->name, name);
}

int rn_chain_switch(struct rn_chain *chain, int i, bool on)
{
    RN_NEED(RN_EUSAGE, "chain", chain);
    if (i < 0 || i >= chain->n)
        return no_stage(i);
    chain->stage[i]->on = on;
    return 0;
}

/* Prints a character escaped for the split at commas, and for chain files: a # behind a newline
 * would begin a comment. */
static void print_escaped(FILE *f, char c)
{
    if (strchr("\\'[],;# \n\t\r", c))
        fputc('\\', f);
    fputc(c, f);
}

static void print_value(FILE *f, const struct rn_param *row, const void *values)
{
    char buf[64];
    bool is_text = row->type == RN_TEXT;
    const char *text =
        is_text ? rn_param_text(row, values) : rn_param_format(row, values, buf, sizeof buf);
    for (; *text; text++) {
        if (is_text && strchr("\\': \n\t\r", *text)) /* for the split at colons, before */
            print_escaped(f, '\\');
        print_escaped(f, *text);
    }
}

static void print_stage(FILE *f, const struct rn_stage *stage)
{
    char sep = '=';
    fputs(stage->desc->name, f);
    if (stage->label)
        fprintf(f, "@%s", stage->label);
    RN_EACH_PARAM (row, stage) {
        const void *values = rn_stage_values(stage, row);
        if (rn_param_is_default(row, values))
            continue;
        fprintf(f, "%c%s=", sep, row->name);
        print_value(f, row, values);
        sep = ':';
    }
}

char *rn_chain_format(const struct rn_chain *chain)
{
    RN_NEED(NULL, "chain", chain);
    RN_OWNED(rn_free_owned) char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    for (int i = 0; i < chain->n; i++) {
        if (i)
            fputc(',', f);
        print_stage(f, chain->stage[i]);
    }
    bool whole = !ferror(f); /* fclose() need not fail where a print did */
    return !fclose(f) && whole ? rn_take_owned(&text) : NULL;
}
