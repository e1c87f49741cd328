/* SPDX-License-Identifier: MIT */
#include "filters/core/chain/vocabulary.h"

#include "filters/base/text/word_list.h"

#include <string.h>

extern const struct rn_word_row rn_vocabulary_topics[], rn_vocabulary_elsewhere[]; /* .words */

const char *rn_vocabulary_filters(const char *word)
{
    return rn_word_meant(rn_vocabulary_topics, word, strlen(word));
}

const char *rn_vocabulary_instead(const char *name)
{
    return rn_word_meant(rn_vocabulary_elsewhere, name, strlen(name));
}
