/* SPDX-License-Identifier: MIT */
/* Parses the command line: command, operands, options, help.
 *
 * One table (options.c) defines all options: for getopt, for the help, and which command takes
 * which. Each command is a descriptor at the end of its own file. */
#pragma once

#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "io/read/source.h"
#include "io/write/sink.h"

/* Options come in groups; a command takes whole groups. */
enum rn_app_option_group {
    RN_OPTIONS_FILTERS = 1 << 0,
    RN_OPTIONS_STATS = 1 << 1,
    RN_OPTIONS_DEVICE = 1 << 2,
    RN_OPTIONS_INPUT = 1 << 3,
    RN_OPTIONS_OVERWRITE = 1 << 4,
    RN_OPTIONS_ENCODE = 1 << 5,
    RN_OPTIONS_REPORT = 1 << 6,
    RN_OPTIONS_COMMON = 1 << 7,
    RN_OPTIONS_PLAY = 1 << 8,
    RN_OPTIONS_REPLAY = 1 << 9,
    RN_OPTIONS_PIPELINE = 1 << 10,
    RN_OPTIONS_JSON = 1 << 11,
    RN_OPTIONS_BENCH = 1 << 12,
    RN_OPTIONS_METRICS = 1 << 13,
    RN_OPTIONS_GUARD = 1 << 14,
    RN_OPTIONS_LIST = 1 << 15,
    RN_OPTIONS_PLAN = 1 << 16,
    RN_OPTIONS_PART = 1 << 17,
    RN_OPTIONS_DIR = 1 << 18,
    RN_OPTIONS_LEARN = 1 << 19,
};

#define RN_MAX_OPERANDS 16384 /* of any command: more than most shells give it */

struct rn_app_cli;
struct rn_app_option_row; /* below */
struct rn_app_segment;

/* commands.texts says more of each in --help all. */
struct rn_app_command {
    const char *name;
    const char *operands; /* "INPUT OUTPUT"; in brackets where optional */
    const char *summary;  /* one line */
    unsigned options;     /* mask of enum rn_app_option_group, without RN_OPTIONS_COMMON */
    int min_operands, max_operands;
    void (*notes)(void); /* prints more, after the options; may be NULL */
    int (*run)(const struct rn_app_cli *cli);
};

#define RN_MOST_SEGMENTS_HERE 256 /* processes of `render --segments` */

#define RN_MAX_GIVEN   256
#define RN_MAX_OPTIONS 160

/* Of `bench` without INPUT. */
enum rn_app_suite_id {
    RN_SUITE_NONE,
    RN_SUITE_DEVICES,
    RN_SUITE_FILTERS,
    RN_SUITE_STREAMING,
    RN_SUITE_LINEAR,
    RN_SUITE_NETWORK
};

struct rn_app_cli {
    const struct rn_app_command *command;
    const char *operand[RN_MAX_OPERANDS]; /* NULL where not given */
    int noperands;

