# SPDX-License-Identifier: MIT
# How gnuplot draws the plots of `runnel stats`. plot.c writes in front of this, of each plane P that there is, nameP,
# $normsP (a frame; the mean, the lowest and the highest value of each norm) and $barsP (the left edge of a bar, its
# share of the samples; the last bar twice, for its right edge), and these variables:
#   svg        whether the picture is an SVG; else it is a PNG
#   title      the name of the input, its frames and format
#   unit       of the samples, after a comma, or ''
#   points     of a plane
#   per_point  frames in a full point
#   first      and last: the indices of frames
#   order      of the norm Lp
#   largest    the largest sample value where norms are of samples as they are stored; else 0
#   width      how many values a bar holds
#   left       and right: the ends of the axis of sample values
#   floats     whether samples are floating-point numbers

# A round distance between tics: 1, 2 or 5 times a power of ten.
unit_of(step) = step > 0 ? 10.0 ** floor(log10(step)) : 1.0
rounded(step, u) = u * (step < 1.5 * u ? 1 : step < 3.5 * u ? 2 : step < 7.5 * u ? 5 : 10)
tics(low, high) = rounded((high - low) / 4.0, unit_of((high - low) / 4.0))

min(a, b) = a < b ? a : b
max(a, b) = a > b ? a : b
short(x) = real(sprintf('%.10g', x)) # of the ends of an axis: without what rounding left

# The parts of the commands below. NAMES: the key; the first plane is on top.
is_there(p) = exists('name' . p)
name(p) = value('name' . p)
colour_gray = '#1f5f99'
colour_alpha = '#999999'
colour_Y = '#333333'
colour_U = '#1f6fc0'
colour_V = '#c8432b'
colour_G = '#2c8f45'
colour_B = '#1f6fc0'
colour_R = '#c8432b'
colour_real = '#1f5f99'
colour_imaginary = '#999999'
colour_complex = '#c8432b'
colour(p) = value('colour_' . name(p))
NAMES = ''
do for [p=0:3] {
    if (is_there(p)) {
        NAMES = NAMES . sprintf(", keyentry with lines lc rgb '%s' lw 2 title '%s'", colour(p), name(p))
    }
}
band(p, at) = per_point == 1 ? '' : \
    sprintf("$norms%d using 1:%d:%d with filledcurves fc rgb '%s' ", p, at + 1, at + 2, colour(p)) . \
    'fs transparent solid 0.3 noborder notitle, '
style = points <= 60 ? 'linespoints pt 7 ps 0.4' : 'lines'
line(p, at) = sprintf("$norms%d using 1:%d with %s lc rgb '%s' lw 1.5 notitle", p, at, style, colour(p))
bars(p, how) = sprintf("$bars%d using 1:(max($2, lowest)) with %s notitle", p, how)
both_bars(p) = bars(p, sprintf("fillsteps fc rgb '%s' fs transparent solid 0.25", colour(p))) . ', ' . \
    bars(p, sprintf("steps lc rgb '%s' lw 1.2", colour(p)))

# What `stats` finds: the ranges of the norms and the lowest share that is not 0.
array low[4] = [1e308, 1e308, 1e308, 1e308]
array high[4] = [0, 0, 0, 0]
array norms[4] = ['', '', '', '']
histogram = ''
lowest = 1.0
do for [p=3:0:-1] {
    if (is_there(p)) {
        do for [k=1:4] {
            at = 3 * k - 1
            eval sprintf("stats $norms%d using %d name 'low' nooutput", p, at + 1)
            eval sprintf("stats $norms%d using %d name 'high' nooutput", p, at + 2)
            low[k] = min(low[k], low_min)
            high[k] = max(high[k], high_max)
            norms[k] = norms[k] . (strlen(norms[k]) ? ', ' : '') . band(p, at) . line(p, at)
        }
        eval sprintf("stats $bars%d using ($2 > 0 ? $2 : 1) name 'share' nooutput", p)
        lowest = min(lowest, share_min)
        histogram = histogram . (strlen(histogram) ? ', ' : '') . both_bars(p)
    }
}
lowest = 10.0 ** (floor(log10(lowest)) - (lowest >= 1))
if (lowest > 0.009) { lowest = 0 } # a logarithmic axis would have too few tics

if (svg) {
    set terminal svg size 1000,900 font 'Helvetica,13' background 'white'
} else { # the same size, in pixels of 1/96 inch
    set terminal pngcairo size 1000,900 font 'sans,10' background 'white'
}
set encoding utf8
set multiplot title title noenhanced
set border 3 lc rgb '#666666'
set tics nomirror tc rgb '#333333'
set grid lt 1 lc rgb '#d8d8d8' lw 0.8
set key off

ends = last > first ? 0 : 0.5
set xrange [first - ends:last + ends]
set xtics max(tics(first, last), 1)
array titles[4] = ['L1 norm: sum of the ' . (largest ? 'samples' : 'magnitudes'), \
    'L2 norm: root of the sum of squares', sprintf('L%d norm', order), 'largest magnitude (L∞ norm)' . unit]
do for [k=1:4] {
    x = k % 2 ? 0.085 : 0.58
    y = k < 3 ? 0.715 : 0.425
    set lmargin screen x
    set rmargin screen x + 0.395
    set bmargin screen y
    set tmargin screen y + 0.195
    set title titles[k] noenhanced
    set xlabel (k < 3 ? '' : 'frame')
    pad = high[k] - low[k] > 1e-6 * high[k] ? 0.06 * (high[k] - low[k]) : high[k] > 0 ? 0.1 * high[k] : 1
    bottom = low[k] - pad
    top = high[k] + pad
    if (k == 4 && largest) { top = min(top, 1.02 * largest) }
    set yrange [short(bottom):short(top)]
    set ytics tics(bottom, top)
    if (k == 2) { set key top right outside horizontal samplen 2 }
    eval 'plot ' . norms[k] . NAMES
    set key off
}

set lmargin screen 0.085
set rmargin screen 0.975
set bmargin screen 0.075
set tmargin screen 0.31
if (lowest) {
    set logscale y
    set ytics 1e-30, (lowest < 1e-5 ? 100 : 10)
    set format y '10^{%T}'
} else {
    set ytics 0.2
    set format y '%g'
}
set mytics 1
set yrange [lowest:1]
set xrange [left:right]
set xtics autofreq
set ylabel 'share of the samples'
set xlabel 'sample value' . unit noenhanced
set title 'Histogram of all frames' . (width > 1 ? ', neighbouring values together' : '') . \
    (floats ? '; what is outside of the range, at its ends' : '')
eval 'plot ' . histogram . NAMES
unset multiplot
