/* The table of keys: whatever the window can do has a key, every key is told, and none twice. */
#include "tests/unit.h"

#include "ui/keys.h"

static const struct rn_key *line_of(const struct rn_key *key)
{
    while (!key->help)
        key--;
    return key;
}

/* "=" is "+" without Shift on many keyboards: it needs no word. */
static void typed_keys_are_told(void **state)
{
    (void)state;
    assert_non_null(rn_keys[0].help);
    for (const struct rn_key *key = rn_keys; key->action; key++) {
        if (key->typed && strcmp(key->typed, "=") != 0 && !strstr(line_of(key)->keys, key->typed))
            fail_msg("'%s' is not in the line of '%s'", key->typed, line_of(key)->keys);
        if (!key->keys != !key->help || (key->help && (!*key->keys || !*key->help)))
            fail_msg("'%s': a line has keys and says what they do", key->keys ? key->keys : "");
        if (!key->symbol == !key->typed)
            fail_msg("'%s' needs a symbol or a text", line_of(key)->keys);
    }
}

static void no_key_twice(void **state)
{
    (void)state;
    for (const struct rn_key *key = rn_keys; key->action; key++) {
        const struct rn_key *found =
            key->typed ? rn_key_by_text(key->typed) : rn_key_by_symbol(key->symbol, key->mod);
        if (found != key)
            fail_msg("'%s' and '%s' share a key", line_of(found)->keys, line_of(key)->keys);
        for (const struct rn_key *other = rn_keys; other < key; other++)
            if (key->help && other->help && !strcmp(key->help, other->help))
                fail_msg("'%s' stands twice in the help", key->help);
    }
    assert_null(rn_key_by_text("no key"));
    assert_null(rn_key_by_symbol(0, RN_MOD_NONE));
}

static void every_action_has_a_key(void **state)
{
    (void)state;
    for (int action = RN_ACT_NONE + 1; action < RN_ACT_REDRAW; action++) {
        const struct rn_key *key = rn_keys;
        while (key->action && (int)key->action != action)
            key++;
        if (!key->action && action != RN_ACT_SPLIT_TO && action != RN_ACT_ADD) /* the mouse's */
            fail_msg("action %d has no key", action);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_keys_are_told),
        cmocka_unit_test(no_key_twice),
        cmocka_unit_test(every_action_has_a_key),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
