/* SPDX-License-Identifier: MIT */
#include "filters/core/chain/vocabulary.h"

#include "filters/base/text/word_list.h"

#include <string.h>

static const struct rn_word_row topics[] = {
    {"edge edges edge-detection edgedetection outline outlines contour contours",
     "sobel, prewitt, roberts, laplacian, gradient"},
    {"denoise denoising noise-reduction smooth smoothing statistic gaussian-blur despeckle hqdn3d "
     "nlmeans bilateral atadenoise speckle grain dust",
     "median, blur, boxblur, opening, closing"},
    {"sharpness deblur detail details clarity", "sharpen, laplacian, convolution"},
    {"grow expand thicken", "dilation"},
    {"shrink thin thinning", "erosion"},
    {"contrast brightness exposure level contrast-stretch brightness-contrast normalize "
     "autocontrast clahe curves tone",
     "levels, equalize"},
    {"morphology morph morphological",
     "erosion, dilation, opening, closing, gradient, tophat, blackhat"},
    {"binary binarise binarization mask segment segmentation", "threshold"},
    {"bw black-and-white", "gray, threshold"},
    {"background flatten shading spots", "tophat, blackhat"},
    {"color colour saturation greyscale grey colorspace", "gray"},
    {"kernel opencl code script", "custom, convolution"},
    {"psnr ssim entropy mean-value norm norms", "stats"},
    {0},
};

static const struct rn_word_row elsewhere[] = {
    {"scale zscale resize thumbnail", "`runnel` scales the input: --scale WxH"},
    {"crop", "`runnel` cuts the input: --crop WxH+X+Y"},
    {"hflip vflip transpose rotate flip flop",
     "`runnel` turns the input: --rotate 90, 180, 270, hflip, vflip"},
    {"yadif bwdif w3fdif kerndeint estdif", "`runnel` does it to the input: --deinterlace frame"},
    {"trim select", "`runnel` chooses frames by --from, --to and --frames"},
    {"fps framerate setpts minterpolate",
     "frames keep their times; `runnel` has --fps for image files alone"},
    {"subtitles ass drawtext overlay pad drawbox lut3d hstack vstack fade zoompan",
     "that is left to ffmpeg: `runnel render INPUT -` writes y4m for its -i -"},
    {"null copy", "without a filter frames stay as they are"},
    {"mp4 matroska mov avi webm mpegts rawvideo",
     "-f takes filters, and `runnel` has --container for this"},
    {0},
};

const char *rn_vocabulary_filters(const char *word)
{
    return rn_word_meant(topics, word, strlen(word));
}

const char *rn_vocabulary_instead(const char *name)
{
    return rn_word_meant(elsewhere, name, strlen(name));
}
