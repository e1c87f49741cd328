/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strcasestr */
#include "app/cli.h"

#include "app/help/help.h"
#include "filters/base/version.h"
#include "filters/base/text/number.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"
#include "filters/core/chain/vocabulary.h"
#include "filters/core/device/device.h"
#include "io/read/images/names.h"
#include "io/read/verify.h"

#include <getopt.h>
#include <stdarg.h>

/* ---- words of ffmpeg, mpv, ImageMagick and other programs, and what is meant here */

extern const struct rn_word_row rn_habits_options[], rn_habits_commands[]; /* habits.words */

/* The command that is meant by a word that is none, in quotes; NULL: unknown. */
static const char *habit_command(const char *word)
{
    word += strspn(word, "-");
    return rn_word_meant(rn_habits_commands, word);
}

/* An option of ours but for the number of its dashes, a filter, or a command. */
static const char *ours_for(const char *word, char *text, size_t size)
{
    const char *name = word + strspn(word, "-"), *sign = name == word + 1 ? "--" : "-";
    int n = (int)strcspn(name, "=:");
    const struct rn_app_option_row *row = sign[1]  ? rn_app_option_named(name, (size_t)n)
                                          : n == 1 ? rn_app_option_lettered(NULL, *name)
                                                   : NULL;
    snprintf(text, size, "%.*s", n, name);
    const struct rn_stage_desc *desc = rn_registry_find(text);
    desc = desc ? desc : rn_registry_alias(text);
    const char *topic = desc ? desc->name : rn_word_meant(rn_vocabulary_topics, text);
    const char *command = topic ? NULL : habit_command(text);
    if (row)
        snprintf(text, size, "%s%.*s%s%s", sign, n, name, row->arg ? " " : "",
                 row->arg ? row->arg : "");
    else if (topic)
        snprintf(text, size, "-f %s%s", desc ? "" : "with one of ", topic);
    else if (command)
        snprintf(text, size, "the command is %s", command);
    else
        return rn_word_meant(rn_vocabulary_elsewhere, text);
    return text;
}

/* What does here what an option does elsewhere; NULL: unknown, or an option. command: that was
 * given. word: with one or two dashes, and what follows behind a sign. The result, which may be in
 * text, is an option, which begins with a dash, or a sentence. */
static const char *habit(const struct rn_app_command *command, const char *word, char *text,
                         size_t size)
{
    const char *name = word + strspn(word, "-");
    const char *own = command->options & RN_OPTIONS_PLAY     ? "play"
                      : command->options & RN_OPTIONS_ENCODE ? "render"
                                                             : "table";
    snprintf(text, size, "%s:%.*s", own, (int)strcspn(name, "="), name);
    const char *ours = rn_word_meant(rn_habits_options, text);
    for (size_t k = strlen(name); k && !ours; k--) /* longest first: c:a is not c */
        if (!name[k] || name[k] == ':' || name[k] == '=')
            ours = rn_word_start_meant(rn_habits_options, name, k);
    return ours ? ours : ours_for(word, text, size);
}

/* ---- mistakes */

/* The command that has an option: this one, or else the one that most want it of. */
static const char *owner_of(const struct rn_app_cli *cli, const struct rn_app_option_row *row)
{
    return rn_app_option_is_taken(cli->command, row)                         ? cli->command->name
           : row->group == RN_OPTIONS_PLAY                                   ? "play"
           : row->group == RN_OPTIONS_BENCH                                  ? "bench"
           : row->group == RN_OPTIONS_LIST                                   ? "filters"
           : row->group & RN_OPTIONS_PLAN                                    ? "plan"
           : row->group == RN_OPTIONS_LEARN                                  ? "learn"
           : row->group == RN_OPTIONS_STATS || row->group == RN_OPTIONS_JSON ? "stats"
                                                                             : "render";
}

/* One that --help may not have. */
static const struct rn_app_option_row any = {.group = RN_OPTIONS_COMMON, .name = ""};

/* row: the option that the text is about, so that the help which it names has it; may be NULL. */
static int __attribute__((format(printf, 3, 4)))
usage(const struct rn_app_cli *cli, const struct rn_app_option_row *row, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const char *command = row ? owner_of(cli, row) : cli->command ? cli->command->name : NULL;
    return rn_fail(RN_EUSAGE, "%s; see `runnel%s%s --help%s`", text, command ? " " : "",
                   command ? command : "", row && !rn_app_option_text(row, ":usual") ? " all" : "");
}

