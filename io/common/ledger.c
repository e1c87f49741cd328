#include "io/common/ledger.h"

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

int64_t rn_io_ledger_output_lacks(const struct rn_io_ledger *ledger)
{
    const struct rn_io_outflow *out = &ledger->out;
    int64_t least = out->encoded < out->packets ? out->encoded : out->packets;
    return out->counted && least < out->frames ? out->frames - least : 0;
}
