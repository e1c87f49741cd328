/* SPDX-License-Identifier: MIT */
/* The process that reads DICOM is started only where it is known to be one. */
#include "tests/unit.h"

#include <sys/socket.h>

#include "io/dicom/series_internal.h"
#include "io/dicom/worker.h"
#include "io/dicom/gdcm/worker_messages.h"
#include "io/process/child.h"

#ifdef RN_HAVE_GDCM

static void expect_no_worker(const char *program)
{
    struct rn_dicom_worker *worker = NULL;
    if (program)
        assert_int_equal(rn_dicom_worker_set_program(program), 0);
    alarm(60);
    assert_int_equal(rn_dicom_worker_start(&worker), RN_EINTERNAL);
    alarm(0);
    assert_null(worker);
}

TEST(needs_a_program)
{
    expect_no_worker(NULL);
    assert_int_equal(rn_dicom_worker_set_program("/nowhere/runnel"), RN_EUSAGE);
    expect_no_worker(NULL);
}

TEST(needs_the_right_program)
{
    expect_no_worker("/bin/true");
}

/* This program does not know the hidden command: executed with it, it runs these tests, and the one
 * in the new process has to be refused before it starts another. */
TEST(does_not_start_itself_on_and_on)
{
    expect_no_worker("/proc/self/exe");
}

static struct rn_dicom_worker *start_worker(const char *program)
{
    struct rn_dicom_worker *worker = NULL;
    assert_int_equal(rn_dicom_worker_set_program(program), 0);
    assert_int_equal(rn_dicom_worker_start(&worker), 0);
    return worker;
}

TEST(reads_with_another_program)
{
    struct rn_dicom_entry entry;
    const char *program = getenv("RUNNEL");
    if (!program)
        skip();
    struct rn_dicom_worker *worker = start_worker(program);
    rn_dicom_describe(worker, "/proc/self/exe", &entry, NULL, NULL);
    assert_int_equal(entry.result, RN_DICOM_UNREADABLE);
    assert_string_equal(entry.why, "cannot be read as DICOM");
    rn_dicom_describe(worker, "/nowhere/file", &entry, NULL, NULL);
    assert_string_equal(entry.why, "cannot be opened: No such file or directory");
    rn_dicom_describe(worker, "/", &entry, NULL, NULL);
    assert_int_equal(entry.result, RN_DICOM_UNREADABLE);
    rn_dicom_worker_stop(&worker);
    assert_null(worker);
}

/* ---- a worker that lies */

static const struct rn_dicom_header good = {
    .w = 2,
    .h = 2,
    .frames = 1,
    .colours = 1,
    .bits = 8,
    .bytes = 1,
    .pixel_bits = 8,
    .place = {
        .slope = 2, .intercept = -1, .has_position = true, .row = {1, 0, 0}, .column = {0, 1, 0}}};

/* The fields that it spoils, one by one: truths become 122, which is none, and numbers endless. */
enum {
    SIGN,
    INVERTED,
    POSITION,
    NUMBER,
    PLAIN,
    PLACES,
    MODALITY_TABLE,
    VOI_TABLE,
    TABLED,
    TRUTHS,
    SLOPE = TRUTHS,
    INTERCEPT,
    PLACE,
    ROW,
    WINDOW,
    MARK,
    LIES
};

static void spoil(struct rn_dicom_header *h, int field)
{
    bool *const truths[] = {&h->is_signed,          &h->is_inverted,   &h->place.has_position,
                            &h->has_number,         &h->is_plain,      &h->has_places,
                            &h->has_modality_table, &h->has_voi_table, &h->is_tabled};
    double *const numbers[] = {&h->place.slope,  &h->place.intercept, &h->place.origin[1],
                               &h->place.row[2], &h->window[1],       &h->place.mark[0]};
    if (field < TRUTHS)
        memset(truths[field], 122, 1);
    else
        *numbers[field - TRUTHS] = field == PLACE ? (double)NAN : (double)INFINITY;
}

