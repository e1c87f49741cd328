/* SPDX-License-Identifier: MIT */
#include "filters/parts/kernelfile.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/text/hash.h"
#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/core/chain/param.h"

#define MAX_NAME 31

static const char blanks[] = " \t\r\v\f";

/* The position of a faulty declaration. */
struct place {
    const char *path;
    int line;
    char *why;
};

__attribute__((format(printf, 2, 3))) static int wrong(const struct place *at, const char *fmt, ...)
{
    int n = snprintf(at->why, RN_KERNELFILE_WHY, "%s:%d: ", at->path, at->line);
    va_list args;
    va_start(args, fmt);
    if (n >= 0 && n < RN_KERNELFILE_WHY)
        rn_number_vprint(at->why + n, (size_t)(RN_KERNELFILE_WHY - n), fmt, args);
    va_end(args);
    return RN_EUSAGE;
}

/* Copies the next word and moves *text past it. False if there is none or it is too long. */
static bool take_word(const char **text, char *word, size_t size)
{
    *text += strspn(*text, blanks);
    size_t n = strcspn(*text, " \t\r\v\f\n");
    if (!n || n >= size)
        return false;
    memcpy(word, *text, n);
    word[n] = '\0';
    *text += n;
    return true;
}

/* ---- declarations */

static bool reserved(const char *name)
{
    static const char *const words[] = {
        "file",   "border",   "planes",  "filter",   "IN",        "ARGS",     "PIXEL",  "X",
        "Y",      "W",        "H",       "PLANE",    "FRAME",     "auto",     "break",  "case",
        "char",   "const",    "default", "continue", "do",        "double",   "else",   "enum",
        "extern", "float",    "for",     "goto",     "if",        "inline",   "int",    "long",
        "return", "restrict", "short",   "register", "signed",    "sizeof",   "static", "struct",
        "switch", "typedef",  "union",   "unsigned", "void",      "volatile", "while",  "bool",
        "half",   "uchar",    "ushort",  "uint",     "ulong",     "size_t",   "kernel", "global",
        "local",  "constant", "private", "true",     "read_only", "enable"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(name, words[i]))
            return true;
    return !strncmp(name, "__", 2) || !strncmp(name, "rn_", 3) || !strncmp(name, "RN_", 3);
}

static int take_name(const struct place *at, const struct rn_kernel_file *file, const char **text,
                     char *name)
{
    bool taken = take_word(text, name, MAX_NAME + 1);
    bool plain = taken && (isalpha((unsigned char)name[0]) || name[0] == '_');
    for (const char *c = name; plain && *c; c++)
        plain = isalnum((unsigned char)*c) || *c == '_';
    if (!plain)
        return wrong(at,
                     "//@param takes NAME MIN MAX STEP DEFAULT [help]; NAME: letters, digits "
                     "and _, at most %d",
                     MAX_NAME);
    if (reserved(name))
        return wrong(at, "//@param %s: this name has a meaning already", name);
    for (int i = 0; i < file->n; i++)
        if (!strcmp(file->param[i].name, name))
            return wrong(at, "//@param %s is declared twice", name);
    return 0;
}

static int take_number(const struct place *at, const char **text, const char *name,
                       const char *what, double *v)
{
    static const struct rn_param row = {.type = RN_FLOAT};
    char word[64], printed[32], *end = NULL;
    if (!take_word(text, word, sizeof word))
        return wrong(at, "//@param %s: %s is missing; NAME MIN MAX STEP DEFAULT [help]", name,
                     what);
    *v = rn_number_parse(word, &end);
    if (*end || !isfinite(*v) || fabs(*v) > (double)FLT_MAX)
        return wrong(at, "//@param %s: %s is a number, not '%s'", name, what, word);
    if (*v != 0 && fabs(*v) < RN_FLOAT_LEAST)
        return wrong(at, "//@param %s: %s is 0 or not as close to it as '%s'", name, what, word);
    /* The value after it was set and printed: both ends of a range can be set, though they are
     * given with more digits than a float has. */
    const float f = (float)*v;
    *v = rn_number_parse(rn_param_format(&row, &f, printed, sizeof printed), NULL);
    return 0;
}

