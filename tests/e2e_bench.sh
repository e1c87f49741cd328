#!/bin/sh
# `bench`: its table and its JSON. Nothing here depends on how long anything takes.
. "$(dirname "$0")/lib.sh"

scan=$root/media/scan.tif

# What has to be true of every JSON, whatever was measured.
cat >check.py <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
wrong = []
def check(what, true):
    if not true:
        wrong.append(what)
def near(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b)) + 1e-9
spreads = 'upload_s kernels_s download_s sum_s copy_s wall_s wall_files_s decode_s encode_s'.split()
for n, c in enumerate(r['cases']):
    check('only the first case is as the input is', c['converted'] == (n > 0))
    parts = {k: c[k + '_s']['median'] for k in ('upload', 'kernels', 'download', 'decode', 'encode')
             if c[k + '_s']}
    check('bound', c['bound'] == (max(parts, key=parts.get) if n == 0 else None))
    check('files are of the first case', (c['wall_files_s'] is None) == (n > 0))
    check('bytes', c['bytes'] % (r['frames'] * c['bits'] // 8) == 0 and c['bytes'] > 0)
    all_spreads = [c[k] for k in spreads if c[k]] + [s['total_s'] for s in c['stages']]
    for s in all_spreads:
        check('as many numbers as repeats', len(s['each']) == r['repeats'])
        check('min and max', s['min'] == min(s['each']) and s['max'] == max(s['each']))
        e = sorted(s['each'])
        check('median', near(s['median'], (e[(len(e) - 1) // 2] + e[len(e) // 2]) / 2))
    for i in range(r['repeats']):
        of = lambda k: c[k]['each'][i]
        check('the kernels are those of the stages',
              near(of('kernels_s'), sum(s['total_s']['each'][i] for s in c['stages'])))
        check('the sum', near(of('sum_s'), of('upload_s') + of('kernels_s') + of('download_s')))
        check('the run took time', of('wall_s') > 0)
        if n == 0:
            check('decoder and encoder are within', of('decode_s') <= of('wall_files_s') and
                  of('encode_s') <= of('wall_files_s'))
    for way in 'upload', 'download':
        copied = c[way + '_bytes']
        check('what is not copied has no speed', (c[way + '_gb_per_s'] is None) == (copied == 0))
        check('nothing is copied in the memory of the host',
              copied == 0 or r['device_shares_memory'] is False)
        if copied:
            check('speed', near(c[way + '_gb_per_s'], 1e-9 * copied / c[way + '_s']['median']))
print('; '.join(sorted(set(wrong))))
PY
expect_sound() { # JSON file
    expect_eq "what is wrong in $1" "$("$PYTHON" check.py "$1" 2>&1)" ""
}

begin "a scan of 16 bit: the JSON on stdout and in --metrics, as it is and in 8 bit"
run runnel bench "$scan" -f threshold=7700,closing@holes=radius=1:slices=1 --frames 5 --repeats 3 --json \
    --metrics m.json -q
expect_rc 0
expect_eq "stderr" "$(wc -c <err)" 0
expect_same out m.json
expect_sound out
expect_eq "run" "$(jq -c '[.command, .exit_status, .frames, .frames_more, .width, .height, .repeats, .chain]' out)" \
    '["bench",0,5,false,192,192,3,"threshold=level=7700,closing@holes=slices=1"]'
expect_eq "cases" "$(jq -c '[.cases[] | [.bits, .pixel_format, .bytes, [.stages[] | .name, .label]]]' out)" \
    '[[16,"gray16",368640,["threshold",null,"closing","holes"]],[8,"gray",184320,["threshold",null,"closing","holes"]]]'
end

begin "the table for people: every stage, both sample types, no JSON"
run runnel bench "$scan" -f threshold=7700,closing=radius=1 --frames 2 --repeats 2
expect_rc 0
for line in '^frames  *2 of 192x192, 2 repeats' '^16 bit: gray16, as the input is' '^8 bit: gray, converted' \
    '^  threshold ' '^  closing ' '^  these, one after the other ' '^  the run, frames in memory ' \
    '^  the run, from and to files ' '^  bound by: '; do
    grep -q "$line" out || complain "no line $line"
done
expect_plain out
end

begin "video of 8 bit, in plain C, with the usual chain; floats have three sample types"
run runnel bench lavfi:testsrc2=s=64x48:r=25:d=0.2 --repeats 1 -d none --json
expect_rc 0
expect_sound out
expect_eq "cases" "$(jq -c '[.chain, .device, [.cases[].pixel_format]]' out)" \
    '["convolution=preset=outline","none",["yuv420p","yuv420p16"]]'
run runnel render "$scan" f.nrrd -f format=grayf32 --frames 3 -q
expect_rc 0
run runnel bench f.nrrd -f threshold=7700 --repeats 1 --json
expect_rc 0
expect_sound out
expect_eq "cases" "$(jq -c '[.cases[].pixel_format]' out)" '["grayf32","gray","gray16"]'
end

begin "a device with memory of its own: bytes, seconds and GB/s of what is copied"
cat >copies.c <<'C'
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
cl_int clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void *value, size_t *n)
{
    cl_int (*real)(cl_device_id, cl_device_info, size_t, void *, size_t *) = dlsym(RTLD_NEXT, "clGetDeviceInfo");
    cl_int err = real(id, what, size, value, n);
    if (!err && value && what == CL_DEVICE_HOST_UNIFIED_MEMORY)
        *(cl_bool *)value = CL_FALSE;
    if (!err && value && what == CL_DEVICE_TYPE)
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    return err;
}
C
if make_preload copies -ldl; then
    run env $(preload copies) "$RUNNEL" bench "$scan" -f invert --frames 4 --repeats 2 --json
    expect_rc 0
    expect_sound out
    expect_eq "bytes" "$(jq -c '[.device_shares_memory, [.cases[] | .bytes, .upload_bytes, .download_bytes]]' out)" \
        '[false,[294912,294912,294912,147456,147456,147456]]'
    run env $(preload copies) "$RUNNEL" bench "$scan" -f invert,stats --frames 4 --repeats 1
    expect_rc 0
    grep -Eq '^  upload( +[0-9.]+){5}$' out || complain "no GB/s: $(grep upload out)"
    grep -Eq '^  download( +[0-9.]+){5}$' out || complain "no GB/s: $(grep download out)"
    end
else
    skip "no compiler, or no headers of OpenCL"
fi

begin "OUTPUT is what render makes; one that exists is refused, but with -y"
run runnel render "$scan" want.tif -f invert --frames 4 -q
run runnel bench "$scan" made.tif -f invert --frames 4 --repeats 2 --json
expect_rc 0
expect_sound out
run runnel render want.tif md5: -q
mv out want
run runnel render made.tif md5: -q
expect_same out want
run runnel bench "$scan" made.tif -f invert --frames 4 --repeats 1
expect_rc 4
expect_one_line
run runnel bench "$scan" made.tif -f invert --frames 4 --repeats 1 -y
expect_rc 0
end

begin "what is refused, before anything is measured"
for options in "- -f invert" "md5:" "null: --metrics -" "null: --repeats 0" "null: --repeats 101" \
    "null: -f stats=file=t.csv" "null: -f threshold=40hu" "null: one-more"; do
    run runnel bench "$scan" $options
    expect_rc 2
    expect_one_line
    expect_eq "stdout of $options" "$(wc -c <out)" 0
done
expect_no_file t.csv
run runnel bench nothing.tif
expect_rc 3
end

begin "a signal ends it: 130, no table"
"$RUNNEL" bench lavfi:testsrc2=s=320x240:r=25:d=4 -f median=radius=7 --repeats 100 -d none >out 2>err &
pid=$!
wait_for $patience takes_signals $pid || complain "it does not start"
kill -INT $pid
wait $pid
rc=$?
expect_rc 130
expect_eq "stdout" "$(wc -c <out)" 0
end

finish