/* Refuses an option of other programs, and says what it is here. other: one of another command,
 * of which the caller tells; NULL: none. */
static int check_habit(const struct rn_app_cli *cli, const struct rn_app_option_row *other,
                       const char *word)
{
    char text[160];
    const char *ours = habit(cli->command, word, text, sizeof text);
    if (!ours || (other && *ours != '-'))
        return 0;
    int n = (int)strcspn(word, "=");
    if (*ours != '-')
        return rn_fail(RN_EUSAGE, "there is no option %.*s: %s", n, word, ours);
    const struct rn_app_option_row *row = rn_app_option_typed(ours, strcspn(ours, " ,;:"));
    if (other && !rn_app_option_is_taken(cli->command, row))
        return 0;
    if (rn_app_option_is_taken(cli->command, row))
        return usage(cli, row, "there is no option %.*s: use %s", n, word, ours);
    return usage(cli, row, "there is no option %.*s: `runnel %s` has %s", n, word,
                 owner_of(cli, row), ours);
}

/* word: with its dashes, or a long one without. */
static int unknown_option(const struct rn_app_cli *cli, const char *word)
{
    const char *names[RN_MAX_OPTIONS + 1], *dashes = *word == '-' && word[1] != '-' ? "-" : "--";
    int err = check_habit(cli, NULL, word), n = 0;
    char plain[64];
    word += *word != '-' ? 0 : strlen(dashes);
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(word, "="), word);
    if (err)
        return err;
    for (const struct rn_app_option_row *row = rn_app_options; row->name; row++) {
        if (!rn_app_option_is_taken(cli->command, row))
            continue;
        names[n++] = row->name;
        /* getopt takes unique abbreviations: a known beginning is an ambiguous one */
        if (dashes[1] && *plain && !strncmp(row->name, plain, strlen(plain)))
            return usage(cli, row, "the option --%s is ambiguous (--%s ...)", plain, row->name);
    }
    names[n] = NULL;
    const char *near = dashes[1] && *plain ? rn_nearest(plain, names) : NULL;
    char brief[RN_BRIEF_TEXT];
    const struct rn_app_option_row *meant = near ? rn_app_option_named(near, strlen(near)) : &any;
    return usage(cli, meant, "unknown option %s%s%s%s%s", dashes, rn_brief(plain, brief),
                 near ? " (did you mean --" : "", near ? near : "", near ? "?)" : "");
}

static int unknown_command(const struct rn_app_cli *cli,
                           const struct rn_app_command *const *commands, const char *word)
{
    const char *names[16];
    int n = 0;
    bool ours = !strncmp(word, "--", 2) && rn_app_option_named(word + 2, strlen(word) - 2);
    if (!ours && habit_command(word))
        return usage(cli, NULL, "unknown command '%s' (did you mean %s?)", word,
                     habit_command(word));
    if (word[0] == '-')
        return usage(cli, NULL, "the command comes first, before %.64s", word);
    for (; n < 15 && commands[n]; n++)
        names[n] = commands[n]->name;
    names[n] = NULL;
    char text[RN_UNKNOWN_TEXT];
    return usage(cli, NULL, "unknown command %s",
                 rn_unknown_name(word, rn_nearest(word, names), text));
}

/* ---- parsing */

/* Values of long options start above the characters. */
#define LONG_BASE 256

#define BLANK " \t\r"

/* Sets a number, or the value of an enumerator by its word. */
static bool set_number(const struct rn_app_option_row *row, void *field, const char *text)
{
    long long n = row->min;
    const char *const *word = row->words;
    for (; word && *word && strcmp(*word, text) != 0; word++)
        n++;
    if (word ? !*word : !rn_number_whole(text, row->min, row->max, &n))
        return false;
    if (row->size == sizeof(int64_t))
        *(int64_t *)field = n;
    else
        *(int *)field = (int)n;
    return true;
}

