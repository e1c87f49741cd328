/* Pictures of high dynamic range, or of other primaries, on a screen of 100 cd/m2 with those of
 * BT.709.
 *
 * PQ (SMPTE ST 2084) becomes light by its EOTF; HLG by the inverse OETF and the OOTF of ITU-R
 * BT.2100 for a display of 1000 cd/m2 (gamma 1.2). What is brighter than the screen is brought down
 * by the EETF of ITU-R BT.2390: below the knee in PQ space values stay, above it a Hermite spline
 * leads the peak of the source to 100 cd/m2, for each of R, G and B by itself, so that hues of
 * bright colours go towards white. Black is 0 on both sides. A matrix of ITU-R BT.2087 (or one made
 * in the same way) leads to BT.709. Colours that it does not hold are mixed with the gray of their
 * own luminance, just as much as it takes. The screen is one of BT.1886, gamma 2.4.
 *
 * Without high dynamic range the signal becomes light by BT.1886, too, and goes through the same
 * matrix; what BT.709 does not hold is then clipped, component by component (ITU-R BT.2407, 2), so
 * that all other colours are as they were. */
#ifndef RN_IO_PIXELS_TONE_H
#define RN_IO_PIXELS_TONE_H

#include "io/pixels/rgb.h"

enum rn_pix_transfer { RN_TRANSFER_SDR, RN_TRANSFER_PQ, RN_TRANSFER_HLG };
enum rn_pix_primaries { RN_PRIMARIES_BT709, RN_PRIMARIES_BT2020, RN_PRIMARIES_P3 };

struct rn_pix_tone;

/* Does such a picture look otherwise without it? */
bool rn_pix_tone_is_needed(enum rn_pix_transfer transfer, enum rn_pix_primaries primaries);

/* peak: of the source, cd/m2, for PQ. Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_tone_create(struct rn_pix_tone **tone, enum rn_pix_transfer transfer,
                       enum rn_pix_primaries primaries, double peak);
void rn_pix_tone_destroy(struct rn_pix_tone **tone);

/* Makes what the screen gets of what rn_pix_rgb_get got, in place: 0..255. */
void rn_pix_tone_map(const struct rn_pix_tone *tone, float rgb[3][RN_RGB_BLOCK]);

#endif
