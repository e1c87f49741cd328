/* SPDX-License-Identifier: MIT */
#include "io/common/ledger.h"

#include "filters/base/text/plural.h"

#include <stdarg.h>
#include <stdio.h>

void rn_io_damage_note(struct rn_io_damage *damage, const char *fmt, ...)
{
    if (*damage->what)
        return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(damage->what, sizeof damage->what, fmt, args);
    va_end(args);
}

bool rn_io_damage_describe(const struct rn_io_damage *d, char text[RN_IO_DAMAGE_TEXT])
{
    char frames[80] = "", surplus[80] = "";
    bool lost = d->damaged > 0 || d->missing > 0;
    if (lost)
        snprintf(frames, sizeof frames, "%lld damaged and %lld missing frames",
                 (long long)d->damaged, (long long)d->missing);
    if (d->surplus > 0)
        snprintf(surplus, sizeof surplus, "%s%lld byte%s more than its header announces",
                 lost ? ", and " : "", (long long)d->surplus, rn_plural(d->surplus));
    *text = '\0';
    if (lost || d->surplus > 0)
        snprintf(text, RN_IO_DAMAGE_TEXT, "the input has %s%s%s%s%s", frames, surplus,
                 *d->what ? " (" : "", d->what, *d->what ? ")" : "");
    return *text;
}

int64_t rn_io_ledger_output_lacks(const struct rn_io_ledger *ledger)
{
    const struct rn_io_outflow *out = &ledger->out;
    int64_t least = out->encoded < out->packets ? out->encoded : out->packets;
    return out->counted && least < out->frames ? out->frames - least : 0;
}
