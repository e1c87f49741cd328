/* The unit tests: unit GROUP [WORD], see unit.h. Without a group it lists them. */
#include "tests/unit.h"

#include "filters/base/log.h"

static struct unit_test *tests;
static struct unit_group *groups;
const char *unit_word = "";

void unit_add_test(struct unit_test *test)
{
    struct unit_test **at = &tests;
    while (*at && (strcmp((*at)->file, test->file) < 0 ||
                   (!strcmp((*at)->file, test->file) && (*at)->order <= test->order)))
        at = &(*at)->next;
    test->next = *at;
    *at = test;
}

void unit_add_group(struct unit_group *group)
{
    group->next = groups;
    groups = group;
}

static bool is_of(const char *file, const char *name)
{
    size_t n = strlen(name);
    const char *at = strstr(file, "unit_");
    return at && !strncmp(at + 5, name, n) && !strcmp(at + 5 + n, ".c");
}

static size_t collect(struct CMUnitTest *list, const char *name, const struct unit_group *group)
{
    size_t n = 0;
    for (const struct unit_test *t = tests; t; t = t->next) {
        if (!is_of(t->file, name))
            continue;
        if (list)
            list[n] = (struct CMUnitTest){t->name, t->function, group->before_each,
                                          group->after_each, t->state};
        n++;
    }
    return n;
}

/* What is executed anew by a test, with other words, runs the group of that test. */
#define GROUP_VARIABLE "RUNNEL_UNIT_GROUP"

int main(int argc, char **argv)
{
    const char *name = argc > 1 && collect(NULL, argv[1], NULL) ? argv[1] : getenv(GROUP_VARIABLE);
    size_t n = name ? collect(NULL, name, NULL) : 0;
    if (!n) {
        for (const struct unit_test *t = tests; t; t = t->next)
            if (!t->next || strcmp(t->next->file, t->file) != 0)
                printf("%.*s\n", (int)strlen(t->file) - 13, t->file + 11); /* tests/unit_NAME.c */
        return 2;
    }
    setenv(GROUP_VARIABLE, name, 1);
    if (argc > 2)
        unit_word = argv[2];

    static const struct unit_group plain;
    const struct unit_group *group = groups;
    while (group && !is_of(group->file, name))
        group = group->next;
    if (!group)
        group = &plain;
    if (group->quiet)
        rn_log_set_level(RN_LOG_QUIET);
    struct CMUnitTest *list = calloc(n, sizeof *list);
    if (!list)
        return 1;
    collect(list, name, group);
    int failed = _cmocka_run_group_tests(name, list, n, group->before_all, group->after_all);
    free(list);
    return failed != 0;
}
