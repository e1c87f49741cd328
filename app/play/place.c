#include "app/play/place.h"

#include <ctype.h>
#include <string.h>

bool rn_place_parse(const char *text, struct rn_place *place)
{
    while (isspace((unsigned char)*text))
        text++;
    place->direction = *text == '+' ? 1 : *text == '-' ? -1 : 0;
    text += place->direction != 0;
    /* "now" and dates are times to FFmpeg, too. */
    return text[strspn(text, "0123456789:.fmsu")] == '\0' && *text != '\0' &&
           rn_time_parse(text, &place->time);
}