static int take_param(const struct place *at, struct rn_kernel_file *file, const char *text)
{
    char name[MAX_NAME + 1], help[256];
    struct rn_declared d;
    int err = take_name(at, file, &text, name);
    err = err ? err : take_number(at, &text, name, "MIN", &d.min);
    err = err ? err : take_number(at, &text, name, "MAX", &d.max);
    err = err ? err : take_number(at, &text, name, "STEP", &d.step);
    err = err ? err : take_number(at, &text, name, "DEFAULT", &d.def);
    if (err)
        return err;
    if (d.min >= d.max)
        return wrong(at, "//@param %s: MIN %g is not below MAX %g", name, d.min, d.max);
    if (d.step <= 0)
        return wrong(at, "//@param %s: STEP %g is not above 0", name, d.step);
    if (d.def < d.min || d.def > d.max)
        return wrong(at, "//@param %s: DEFAULT %g is not within %g..%g", name, d.def, d.min, d.max);
    if (file->n == RN_MAX_DECLARED)
        return wrong(at, "//@param %s: a kernel has at most %d parameters", name, RN_MAX_DECLARED);
    text += strspn(text, blanks);
    size_t n = strcspn(text, "\n");
    while (n && strchr(blanks, text[n - 1]))
        n--;
    snprintf(help, sizeof help, "%.*s", (int)n, n ? text : "");
    d.help = rn_intern(n ? help : "declared in the kernel's file");
    d.name = rn_intern(name);
    if (!d.help || !d.name)
        return rn_fail_memory();
    file->param[file->n++] = d;
    return 0;
}

static int take_reach(const struct place *at, struct rn_kernel_file *file, const char *text)
{
    char word[16] = "", *end = word;
    long reach = take_word(&text, word, sizeof word) ? strtol(word, &end, 10) : -1;
    if (*end || reach < 0 || reach > RN_MAX_REACH || text[strspn(text, blanks)] > ' ')
        return wrong(at, "//@reach takes one whole number, 0..%d", RN_MAX_REACH);
    file->reach = (int)reach;
    return 0;
}

/* ---- what the text reads */

/* Behind a comment or what stands between quotes that begins at text; else text. */
static const char *skip_text(const char *text)
{
    bool line = !strncmp(text, "//", 2), block = !strncmp(text, "/*", 2);
    if (!line && !block && *text != '"')
        return text;
    const char *mark = line ? "\n" : block ? "*/" : "\"", *end = strstr(text + 1 + block, mark);
    return end ? end + strlen(mark) - line : text + strlen(text);
}

/* Refuses the first PIXEL that reads farther than is declared: it would give another sample. */
static int check_reads(struct place at, const char *text, int reach, bool declared)
{
    for (const char *c = text, *next; *c; c = next) {
        int dx = 0, dy = 0, end = 0;
        size_t n = 0;
        while (isalnum((unsigned char)c[n]) || c[n] == '_')
            n++;
        next = n ? c + n : skip_text(c);
        next += next == c;
        bool reads = n == 5 && !memcmp(c, "PIXEL", n);
        if (reads && sscanf(c, "PIXEL ( %9d , %9d )%n", &dx, &dy, &end) == 2 && end) {
            if (abs(dx) > reach || abs(dy) > reach)
                return wrong(&at, "PIXEL(%d, %d) is beyond //@reach %d", dx, dy, reach);
        } else if (reads && !declared) {
            return wrong(&at, "a line //@reach N has to say how far PIXEL reaches");
        }
        for (; c < next; c++)
            at.line += *c == '\n';
    }
    return 0;
}

int rn_kernel_file_parse(struct rn_kernel_file *file, const char *path, const char *text, char *why)
{
    struct place at = {path, 0, why};
    bool declared = false;
    *file = (struct rn_kernel_file){.hash = rn_hash(text, strlen(text))};
    for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        char word[16];
        const char *tag = line + strspn(line, blanks);
        at.line++;
        if (strncmp(tag, "//@", 3) != 0)
            continue;
        tag += 3;
        bool known = take_word(&tag, word, sizeof word);
        int err = known && !strcmp(word, "param") ? take_param(&at, file, tag)
                  : known && !strcmp(word, "reach")
                      ? take_reach(&at, file, tag)
                      : wrong(&at, "'//@' stands before param or reach");
        if (err)
            return err;
        declared |= !strcmp(word, "reach");
    }
    return check_reads((struct place){path, 1, why}, text, file->reach, declared);
}
