/* The process that reads DICOM is started only where it is known to be one. */
#include "tests/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/dicom/worker.h"

#ifdef RN_HAVE_GDCM

static void needs_a_program(void **state)
{
    (void)state;
    struct rn_dicom_worker *worker = NULL;
    assert_int_equal(rn_dicom_worker_start(&worker), RN_EINTERNAL);
    assert_null(worker);
    assert_int_equal(rn_dicom_worker_set_program("/nowhere/runnel"), RN_EUSAGE);
    assert_int_equal(rn_dicom_worker_start(&worker), RN_EINTERNAL);
    assert_null(worker);
}

static void needs_the_right_program(void **state)
{
    (void)state;
    struct rn_dicom_worker *worker = NULL;
    assert_int_equal(rn_dicom_worker_set_program("/bin/true"), 0);
    assert_int_equal(rn_dicom_worker_start(&worker), RN_EINTERNAL);
    assert_null(worker);
}

/* This program does not know the hidden command: executed with it, it runs these tests, and the one
 * in the new process has to be refused before it starts another. */
static void does_not_start_itself_on_and_on(void **state)
{
    (void)state;
    struct rn_dicom_worker *worker = NULL;
    assert_int_equal(rn_dicom_worker_set_program("/proc/self/exe"), 0);
    alarm(60);
    assert_int_equal(rn_dicom_worker_start(&worker), RN_EINTERNAL);
    alarm(0);
    assert_null(worker);
}

static void reads_with_another_program(void **state)
{
    (void)state;
    struct rn_dicom_worker *worker = NULL;
    struct rn_dicom_entry entry;
    const char *program = getenv("RUNNEL");
    if (!program)
        skip();
    assert_int_equal(rn_dicom_worker_set_program(program), 0);
    assert_int_equal(rn_dicom_worker_start(&worker), 0);
    rn_dicom_describe(worker, "/proc/self/exe", &entry);
    assert_int_equal(entry.result, RN_DICOM_UNREADABLE);
    assert_string_equal(entry.why, "cannot be read as DICOM");
    rn_dicom_describe(worker, "/nowhere/file", &entry);
    assert_string_equal(entry.why, "cannot be opened: No such file or directory");
    rn_dicom_describe(worker, "/", &entry);
    assert_int_equal(entry.result, RN_DICOM_UNREADABLE);
    rn_dicom_worker_stop(&worker);
    assert_null(worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_a_program),
        cmocka_unit_test(needs_the_right_program),
        cmocka_unit_test(does_not_start_itself_on_and_on),
        cmocka_unit_test(reads_with_another_program),
    };
    rn_log_set_level(RN_LOG_QUIET);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("without GDCM there is no such process");
    return 0;
}

#endif
