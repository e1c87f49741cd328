/* SPDX-License-Identifier: MIT */
/* Shows pictures of high dynamic range, or of other primaries, on a screen of 100 cd/m2 with the
 * primaries of BT.709.
 *
 * PQ (SMPTE ST 2084) becomes light by its EOTF; HLG by the inverse OETF and the OOTF of ITU-R
 * BT.2100 for a display of 1000 cd/m2 (gamma 1.2). The EETF of ITU-R BT.2390 maps brighter light to
 * the screen: in PQ space it keeps values below the knee; above it, a Hermite spline maps the peak
 * of the source to 100 cd/m2. It works on R, G and B separately, so bright colours turn towards
 * white. Black is 0 on both sides. A matrix of ITU-R BT.2087 (or one made in the same way) converts
 * to BT.709. Colours outside BT.709 are mixed with the gray of their luminance, as little as
 * possible. The screen has gamma 2.4 (BT.1886).
 *
 * Without high dynamic range, the signal becomes light by BT.1886 and is converted by the same
 * matrix. Components outside BT.709 are clipped one by one (ITU-R BT.2407, 2), so all other colours
 * keep their values. */
#pragma once

#include "io/pixels/rgb.h"

enum rn_pix_transfer { RN_TRANSFER_SDR, RN_TRANSFER_PQ, RN_TRANSFER_HLG };
enum rn_pix_primaries { RN_PRIMARIES_BT709, RN_PRIMARIES_BT2020, RN_PRIMARIES_P3 };

struct rn_pix_tone;

/* False for pictures that the screen can show unconverted. */
bool rn_pix_tone_is_needed(enum rn_pix_transfer transfer, enum rn_pix_primaries primaries);

/* peak: of the source, cd/m2, for PQ. Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_tone_create(struct rn_pix_tone **tone, enum rn_pix_transfer transfer,
                       enum rn_pix_primaries primaries, double peak);
void rn_pix_tone_destroy(struct rn_pix_tone **tone);

/* Converts the output of rn_pix_rgb_get to the screen's R'G'B', 0..255, in place. */
void rn_pix_tone_map(const struct rn_pix_tone *tone, float rgb[3][RN_RGB_BLOCK]);
