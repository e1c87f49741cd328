/* SPDX-License-Identifier: MIT */
// Darkens the picture towards its corners.
//
//     runnel render media/clip.mp4 /tmp/vignette.mp4 -f custom=media/vignette.cl:strength=0.7

//@param strength 0 1 0.05 0.5 how dark the corners get
//@param radius 0 1.4 0.05 0.4 where it begins; 0 is the centre, 1 the edge

float filter(IN)
{
    // from -1 to 1 over the picture
    float x = (2 * X + 1) / (float)W - 1;
    float y = (2 * Y + 1) / (float)H - 1;
    float distance = sqrt(x * x + y * y);
    return PIXEL(0, 0) * (1 - strength * smoothstep(radius, 1.42f, distance));
}
