/* SPDX-License-Identifier: MIT */
// Unsharp masking: adds what a blur over a square of 3 x 3 takes away.
//
//     runnel play media/clip.mp4 -f custom=media/sharpen.cl

//@param amount 0 4 0.1 1 how much of the detail is added
//@param threshold 0 64 1 0 detail below so many 8-bit units is left alone
//@reach 1

float filter(IN)
{
    float blur = 0;
    #pragma unroll // short loops of a fixed length: a CPU then computes many samples at once
    for (int dy = -1; dy <= 1; dy++)
        #pragma unroll
        for (int dx = -1; dx <= 1; dx++)
            blur += PIXEL(dx, dy);
    blur *= 1.0f / 9;

    float detail = PIXEL(0, 0) - blur;
    if (fabs(detail) < threshold)
        detail = 0;
    return PIXEL(0, 0) + amount * detail;
}
