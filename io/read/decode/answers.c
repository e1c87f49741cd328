#include "io/read/decode/answers.h"

#include "io/read/demux/coded_picture.h"

static struct rn_read_asked *at(struct rn_read_answers *a, int64_t number)
{
    return &a->asked[number % RN_ANSWERS_WINDOW];
}

void rn_read_answers_restart(struct rn_read_answers *a)
{
    for (int i = 0; i < RN_ANSWERS_WINDOW; i++)
        a->asked[i] = (struct rn_read_asked){0};
    a->first = a->run = 0;
    a->sure = a->again = false;
}

/* Decoders begin where they can: what refers to pictures before that is left out. */
static bool is_leading(const struct rn_read_answers *a, const struct rn_read_asked *asked,
                       int64_t number)
{
    if (asked->sure || asked->leads)
        return asked->leads;
    if (a->sure)
        return asked->ts != AV_NOPTS_VALUE && asked->ts < a->sure_ts;
    return !a->first || number < a->first ||
           (asked->ts != AV_NOPTS_VALUE && a->first_ts != AV_NOPTS_VALUE &&
            asked->ts < a->first_ts);
}

/* Where times do not tell the order (AVI), pictures that refer to what lies before the first one
 * follow right behind it. */
static bool is_in_run(struct rn_read_answers *a, int64_t number)
{
    bool next = a->first && !a->first_timed && number == a->first + 1 + a->run;
    a->run += next;
    return next;
}

static void judge(struct rn_read_answers *a, int64_t number)
{
    struct rn_read_asked *asked = at(a, number);
    if (!asked->pending)
        return;
    asked->pending = false;
    if (asked->answered || (asked->ts != AV_NOPTS_VALUE && asked->ts < a->from))
        return;
    const struct rn_read_asked *before = at(a, number + RN_ANSWERS_WINDOW - 1);
    if (!asked->due)
        a->hidden++;
    else if (before->answered && before->interlaced)
        a->fields++;
    else if (is_in_run(a, number) || is_leading(a, asked, number))
        a->leading++;
    else if (!a->lost++)
        a->lost_ts = asked->ts;
}

int64_t rn_read_answers_sent(struct rn_read_answers *a, const AVCodecParameters *par,
                             const AVPacket *pkt)
{
    int64_t number = ++a->sent;
    struct rn_read_coded_picture picture = rn_read_coded_picture(par, pkt);
    if (number > RN_ANSWERS_WINDOW / 2)
        judge(a, number - RN_ANSWERS_WINDOW / 2);
    int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
    bool sure = picture.entry && picture.due;
    a->again |= sure && a->sure;
    if (sure && !a->sure) {
        a->sure = true;
        a->sure_ts = ts;
    }
    *at(a, number) = (struct rn_read_asked){.ts = ts,
                                            .timed = pkt->pts != AV_NOPTS_VALUE,
                                            .pending = true,
                                            .due = picture.due,
                                            .leads = picture.leads && a->sure && !a->again,
                                            .sure = sure};
    return number;
}

void rn_read_answers_came(struct rn_read_answers *a, int64_t number, bool interlaced)
{
    a->interlaced += interlaced;
    bool known = number > 0 && number <= a->sent && number + RN_ANSWERS_WINDOW > a->sent;
    struct rn_read_asked *asked = known ? at(a, number) : NULL;
    if (!known || asked->answered || !asked->pending) {
        a->extra++;
        return;
    }
    asked->answered = true;
    asked->interlaced = interlaced;
    if (!a->first) {
        a->first = number;
        a->first_ts = asked->ts;
        a->first_timed = asked->timed;
    }
}

void rn_read_answers_finish(struct rn_read_answers *a, int64_t until)
{
    int64_t number = a->sent - RN_ANSWERS_WINDOW + 1;
    for (number = number < 1 ? 1 : number; number <= a->sent; number++) {
        const struct rn_read_asked *asked = at(a, number);
        if (until == INT64_MAX || (asked->timed && asked->ts < until))
            judge(a, number);
    }
}

/* Where pictures are coded as fields most have two packets. A few that seem to are lost. */
static int64_t lost_fields(const struct rn_read_answers *a)
{
    return 4 * a->fields < a->interlaced ? a->fields : 0;
}

int64_t rn_read_answers_lost(const struct rn_read_answers *a)
{
    int64_t lost = a->lost + lost_fields(a) - a->extra;
    return lost > 0 ? lost : 0;
}

int64_t rn_read_answers_hidden(const struct rn_read_answers *a)
{
    return a->hidden + a->fields - lost_fields(a);
}