static const rn_dicom_source_texts lies = {
    [RN_DICOM_CLASS] = "1.2",
    [RN_DICOM_STUDY] = "1.2a",
    [RN_DICOM_FRAME] = "11111111111111111111111111111111111111111111111111111111111111111",
    [RN_DICOM_SERIES_NUMBER] = "1\n2",
    [RN_DICOM_SERIES_DESCRIPTION] = "\x1B(B"};

/* This program, executed once more. */
static int lie(void)
{
    struct rn_dicom_reply reply;
    struct rn_dicom_request request;
    memset(&reply, 0, sizeof reply);
    reply.kind = RN_DICOM_HELLO;
    reply.number = RN_DICOM_PROTOCOL;
    for (int field = 0; send(RN_CHILD_SOCKET, &reply, sizeof reply, MSG_NOSIGNAL) > 0; field++) {
        if (recv(RN_CHILD_SOCKET, &request, sizeof request, 0) != (ssize_t)sizeof request)
            break;
        reply.number = request.number;
        reply.kind = RN_DICOM_DONE;
        reply.entry.result = RN_DICOM_OK;
        reply.entry.header = good;
        memcpy(reply.entry.source, lies, sizeof lies);
        memset(reply.entry.source[RN_DICOM_DERIVATION], 'x', RN_DICOM_SOURCE_TEXT); /* no end */
        if (field < LIES)
            spoil(&reply.entry.header, field);
    }
    return 0;
}

static struct rn_dicom_worker *start_liar(void)
{
    setenv("RUNNEL_TEST_LIES", "1", 1);
    struct rn_dicom_worker *worker = start_worker("/proc/self/exe");
    unsetenv("RUNNEL_TEST_LIES");
    return worker;
}

TEST(carries_no_lie)
{
    OWNED(rn_dicom_worker_stop) struct rn_dicom_worker *worker = start_liar();
    struct rn_dicom_entry entry = {.result = RN_DICOM_UNREADABLE};
    for (int field = 0; field <= LIES && entry.result != RN_DICOM_OK; field++)
        rn_dicom_describe(worker, "/proc/self/exe", &entry, NULL, NULL);
    assert_string_equal(entry.source[RN_DICOM_CLASS], "1.2");
    for (int i = RN_DICOM_STUDY; i < RN_DICOM_SERIES_DESCRIPTION; i++)
        assert_string_equal(entry.source[i], "");
    assert_string_equal(entry.source[RN_DICOM_SERIES_DESCRIPTION],
                        lies[RN_DICOM_SERIES_DESCRIPTION]);
    assert_int_equal(strlen(entry.source[RN_DICOM_DERIVATION]), RN_DICOM_SOURCE_TEXT - 1);
}

TEST(believes_no_lie)
{
    OWNED(rn_dicom_worker_stop) struct rn_dicom_worker *worker = start_liar();
    struct rn_dicom_entry entry;
    for (int field = 0; field <= LIES; field++) {
        rn_dicom_describe(worker, "/proc/self/exe", &entry, NULL, NULL);
        const struct rn_dicom_header *h = &entry.header;
        assert_int_equal(entry.result, field < TRUTHS ? RN_DICOM_UNREADABLE : RN_DICOM_OK);
        if (field < TRUTHS)
            continue;
        bool scale = field != SLOPE && field != INTERCEPT;
        assert_true(h->place.slope == (scale ? 2 : 1) && h->place.intercept == (scale ? -1 : 0));
        assert_true(h->place.has_position == (field != PLACE && field != ROW));
        assert_true(h->window[1] == 0 && !isinf(h->place.mark[0]));
    }
}

__attribute__((constructor)) static void lie_instead(void)
{
    if (getenv("RUNNEL_TEST_LIES"))
        _exit(lie());
}

GROUP(.quiet = true);

#else

TEST(without_gdcm_there_is_no_such_process)
{
    skip();
}

#endif
