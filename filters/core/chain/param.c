/* SPDX-License-Identifier: MIT */
#include "filters/core/chain/param.h"

#include <ctype.h>

#include "filters/base/arguments.h"
#include "filters/base/border.h"
#include "filters/base/text/words.h"
#include "filters/base/text/number.h"
#include "filters/base/threads/locked.h"
#include "filters/core/chain/import.h"
#include "filters/core/chain/region_weights.h"

#define MOST_PGM   ((size_t)1 << 30) /* bytes of a mask */
#define MOST_MODEL ((size_t)1 << 26)

const char *const rn_border_names[] = {"clamp", "zero", "mirror", "wrap", "ignore", NULL};
_Static_assert(sizeof rn_border_names / sizeof *rn_border_names == RN_IGNORE + 2,
               "a name for each border rule");

/* A level and a length are read as the number that they begin with. */
_Static_assert(offsetof(struct rn_level, value) == 0 && offsetof(struct rn_length, samples) == 0,
               "the number comes first");

bool rn_param_in_mm(const struct rn_param *row, const void *values)
{
    RN_NEED(false, "row values", row, values);
    return row->length && RN_FIELD(struct rn_length, row, values)->mm != 0;
}

static const char **contents_field(const struct rn_param *row, const void *values)
{
    return (const char **)(void *)((char *)(size_t)values + row->contents);
}

static int other_type(const struct rn_param *row, const char *function)
{
    rn_fail(RN_EUSAGE, "%s: row '%s' is of another type", function, row->name);
    return 0;
}

int rn_param_int(const struct rn_param *row, const void *values)
{
    RN_NEED(0, "row values", row, values);
    if (row->type != RN_INT && row->type != RN_CHOICE)
        return other_type(row, __func__);
    return *RN_FIELD(int, row, values);
}

const char *rn_param_text(const struct rn_param *row, const void *values)
{
    RN_NEED("", "row values", row, values);
    if (row->type != RN_TEXT) {
        other_type(row, __func__);
        return "";
    }
    return *RN_FIELD(const char *, row, values);
}

double rn_param_number(const struct rn_param *row, const void *values)
{
    RN_NEED(NAN, "row values", row, values);
    if (row->type == RN_TEXT) {
        other_type(row, __func__);
        return NAN;
    }
    return row->type == RN_FLOAT ? (double)*RN_FIELD(float, row, values)
                                 : *RN_FIELD(int, row, values);
}

static void set(const struct rn_param *row, void *values, double v)
{
    if (row->type == RN_FLOAT)
        *RN_FIELD(float, row, values) = (float)v;
    else
        *RN_FIELD(int, row, values) = (int)v;
}

void rn_param_reset(const struct rn_param *row, void *values)
{
    RN_NEED(, "row values", row, values);
    if (row->type == RN_TEXT && row->contents)
        *contents_field(row, values) = "";
    if (row->type == RN_TEXT)
        *RN_FIELD(const char *, row, values) = row->def_text;
    else
        set(row, values, row->def);
    if (row->level) {
        RN_FIELD(struct rn_level, row, values)->scale = RN_SCALE_8BIT;
        RN_FIELD(struct rn_level, row, values)->unit = "";
    }
    if (row->length)
        RN_FIELD(struct rn_length, row, values)->mm = 0;
}

void rn_params_defaults(const struct rn_param *table, void *values)
{
    RN_NEED(, "table values", table, values);
    for (const struct rn_param *row = table; row->name; row++)
        rn_param_reset(row, values);
}

const struct rn_param *rn_param_at(const struct rn_param *table, int i)
{
    RN_NEED(NULL, "table", table);
    for (; table->name && i > 0; i--)
        table++;
    return i || !table->name ? NULL : table;
}

