#include "app/play/loop/place.h"

#include "filters/base/text/number.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

bool rn_play_place_parse(const char *text, struct rn_play_place *place)
{
    while (isspace((unsigned char)*text))
        text++;
    place->direction = *text == '+' ? 1 : *text == '-' ? -1 : 0;
    text += place->direction != 0;
    long long number;
    place->number = rn_number_whole(text, 0, INT32_MAX, &number);
    /* "now" and dates are times to FFmpeg, too. */
    bool good = text[strspn(text, "0123456789:.fmsu")] == '\0' && *text != '\0' &&
                rn_read_time_parse(text, &place->time);
    if (place->number)
        place->time.frame = number;
    return good;
}