/* typed: on the command line. */
static int apply(struct rn_app_cli *cli, const struct rn_app_option_row *row, const char *text,
                 bool typed)
{
    cli->typed[row - rn_app_options] |= typed;
    if (cli->ngiven == RN_MAX_GIVEN)
        return usage(cli, NULL, "there are too many options");
    cli->given[cli->ngiven].row = row;
    cli->given[cli->ngiven++].value = row->arg ? text : "";
    if (!rn_app_option_is_taken(cli->command, row)) {
        char word[64];
        snprintf(word, sizeof word, "--%s", row->name);
        int err = check_habit(cli, row, word);
        return err ? err
                   : usage(cli, row, "`runnel %s` has no option --%s: `runnel %s` has it",
                           cli->command->name, row->name, owner_of(cli, row));
    }
    void *field = (char *)cli + row->off;
    if (!row->arg && !row->size) {
        *(bool *)field = true;
        return 0;
    }
    if (!row->arg) {
        int *value = field;
        bool other = row->group == RN_OPTIONS_OVERWRITE && *value && *value != row->min;
        *value = (int)row->min;
        return other ? usage(cli, row, "--yes and --no exclude each other") : 0;
    }
    if (!row->set && !row->max && !row->words) {
        const char **given = field;
        if (*given && row->group == RN_OPTIONS_FILTERS)
            return usage(cli, NULL, "--filters is given twice; join the chains with a comma");
        *given = text;
        if (*text || !strcmp(row->arg, "CHAIN")) /* which may be empty */
            return 0;
        return usage(cli, row, "--%s is given an empty text", row->name);
    }
    if (row->set ? row->set(field, text) : set_number(row, field, text))
        return 0;
    return usage(cli, row, "--%s takes %s, not '%.64s'", row->name,
                 rn_app_option_text(row, ":takes"), text);
}

static void make_tables(const struct rn_app_command *command, char *letters, struct option *longs)
{
    /* "-": operands come in order as option 1, whatever POSIXLY_CORRECT says; ":": getopt returns
     * ':' for a missing argument, not '?'. */
    *letters++ = '-';
    *letters++ = ':';
    int n = 0;
    for (const struct rn_app_option_row *row = rn_app_options; row->name; row++, n++) {
        longs[n] = (struct option){row->name, row->arg ? required_argument : no_argument, NULL,
                                   LONG_BASE + n};
        if (!row->letter || rn_app_option_lettered(command, row->letter) != row)
            continue;
        *letters++ = row->letter;
        if (row->arg)
            *letters++ = ':';
    }
    *letters = '\0';
    longs[n] = (struct option){0};
}

/* Refuses operands that name a filter and no file, and so are of a chain in several words. OUTPUT
 * may have any name. more: one that is too many, or NULL. */
static int check_stray_filters(const struct rn_app_cli *cli, const char *more)
{
    const char *chain = cli->filters && *cli->filters != '@' ? cli->filters : "";
    for (int i = 0; strstr(cli->command->operands, "INPUT") && i <= cli->noperands; i++) {
        const char *word = i < cli->noperands ? cli->operand[i] : more;
        char name[64] = "";
        struct stat st;
        size_t n = word && !(i == 1 && cli->write.container) ? strcspn(word, "=") : 0;
        if (n < sizeof name) /* what is longer is no filter's name */
            snprintf(name, sizeof name, "%.*s", (int)n, word ? word : "");
        if (rn_registry_find(name) && rn_path_look(word, &st) == 0)
            return usage(cli, NULL,
                         "'%.64s' is no file: a chain is one word behind -f, as in -f %.64s%s%.64s",
                         word, chain, *chain ? "," : "", word);
    }
    return 0;
}

/* The extension of an existing file, with its dot; NULL: no such file, or no extension. */
static const char *extension_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    struct stat st;
    return dot && rn_path_look(path, &st) > 0 ? dot : NULL;
}

/* Names an operand, text, that is behind `n` others and one too many. */
static int refuse_operand(const struct rn_app_cli *cli, int n, const char *text)
{
    if (n == RN_MAX_OPERANDS)
        return rn_fail(RN_EUSAGE,
                       "'%.64s' is one too many: a command takes %d names at most; give the rest "
                       "to another one",
                       text, n);
    /* Files with one extension are likely what the shell made of a pattern. */
    const char *first = n ? extension_of(cli->operand[0]) : NULL;
    const char *second = first ? extension_of(n > 1 ? cli->operand[1] : text) : NULL;
    bool alike = second && !strcmp(first, second);
    bool images = alike && (rn_read_name_is_image(first) || !strcmp(first, ".dcm"));
    bool prints = n == 1 && *cli->command->operands == 'I' && !extension_of(text);
    const char *each = alike && cli->command->min_operands == 2
                           ? "; to render each by itself, put {} into OUTPUT: 'out/{}.mkv'"
                           : "";
    char hint[128] = "";
    int err = alike ? 0 : check_stray_filters(cli, text);
    if (err)
        return err;
    if (images)
        snprintf(hint, sizeof hint, " (quote the pattern if the shell expanded it: '*%.16s')",
                 first);
    else if (!n || prints)
        snprintf(hint, sizeof hint, "; %s%.64s",
                 n ? "the result goes to stdout: >" : "a device is chosen by -d ", text);
    return usage(cli, NULL, "unexpected argument '%.64s'%s%s", text, hint, each);
}