const struct rn_param *rn_param_find(const struct rn_param *table, const char *name)
{
    RN_NEED(NULL, "table name", table, name);
    for (const struct rn_param *row = table; row->name; row++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

static int count_choices(const struct rn_param *row)
{
    return (int)row->max + 1;
}

static int parse_choice(const struct rn_param *row, const char *owner, const char *text,
                        void *values)
{
    for (int i = 0; i < count_choices(row); i++) {
        if (!strcmp(text, row->choices[i])) {
            *RN_FIELD(int, row, values) = i;
            return 0;
        }
    }
    char range[256];
    const char *names[65] = {NULL}; /* not the entries of a shared list that this row excludes */
    for (int i = 0; i < count_choices(row) && i < 64; i++)
        names[i] = row->choices[i];
    char unknown[RN_UNKNOWN_TEXT];
    return rn_fail(RN_EUSAGE, "%s: %s has no value %s; it takes %s", owner, row->name,
                   rn_unknown_name(text, rn_nearest(text, names), unknown),
                   rn_param_range(row, range, sizeof range));
}

void rn_param_take_contents(const struct rn_param *row, const void *from, void *to)
{
    RN_NEED(, "row from to", row, from, to);
    if (row->type != RN_TEXT || !row->contents) {
        other_type(row, __func__);
        return;
    }
    *contents_field(row, to) = *contents_field(row, from);
}

static rn_param_import *import;

void rn_param_set_import(rn_param_import *by)
{
    import = by;
}

int rn_param_read(const struct rn_param *row, const char *path, const char **contents, char *why)
{
    RN_OWNED(rn_free_owned) char *read = NULL;
    size_t size = 0;
    struct rn_pgm pgm;
    bool picture = row->file == RN_FILE_PGM, text = !picture && row->file != RN_FILE_MODEL;
    int err = rn_bytes_read(&read, text ? NULL : &size, path,
                            text      ? RN_TEXT_LIMIT
                            : picture ? MOST_PGM
                                      : MOST_MODEL,
                            why);
    if (!err && picture && !rn_pgm_parse(read, size, &pgm)) {
        snprintf(why, RN_TEXT_WHY, "it is no whole binary PGM picture (P5)");
        err = RN_EUSAGE;
    }
    if (!err && row->file == RN_FILE_MODEL && import)
        err = import(&read, &size, why);
    if (!err)
        *contents = text ? rn_intern(read) : rn_intern_bytes(read, size);
    return err || *contents ? err : rn_fail_memory();
}

/* Reads the file of this name, too, if the row has its contents. */
static int parse_text(const struct rn_param *row, const char *owner, const char *text, void *values)
{
    const char *kept = rn_intern(text), *contents = "";
    char why[RN_TEXT_WHY];
    int err = row->contents && *text ? rn_param_read(row, text, &contents, why) : 0;
    if (err)
        return err == RN_EUSAGE
                   ? rn_fail(err, "%s: cannot read the %s '%s': %s", owner, row->name, text, why)
                   : err;
    if (!kept)
        return rn_fail_memory();
    if (row->contents)
        *contents_field(row, values) = contents;
    *RN_FIELD(const char *, row, values) = kept;
    return 0;
}

/* what: the row takes, apart from its range. */
static int takes_only(const struct rn_param *row, const char *owner, const char *what,
                      const char *or_what, const char *text)
{
    char range[64], brief[RN_BRIEF_TEXT];
    return rn_fail(RN_EUSAGE, "%s: %s takes %s, %s%s; got '%s'", owner, row->name, what,
                   rn_param_range(row, range, sizeof range), or_what, rn_brief(text, brief));
}

static int out_of_range(const struct rn_param *row, const char *owner, const char *text)
{
    char range[64], brief[RN_BRIEF_TEXT];
    return rn_fail(RN_EUSAGE, "%s: %s=%s is out of range %s", owner, row->name,
                   rn_brief(text, brief), rn_param_range(row, range, sizeof range));
}

static bool in_range(const struct rn_param *row, double v)
{
    return v >= row->min && v <= row->max &&
           (row->type != RN_FLOAT || v == 0 || fabs(v) >= RN_FLOAT_LEAST);
}

static bool ends_with(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    return n > m && !strcmp(text + n - m, tail);
}

/* The unit behind a number: letters. Returns it interned; "": none; NULL: it is no unit. */
static const char *parse_unit(const char *text)
{
    char unit[32] = "";
    size_t n = 0;
    text += strspn(text, " ");
    for (; text[n] && n + 1 < sizeof unit; n++) {
        unsigned char c = (unsigned char)text[n];
        if (!isalpha(c) && !(n && (isdigit(c) || strchr("/^-_", c))) && c < 128 && c != '%')
            return NULL;
        unit[n] = text[n];
    }
    return text[n] ? NULL : rn_intern(unit);
}

static int parse_level(const struct rn_param *row, const char *owner, const char *text,
                       void *values)
{
    struct rn_level level = {.unit = ""};
    char number[64] = "", *end = number;
    bool eight = ends_with(text, "8bit");
    if (strlen(text) < sizeof number)
        snprintf(number, sizeof number, "%.*s", (int)strlen(text) - (eight ? 4 : 0), text);
    double v = rn_number_parse(number, &end);
    const char *unit = end == number ? NULL : parse_unit(end);
    if (!unit || !isfinite(v) || (eight && *unit))
        return takes_only(row, owner, "a number", "", text);
    if (eight ? !in_range(row, v) : fabs(v) > 1e30 || (v != 0 && fabs(v) < RN_FLOAT_LEAST))
        return out_of_range(row, owner, text);
    level.value = (float)v;
    level.scale = eight                     ? RN_SCALE_8BIT
                  : !*unit                  ? RN_SCALE_PLAIN
                  : !strcmp(unit, "native") ? RN_SCALE_NATIVE
                                            : RN_SCALE_UNIT;
    level.unit = level.scale == RN_SCALE_UNIT ? unit : "";
    *RN_FIELD(struct rn_level, row, values) = level;
    return 0;
}

/* A length in mm; how many samples that is follows from the input. */
static int parse_mm(const struct rn_param *row, const char *owner, const char *text, void *values)
{
    char *end;
    double v = rn_number_parse(text, &end);
    end += strspn(end, " ");
    if (end == text || strcmp(end, "mm") != 0 || !(v >= 1e-6 && v <= 1e6))
        return takes_only(row, owner, "a whole number", ", or millimetres such as 1.5mm", text);
    *RN_FIELD(struct rn_length, row, values) =
        (struct rn_length){.samples = (int)row->def, .mm = (float)v};
    return 0;
}

int rn_param_parse(const struct rn_param *row, const char *owner, const char *text, void *values)
{
    RN_NEED(RN_EUSAGE, "row owner text values", row, owner, text, values);
    if (row->level)
        return parse_level(row, owner, text, values);
    if (row->type == RN_TEXT)
        return parse_text(row, owner, text, values);
    if (row->type == RN_CHOICE)
        return parse_choice(row, owner, text, values);
    if (row->length && ends_with(text, "mm"))
        return parse_mm(row, owner, text, values);
    char *end;
    double v = rn_number_parse(text, &end);
    if (end == text || *end || !isfinite(v))
        return takes_only(row, owner, "a number", "", text);
    if (row->type == RN_INT && v != trunc(v))
        return takes_only(row, owner, "a whole number", "", text);
    if (!in_range(row, v))
        return out_of_range(row, owner, text);
    if (row->length)
        RN_FIELD(struct rn_length, row, values)->mm = 0;
    set(row, values, v);
    return 0;
}

/* The shortest decimal text that reads back to the same float; 80, not 8e+01. */
static void format_float(float v, char *buf, size_t size)
{
    int digits = 1;
    while (rn_number_print(buf, size, "%.*g", digits, (double)v),
           (float)rn_number_parse(buf, NULL) != v && digits < 9)
        digits++;
    for (int more = digits; strstr(buf, "e+") && more <= 7; more++)
        rn_number_print(buf, size, "%.*g", more, (double)v);
    if (strstr(buf, "e+"))
        rn_number_print(buf, size, "%.*g", digits, (double)v);
}

char *rn_param_format(const struct rn_param *row, const void *values, char *buf, size_t size)
{
    RN_NEED(buf, "row values buf", row, values, buf);
    switch (row->type) {
    case RN_INT:
        if (rn_param_in_mm(row, values)) {
            format_float(RN_FIELD(struct rn_length, row, values)->mm, buf, size);
            snprintf(buf + strlen(buf), size - strlen(buf), "mm");
        } else {
            snprintf(buf, size, "%d", *RN_FIELD(int, row, values));
        }
        break;
    case RN_FLOAT:
        format_float(*RN_FIELD(float, row, values), buf, size);
        if (row->level) {
            const struct rn_level *level = RN_FIELD(struct rn_level, row, values);
            snprintf(buf + strlen(buf), size - strlen(buf), "%s",
                     level->scale == RN_SCALE_8BIT     ? " 8bit"
                     : level->scale == RN_SCALE_NATIVE ? "native"
                                                       : level->unit);
        }
        break;
    case RN_CHOICE:
        snprintf(buf, size, "%s", row->choices[*RN_FIELD(int, row, values)]);
        break;
    case RN_TEXT:
        snprintf(buf, size, "%s", *RN_FIELD(const char *, row, values));
        break;
    }
    return buf;
}

const char *rn_param_unit(const struct rn_param *row, const void *values)
{
    RN_NEED("", "row values", row, values);
    return row->level || rn_param_in_mm(row, values) ? "" : row->unit;
}

bool rn_param_is_default(const struct rn_param *row, const void *values)
{
    RN_NEED(false, "row values", row, values);
    if (row->type == RN_TEXT)
        return !strcmp(*RN_FIELD(const char *, row, values), row->def_text);
    if (row->level && RN_FIELD(struct rn_level, row, values)->scale != RN_SCALE_8BIT)
        return false;
    if (rn_param_in_mm(row, values))
        return false;
    if (row->type == RN_FLOAT)
        return *RN_FIELD(float, row, values) == (float)row->def;
    return *RN_FIELD(int, row, values) == (int)row->def;
}

bool rn_param_equal(const struct rn_param *row, const void *a, const void *b)
{
    RN_NEED(false, "row a b", row, a, b);
    if (row->level) {
        const struct rn_level *x = RN_FIELD(struct rn_level, row, a);
        const struct rn_level *y = RN_FIELD(struct rn_level, row, b);
        if (x->scale != y->scale || strcmp(x->unit, y->unit) != 0)
            return false;
    }
    if (row->length &&
        RN_FIELD(struct rn_length, row, a)->mm != RN_FIELD(struct rn_length, row, b)->mm)
        return false;
    if (row->type == RN_TEXT)
        return !strcmp(*RN_FIELD(const char *, row, a), *RN_FIELD(const char *, row, b));
    return row->type == RN_FLOAT ? *RN_FIELD(float, row, a) == *RN_FIELD(float, row, b)
                                 : *RN_FIELD(int, row, a) == *RN_FIELD(int, row, b);
}

const struct rn_param *rn_params_fixed_apart(const struct rn_param *table, const void *a,
                                             const void *b)
{
    RN_NEED(NULL, "table a b", table, a, b);
    for (const struct rn_param *row = table; row->name; row++)
        if (row->fixed && !rn_param_equal(row, a, b))
            return row;
    return NULL;
}

void rn_param_step(const struct rn_param *row, void *values, int n)
{
    RN_NEED(, "row values", row, values);
    if (row->type == RN_TEXT)
        return;
    if (rn_param_in_mm(row, values)) {
        struct rn_length *length = RN_FIELD(struct rn_length, row, values);
        double tenths = rint(10 * (double)length->mm) + n;
        length->mm = (float)((tenths < 1 ? 1 : tenths) / 10);
        return;
    }
    if (row->type == RN_CHOICE) {
        int count = count_choices(row);
        int i = (*RN_FIELD(int, row, values) + n % count) % count;
        *RN_FIELD(int, row, values) = i < 0 ? i + count : i;
        return;
    }
    /* Steps start on the grid: ten steps of 0.1 are exactly 1, and 0.25 goes up to 0.3, down to
     * 0.2. */
    double k = (rn_param_number(row, values) - row->min) / row->step;
    double near = rint(k);
    if (fabs(k - near) < 1e-4)
        k = near;
    else
        k = n > 0 ? floor(k) : ceil(k);
    double v = row->min + (k + n) * row->step;
    if (fabs(v) < RN_FLOAT_LEAST) /* what rounding left of 0 */
        v = 0;
    set(row, values, v < row->min ? row->min : v > row->max ? row->max : v);
}

char *rn_param_range(const struct rn_param *row, char *buf, size_t size)
{
    RN_NEED(buf, "row buf", row, buf);
    if (row->type == RN_TEXT) {
        snprintf(buf, size, "text");
    } else if (row->type == RN_CHOICE) {
        size_t used = 0;
        buf[0] = '\0';
        for (int i = 0; i < count_choices(row) && used < size; i++)
            used +=
                (size_t)snprintf(buf + used, size - used, "%s%s", i ? "|" : "", row->choices[i]);
    } else {
        rn_number_print(buf, size, "%.10g..%.10g", row->min, row->max);
    }
    return buf;
}

struct interned {
    struct interned *next;
    size_t size;
    char text[];
};

static pthread_mutex_t intern_lock = PTHREAD_MUTEX_INITIALIZER;
static struct interned *texts; /* protected by intern_lock */

const char *rn_intern(const char *text)
{
    RN_NEED(NULL, "text", text);
    return rn_intern_bytes(text, strlen(text));
}

const char *rn_intern_bytes(const void *bytes, size_t size)
{
    RN_LOCKED(&intern_lock);
    struct interned *it = texts;
    while (it && (it->size != size || memcmp(it->text, bytes, size) != 0))
        it = it->next;
    if (!it && (it = malloc(sizeof *it + size + 1)) != NULL) {
        it->next = texts;
        it->size = size;
        memcpy(it->text, bytes, size);
        it->text[size] = '\0';
        texts = it;
    }
    return it ? it->text : NULL;
}

size_t rn_intern_size(const char *interned)
{
    return ((const struct interned *)(const void *)(interned - offsetof(struct interned, text)))
        ->size;
}

struct interned_table {
    struct interned_table *next;
    size_t rows; /* including the row that ends it */
    struct rn_param row[];
};

static struct interned_table *tables; /* protected by intern_lock */

static bool same_table(const struct interned_table *t, const struct rn_param *table, size_t rows)
{
    bool same = t->rows == rows;
    for (size_t i = 0; same && i < rows; i++) {
        const struct rn_param *a = &t->row[i], *b = &table[i];
        same = a->name == b->name && a->unit == b->unit && a->help == b->help &&
               a->type == b->type && a->level == b->level && a->length == b->length &&
               a->fixed == b->fixed && a->off == b->off && a->min == b->min && a->max == b->max &&
               a->step == b->step && a->def == b->def && a->choices == b->choices &&
               a->def_text == b->def_text && a->file == b->file && a->contents == b->contents;
    }
    return same;
}

const struct rn_param *rn_params_intern(const struct rn_param *table)
{
    RN_NEED(NULL, "table", table);
    size_t rows = 1;
    while (table[rows - 1].name)
        rows++;
    RN_LOCKED(&intern_lock);
    struct interned_table *t = tables;
    while (t && !same_table(t, table, rows))
        t = t->next;
    if (!t && (t = malloc(sizeof *t + rows * sizeof *table)) != NULL) {
        *t = (struct interned_table){.next = tables, .rows = rows};
        memcpy(t->row, table, rows * sizeof *table);
        tables = t;
    }
    return t ? t->row : NULL;
}

void rn_intern_reset(void)
{
    RN_LOCKED(&intern_lock);
    for (struct interned *next; texts; texts = next) {
        next = texts->next;
        free(texts);
    }
    for (struct interned_table *next; tables; tables = next) {
        next = tables->next;
        free(tables);
    }
}
