# SPDX-License-Identifier: MIT
# Draws the norms of every frame in the CSV of `runnel stats`, one line for each plane:
#     runnel stats clip.mp4 > clip.csv
#     gnuplot -e "csv='clip.csv'" norms.gp > clip.svg
# With -e "csv='clip.csv'; png=1" it is a PNG.
set datafile separator ','
set datafile columnheaders
set datafile missing NaN # the rows of other planes
if (exists('png')) {
    set terminal pngcairo size 1000,700 font 'sans,10' background 'white'
} else {
    set terminal svg size 1000,700 font 'Helvetica,13' background 'white'
}
set encoding utf8
stats csv using 'plane' name 'plane' nooutput
set border 3 lc rgb '#666666'
set tics nomirror tc rgb '#333333'
set grid lt 1 lc rgb '#d8d8d8' lw 0.8
set linetype 1 lc rgb '#1f5f99' lw 1.5
set linetype 2 lc rgb '#c8432b' lw 1.5
set linetype 3 lc rgb '#2c8f45' lw 1.5
set key outside top right horizontal samplen 2
array norm[4] = ['l1', 'l2', 'lp', 'linf']
array title[4] = ['L1: sum of the magnitudes', 'L2: root of the sum of squares', 'Lp, of the order that --p chose', \
    'L∞: the largest magnitude']
set multiplot layout 2,2 title csv noenhanced
do for [k=1:4] {
    set title title[k]
    set xlabel k > 2 ? 'frame' : ''
    plot for [p=0:plane_max] csv using (column('plane') == p ? column('frame') : NaN):(column(norm[k])) \
        with lines lt p + 1 title sprintf('plane %d', p)
}
unset multiplot
