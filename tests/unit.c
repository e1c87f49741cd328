/* SPDX-License-Identifier: MIT */
/* The unit tests: unit GROUP, see unit.h. Without a group it lists them. */
#include "tests/unit.h"

#include <dirent.h>

#include "filters/core/chain/chain.h"

static struct unit_test *tests;
static struct unit_group *groups;

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

/* ---- what tests share */

char unit_folder[32];

int unit_enter_folder(void **state)
{
    (void)state;
    snprintf(unit_folder, sizeof unit_folder, "/tmp/runnel-unit-XXXXXX");
    return !mkdtemp(unit_folder) || chdir(unit_folder);
}

int unit_leave_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", unit_folder);
    return chdir("/") || system(command);
}

int unit_entries(const char *folder)
{
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (d)
        closedir(d);
    return n;
}

mode_t unit_mode(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

void unit_write_bytes(const char *path, const char *data, size_t size)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

void unit_write(const char *path, const char *text)
{
    unit_write_bytes(path, text, strlen(text));
}

static char collected[4096];
int unit_heard[RN_LOG_DEBUG + 1];

static void collect_message(void *user, enum rn_log_level level, const char *text)
{
    size_t n = strlen(collected);
    (void)user;
    unit_heard[level]++;
    snprintf(collected + n, sizeof collected - n, "%s%s", n ? "\n" : "", text);
}

void unit_hear(bool on)
{
    *collected = '\0';
    memset(unit_heard, 0, sizeof unit_heard);
    rn_log_set_sink(on ? collect_message : NULL, NULL);
}

const char *unit_said(void)
{
    static char said[sizeof collected];
    memcpy(said, collected, sizeof said);
    *collected = '\0';
    return said;
}

struct rn_chain *unit_chain(const char *text)
{
    struct rn_chain *chain = NULL;
    if (rn_chain_parse(&chain, text))
        fail_msg("'%s' is refused", text ? text : "");
    return chain;
}

double unit_value(const struct rn_chain *chain, int stage, const char *name)
{
    const struct rn_stage *s = rn_chain_stage(chain, stage);
    return rn_param_number(rn_param_find(s->table, name), s->params);
}

void unit_expect_read_back(const struct rn_chain *a)
{
    OWNED(rn_free_owned) char *text = rn_chain_format(a);
    assert_non_null(text);
    OWNED(rn_chain_destroy) struct rn_chain *b = unit_chain(text);
    unit_expect_chain(b, text);
    assert_int_equal(rn_chain_count(a), rn_chain_count(b));
    for (int i = 0; i < rn_chain_count(a); i++) {
        const struct rn_stage *s = rn_chain_stage(a, i), *t = rn_chain_stage(b, i);
        assert_ptr_equal(s->desc, t->desc);
        assert_string_equal(s->label ? s->label : "", t->label ? t->label : "");
        assert_int_equal(s->on, t->on);
        for (const struct rn_param *row = s->table; row->name; row++) {
            const void *x = (char *)s->params + row->off, *y = (char *)t->params + row->off;
            bool same = row->type == RN_TEXT
                            ? !strcmp(*(const char *const *)x, *(const char *const *)y)
                            : !memcmp(x, y, 4);
            if (!same)
                fail_msg("'%s': %s.%s differs", text, s->desc->name, row->name);
        }
    }
}

struct rn_image unit_image(const struct rn_geom *geom)
{
    struct rn_image image;
    assert_int_equal(rn_image_alloc(&image, geom), 0);
    return image;
}

void unit_expect_chain(const struct rn_chain *chain, const char *want)
{
    char *text = rn_chain_format(chain);
    assert_string_equal(text, want);
    free(text);
}

/* ---- groups */

static bool is_of(const char *file, const char *name)
{
    size_t n = strlen(name);
    const char *at = strstr(file, "unit_");
    return at && !strncmp(at + 5, name, n) && !strcmp(at + 5 + n, ".c");
}

static size_t list_tests(struct CMUnitTest *list, const char *name, const struct unit_group *group)
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
    const char *name =
        argc > 1 && list_tests(NULL, argv[1], NULL) ? argv[1] : getenv(GROUP_VARIABLE);
    size_t n = name ? list_tests(NULL, name, NULL) : 0;
    if (!n) {
        for (const struct unit_test *t = tests; t; t = t->next)
            if (!t->next || strcmp(t->next->file, t->file) != 0)
                printf("%.*s\n", (int)strlen(t->file) - 13, t->file + 11); /* tests/unit_NAME.c */
        return 2;
    }
    setenv(GROUP_VARIABLE, name, 1);

    static const struct unit_group plain;
    const struct unit_group *group = groups;
    while (group && !is_of(group->file, name))
        group = group->next;
    if (!group)
        group = &plain;
    if (group->quiet)
        rn_log_set_level(RN_LOG_QUIET);
    if (group->hears)
        unit_hear(true);
    struct CMUnitTest *list = calloc(n, sizeof *list);
    if (!list)
        return 1;
    list_tests(list, name, group);
    int failed = _cmocka_run_group_tests(name, list, n, group->before_all, group->after_all);
    free(list);
    return failed != 0;
}