static int add_operand(struct rn_app_cli *cli, const char *text)
{
    int n = cli->noperands;
    if (n < cli->command->max_operands && *text) {
        cli->operand[cli->noperands++] = text;
        return 0;
    }
    return n < cli->command->max_operands ? usage(cli, NULL, "an operand is empty")
                                          : refuse_operand(cli, n, text);
}

static const struct rn_app_option_row *row_of(const struct rn_app_cli *cli, int c)
{
    return c >= LONG_BASE ? rn_app_options + (c - LONG_BASE)
                          : rn_app_option_lettered(cli->command, c);
}

/* Whether what is glued to a letter is its value, as in -d0, -dcpu and -fmedian, and not the rest
 * of -density or -flop: a number, a device that there is, or a filter. */
static bool is_glued(const struct rn_app_option_row *row, const char *value)
{
    char name[64];
    const char *why;
    RN_OWNED(rn_free_owned) struct rn_device_info *list = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(value, "@=,"), value);
    if (row->letter == 'f')
        return *value == '@' || rn_registry_find(name) || rn_registry_alias(name);
    bool is = strspn(value, "0123456789") ||
              (row->letter == 'd' && rn_word_is_listed("none gpu cpu", ' ', name, strlen(name), 1));
    for (int n = row->letter == 'd' && !is ? rn_device_list(&list, &why) : 0; n > 0 && !is; n--)
        is = strcasestr(list[n - 1].name, name) || strcasestr(list[n - 1].platform_name, name);
    return is;
}

/* Whether a word is an option of the command, or letters of several. *awaits: its value is the next
 * word. */
static bool is_option(const struct rn_app_cli *cli, const char *word, bool *awaits)
{
    const struct rn_app_option_row *row;
    *awaits = false;
    if (word[1] == '-') {
        size_t n = strcspn(word, "=");
        row = rn_app_option_named(word + 2, n - 2);
        for (const struct rn_app_option_row *other = rn_app_options; !row && other->name; other++)
            if (rn_app_option_is_taken(cli->command, other) &&
                !strncmp(other->name, word + 2, n - 2)) /* which getopt takes, or refuses */
                row = other;
        *awaits = row && row->arg && !word[n];
        return row;
    }
    for (const char *letter = word + 1; *letter; letter++) {
        row = rn_app_option_lettered(cli->command, *letter);
        if (!row || !rn_app_option_is_taken(cli->command, row))
            return false;
        *awaits = row->arg && !letter[1];
        if (row->arg)
            return *awaits || is_glued(row, letter + 1);
    }
    return word[1];
}

/* getopt would take -ss for -s -s, and name that. A word of several letters that other programs
 * know is theirs, such as -vn, but for -vf CHAIN, which means the same. */
static int check_habits(const struct rn_app_cli *cli, int argc, char **argv)
{
    bool awaits = false;
    int err = 0;
    for (int i = 1; i < argc && !err && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        enum rn_log_level level;
        bool operand = awaits || *word != '-' || !word[1];
        bool is = operand || is_option(cli, word, &awaits);
        awaits &= !operand;
        if (!operand && !strcmp(word, "-v") && i + 1 < argc &&
            rn_log_level_parse(argv[i + 1], &level))
            return usage(cli, rn_app_option_named("log-level", 9),
                         "-v takes no value: use --log-level %s", argv[i + 1]);
        if (!is)
            err = unknown_option(cli, word);
        else if (!operand && !awaits && word[1] != '-' && word[2])
            err = check_habit(cli, NULL, word);
    }
    return err;
}