    const char *filters, *p, *device;
    bool dry_run;
    bool strict;                    /* a loss makes the run fail */
    bool verify;                    /* the output is read back */
    const char *metrics, *progress; /* all texts: NULL = not given */
    struct rn_io_read_opts source;  /* without threads, pictures_only */
    struct rn_write_opts write;     /* texts and compression; the session adds the rest */
    enum rn_overwrite overwrite;
    bool allow_writes; /* to files that chain files and replays name */
    bool allow_code;   /* of kernels that they name */
    bool unconfined;   /* keeps the rights that rn_app_confine takes */
    enum rn_log_level level;
    int inflight;   /* 0 = chosen by the pool */
    int batch;      /* likewise */
    int threads;    /* 0 = all */
    double timeout; /* seconds; 0 = none; -1 = not given */
    const char *replay;
    struct {
        int count, minutes;         /* plan; 0 = not given */
        int here;                   /* render --segments; 0 = not given */
        bool resume;                /* render */
        const char *plan, *segment; /* render */
        const char *dir;            /* where segments lie */
        bool skip;                  /* render: what is complete */
    } parts;
    struct {
        int layers, width, slices, seed, loss; /* learn; layers, width, loss, steps 0 = not given */
        int64_t steps;
        const char *target; /* a file; NULL: it is none */
    } learn;
    struct rn_app_segment *segment; /* app/run/segment.h; NULL: the run is a whole */
    bool json;                      /* stats, info, bench */
    struct {
        bool untimed, loop, md5, keys;
        const char *record, *kernel, *ipc, *export, *versus, *reference;
        int64_t cache; /* bytes; -1 = not given */
    } play;
    /* The options in the order of the command line, to run it again. value "": it takes none. */
    struct {
        const struct rn_app_option_row *row;
        const char *value;
    } given[RN_MAX_GIVEN];
    int ngiven;
    bool typed[RN_MAX_OPTIONS]; /* options of the command line, which the settings do not change */
    bool help, version;
    bool help_all;
    bool no_config;
    bool presets;               /* filters */
    bool exact;                 /* the run fails if the input ends before --to or --frames */
    int repeats;                /* bench; 0 = not given */
    enum rn_app_suite_id suite; /* bench */
    const char *mnist;          /* bench; NULL: not given */
    bool quick;                 /* bench */
};

/* The command with this name; NULL: there is none. commands: NULL at the end. */
const struct rn_app_command *rn_app_command_find(const struct rn_app_command *const *commands,
                                                 const char *name);

/* Whether the command line has the option, which is no setting then. name: long. */
bool rn_app_cli_asked(const struct rn_app_cli *cli, const char *name);

/* Parses the command line. commands: NULL at the end. Returns 0, RN_END after printing help or the
 * version, or RN_EUSAGE (logged in one line). */
int rn_app_cli_parse(struct rn_app_cli *cli, const struct rn_app_command *const *commands, int argc,
                     char **argv);

/* ---- options.c: the table of options: the name, argument and target field of each */

/* In the order of the help; ends with a row without a name. */
extern const struct rn_app_option_row {
    enum rn_app_option_group group;
    char letter;      /* 0: none */
    const char *name; /* long */
    const char *arg;  /* name of the argument; NULL: takes none */
    size_t off;       /* of the field in struct rn_app_cli; by default a text, or a bool if !arg */
    bool (*set)(void *field, const char *text); /* parses other types; false: invalid text */
    int64_t min, max;                           /* max > 0: the field is a whole number */
    const char *const *words; /* values of an enumerator, up to a NULL; the first one means min */
    size_t size; /* of a number or enumerator, which an option without an argument sets to min */
    bool once;   /* says what one run is for: not in the user's file of options */
} rn_app_options[];

/* What options.words says of the option: "" the help, which is wrapped when printed; ":usual" its
 * line in --help, NULL: --help all alone has the option; ":takes" what its arguments are, for the
 * error message, NULL: anything. */
const char *rn_app_option_text(const struct rn_app_option_row *row, const char *what);

/* Whether the command takes the option. command NULL: whether every command does. */
bool rn_app_option_is_taken(const struct rn_app_command *command,
                            const struct rn_app_option_row *row);

/* The option with a long name of so many bytes, or with a letter, rather one that the command (or
 * NULL) takes; NULL: there is none. */
const struct rn_app_option_row *rn_app_option_named(const char *name, size_t length);
const struct rn_app_option_row *rn_app_option_lettered(const struct rn_app_command *command,
                                                       int letter);

/* The option that a word of n bytes is, which begins with a dash; NULL: none. */
const struct rn_app_option_row *rn_app_option_typed(const char *word, size_t n);

/* Print `COMMAND --help` and `--help` to stdout. commands: NULL at the end. all: everything, as
 * with `--help all`; else what fits one screen. */
void rn_app_print_command_help(const struct rn_app_command *command, bool all);
void rn_app_print_help(const struct rn_app_command *const *commands, bool all);
