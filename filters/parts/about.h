/* SPDX-License-Identifier: MIT */
/* What filters are about, rn_stage_desc.about: the sentences of filters/about.strings. */
#pragma once

extern const char rn_about_blackhat[], rn_about_blur[], rn_about_boxblur[], rn_about_closing[],
    rn_about_convolution[], rn_about_custom[], rn_about_dilation[], rn_about_emboss[],
    rn_about_equalize[], rn_about_erosion[], rn_about_format[], rn_about_gradient[],
    rn_about_gray[], rn_about_invert[], rn_about_laplacian[], rn_about_levels[], rn_about_median[],
    rn_about_noise[], rn_about_opening[], rn_about_prewitt[], rn_about_roberts[],
    rn_about_sharpen[], rn_about_sobel[], rn_about_stats[], rn_about_threshold[], rn_about_tophat[];