static int parse_words(struct rn_app_cli *cli, int argc, char **argv)
{
    char letters[2 * RN_MAX_OPTIONS + 3];
    struct option longs[RN_MAX_OPTIONS + 1];
    int c, err = check_habits(cli, argc, argv);
    make_tables(cli->command, letters, longs);
    optind = 0; /* from the beginning, also a second time (a plan's words) */
    opterr = 0;
    while (!err && (c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (c == 1)
            err = add_operand(cli, optarg);
        else if (c == ':')
            err = usage(cli, row_of(cli, optopt), "%.64s needs a value", argv[optind - 1]);
        else if (c == '?' && optopt >= LONG_BASE)
            err = usage(cli, row_of(cli, optopt), "--%s takes no value", row_of(cli, optopt)->name);
        else if (c == '?')
            err = unknown_option(cli, argv[optind - 1]);
        else
            err = apply(cli, row_of(cli, c), optarg, true);
        if (cli->help && optind < argc) /* `--help all` */
            cli->help_all = !strcmp(argv[optind], "all");
        if (cli->help || cli->version)
            return 0;
    }
    while (!err && optind < argc)
        err = add_operand(cli, argv[optind++]);
    const char *next = cli->noperands ? "OUTPUT" : cli->command->operands;
    if (!err && cli->noperands < cli->command->min_operands && !cli->play.keys && !cli->parts.plan)
        err = usage(cli, NULL, "%.*s is missing", (int)strcspn(next, " ."), next);
    int n = cli->noperands; /* many inputs need as many outputs */
    bool many =
        n > 2 && cli->command->max_operands > 3 && !(cli->command->options & RN_OPTIONS_PLAY);
    if (!err && many && !strstr(cli->operand[n - 1], "{}"))
        err = refuse_operand(cli, 2, cli->operand[2]);
    return err ? err : check_stray_filters(cli, NULL);
}

/* ---- the user's settings */

bool rn_app_cli_asked(const struct rn_app_cli *cli, const char *name)
{
    return cli->typed[rn_app_option_named(name, strlen(name)) - rn_app_options];
}

/* Whether the command line or the environment has the option, or another one that decides the same
 * (-q, --verbose). */
static bool is_typed(const struct rn_app_cli *cli, const struct rn_app_option_row *row)
{
    for (const struct rn_app_option_row *other = rn_app_options; other->name; other++)
        if (cli->typed[other - rn_app_options] && other->off == row->off &&
            (other == row || !other->arg || !row->arg))
            return true;
    /* which brings a chain */
    return row->group == RN_OPTIONS_FILTERS && row->arg && cli->replay;
}

/* line: `name`, `name value` or `name=value`, with or without the two dashes. */
static int apply_line(struct rn_app_cli *cli, char *line, bool seen[RN_MAX_OPTIONS + 1])
{
    char *name = line + strspn(line, BLANK);
    name += !strncmp(name, "--", 2) ? 2 : 0;
    size_t n = strcspn(name, "=" BLANK), end = strlen(name);
    while (end && strchr(BLANK, name[end - 1]))
        name[--end] = '\0';
    if (!end || *name == '#')
        return 0;
    const struct rn_app_option_row *row = rn_app_option_named(name, n);
    char *value = name + n + strspn(name + n, BLANK);
    value += *value == '=';
    value += strspn(value, BLANK);
    if (!row) {
        name[n] = '\0';
        return unknown_option(cli, name);
    }
    if (row->once || (row->group == RN_OPTIONS_COMMON && !row->set && !row->size))
        return usage(cli, row, "--%s is for the command line alone", row->name);
    if (!row->arg != !*value)
        return usage(cli, row, "--%s %s value", row->name, row->arg ? "needs a" : "takes no");
    bool *before = &seen[row - rn_app_options], again = *before;
    *before = strcmp(row->name, "map") != 0 && strcmp(row->name, "drop") != 0;
    if (again)
        return usage(cli, row, "--%s stands in two lines", row->name);
    if (!rn_app_option_is_taken(cli->command, row) || is_typed(cli, row))
        return 0;
    const char *kept = rn_intern(value);
    return kept ? apply(cli, row, kept, false) : rn_fail_memory();
}

static int apply_settings(struct rn_app_cli *cli)
{
    RN_OWNED(rn_free_owned) char *path = NULL, *text = NULL;
    const char *device = getenv("RUNNEL_DEVICE");
    bool seen[RN_MAX_OPTIONS + 1] = {false};
    if (!cli->device && device && *device) {
        cli->device = device;
        cli->typed[rn_app_option_lettered(NULL, 'd') - rn_app_options] = true;
    }
    /* What an input or output has nothing for is refused where it was asked for: not of the
     * settings, nor of one of several inputs. */
    unsigned asked = 0;
    for (const struct rn_app_option_row *row = rn_app_options; row->name; row++)
        if (rn_app_cli_asked(cli, row->name))
            asked |= rn_read_limited(row->name);
    bool several = cli->command->options & RN_OPTIONS_PLAY && cli->noperands > 1;
    cli->source.standing = several ? ~0U : ~asked;
    if (cli->no_config || cli->command->options & RN_OPTIONS_PLAN) /* which says all */
        return 0;
    int err = rn_config_read("config", "options", &path, &text), line = 0;
    for (char *rest = text; rest && !err;) {
        rn_log_about("%s:%d", path, ++line);
        err = apply_line(cli, strsep(&rest, "\n"), seen);
    }
    rn_log_about("%s", "");
    return err;
}

/* ---- the whole command line */

static int check(struct rn_app_cli *cli)
{
    /* Leaves out of the settings what command and output have nothing for; the rest is left out
     * where the input is open (app/run/session.h). */
    const char *output = cli->noperands > 1 ? cli->operand[1] : NULL;
    if (!rn_app_cli_asked(cli, "container") && output && rn_write_is_named(output))
        cli->write.container = NULL;
    bool split = output && rn_write_is_file(output, &cli->write);
    if (!rn_app_cli_asked(cli, "on-change") && cli->source.on_change == RN_CHANGE_SPLIT && !split)
        cli->source.on_change = RN_CHANGE_DEFAULT;
    if (!rn_app_cli_asked(cli, "replace-set"))
        cli->write.replace_set &= cli->overwrite == RN_OVERWRITE_YES;
    if (!rn_app_cli_asked(cli, "verify"))
        cli->verify &= output && rn_read_verify_can(output);

    const struct rn_io_time *from = &cli->source.from, *to = &cli->source.to;
    if (from->kind != RN_TIME_NONE && from->kind == to->kind &&
        (from->kind == RN_TIME_FRAME ? from->frame >= to->frame : from->seconds >= to->seconds))
        return usage(cli, NULL, "--to is not after --from, no frame is between them");
    if (cli->write.replace_set && cli->overwrite != RN_OVERWRITE_YES)
        return usage(cli, rn_app_option_named("replace-set", 11),
                     "--replace-set removes files, and goes with -y alone");
    int err = rn_app_preset_resolve(&cli->filters);
    return err ? err : rn_app_preset_resolve(&cli->play.versus);
}

const struct rn_app_command *rn_app_command_find(const struct rn_app_command *const *commands,
                                                 const char *name)
{
    while (*commands && strcmp((*commands)->name, name) != 0)
        commands++;
    return *commands;
}

int rn_app_cli_parse(struct rn_app_cli *cli, const struct rn_app_command *const *commands, int argc,
                     char **argv)
{
    *cli = (struct rn_app_cli){
        .source.frames = -1, .play.cache = -1, .level = RN_LOG_INFO, .timeout = -1};
    if (argc < 2)
        return usage(cli, NULL, "a command is missing");
    const char *word = argv[1];
    bool help = !strcmp(word, "help"), all = argc > 2 && !strcmp(argv[argc - 1], "all");
    if ((help && argc == 2 + (all && argc == 3)) || !strcmp(word, "--help") ||
        !strcmp(word, "-h")) {
        rn_app_print_help(commands, all);
        return RN_END;
    }
    if (help) /* help COMMAND is COMMAND --help */
        word = argv[2];
    if (!strcmp(word, "--version")) {
        puts("runnel " RN_VERSION);
        return RN_END;
    }
    cli->command = rn_app_command_find(commands, word);
    int words = 1; /* in front of the operands and options */
    struct stat st;
    if (!cli->command && !help && rn_path_look(word, &st) > 0) { /* `runnel FILE` plays it */
        cli->command = rn_app_command_find(commands, "play");
        words = 0;
    }
    if (!cli->command)
        return unknown_command(cli, commands, word);
    int err = help ? 0 : parse_words(cli, argc - words, argv + words);
    if (err)
        return err;
    /* `runnel IN OUT`, as others have it; patterns and addresses are inputs. */
    const char *second = !words && cli->noperands == 2 ? cli->operand[1] : NULL;
    if (second && !second[strcspn(second, ":%*?[")] && rn_path_look(second, &st) == 0)
        return rn_fail(RN_EUSAGE, "there is no '%s'; `runnel render %s %s` makes it", second,
                       cli->operand[0], second);
    if (cli->help || help)
        rn_app_print_command_help(cli->command, cli->help_all || (help && all));
    else if (cli->version)
        puts("runnel " RN_VERSION);
    else
        return (err = apply_settings(cli)) ? err : check(cli);
    return RN_END;
}
