#!/bin/sh
# `bench`: its table and its JSON. Nothing here depends on how long anything takes. WHOLE=1 has a chain
# more that takes long to compile.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

scan=$root/media/scan.tif

expect_sound() { # JSON file
    expect_eq "what is wrong in $1" "$(python3 "$root/tests/bench_json.py" "$1" 2>&1)" ""
}

begin "a scan of 16 bit: the JSON on stdout and in --metrics, as it is and in 8 bit"
ok runnel bench "$scan" -f threshold=7700,closing@holes=radius=1:slices=1 --frames 5 --repeats 3 --json \
    --metrics m.json -q
expect_eq "stderr" "$(wc -c <err)" 0
expect_same out m.json
expect_sound out
expect_eq "run" "$(jq -c '[.command, .exit_status, .frames, .frames_more, .width, .height, .repeats, .chain]' out)" \
    '["bench",0,5,false,192,192,3,"threshold=level=7700,closing@holes=slices=1"]'
expect_eq "cases" "$(jq -c '[.devices[0].cases[] | [.bits, .pixel_format, .bytes, [.stages[] | .name, .label]]]' out)" \
    '[[16,"gray16",368640,["threshold",null,"closing","holes"]],[8,"gray",184320,["threshold",null,"closing","holes"]]]'

begin "the table for people: every stage, both sample types, no JSON"
ok runnel bench "$scan" -f threshold=7700,closing=radius=1 --frames 2 --repeats 2
for line in '^frames  *2 of 192x192' '^repeats  *2' '^16 bit: gray16, as the input is' '^8 bit: gray, converted' \
    '^  threshold ' '^  closing ' '^  these, one after the other ' '^  the run, frames in memory ' \
    '^  the run, from and to files ' '^  bound by: '; do
    grep -q "$line" out || complain "no line $line"
done
expect_plain out
expect_narrow out

begin "video of 8 bit, in plain C, with the usual chain; floats have three sample types"
ok runnel bench lavfi:testsrc2=s=64x48:r=25:d=0.2 --repeats 1 -d none --json
expect_sound out
expect_eq "cases" "$(jq -c '[.chain, .devices[0].select, [.devices[0].cases[].pixel_format]]' out)" \
    '["convolution=preset=outline","none",["yuv420p","yuv420p16"]]'
ok runnel render "$scan" f.nrrd -f format=grayf32 --frames 3 -q
ok runnel bench f.nrrd -f threshold=7700 --repeats 1 --json
expect_sound out
expect_eq "cases" "$(jq -c '[.devices[0].cases[].pixel_format]' out)" '["grayf32","gray","gray16"]'

begin "a device with memory of its own: bytes, seconds and GB/s of what is copied"
make_own_memory copies
ok env $(preload copies) "$RUNNEL" bench "$scan" -f invert --frames 4 --repeats 2 --json
expect_sound out
expect_eq "bytes" "$(jq -c '[.devices[0].shares_memory, [.devices[0].cases[] | .bytes, .upload_bytes, .download_bytes]]' out)" \
    '[false,[294912,294912,294912,147456,147456,147456]]'
ok env $(preload copies) "$RUNNEL" bench "$scan" -f invert${WHOLE:+,stats} --frames 4 --repeats 1
grep -Eq '^  upload( +[0-9.]+){5}$' out || complain "no GB/s: $(grep upload out)"
grep -Eq '^  download( +[0-9.]+){5}$' out || complain "no GB/s: $(grep download out)"

begin "on each of several devices, and on all of -d together; the comparison"
ok env POCL_DEVICES="pthread pthread" "$started" bench "$scan" -f median --frames 5 --repeats 2 --json -d 0,1
expect_sound out
expect_eq "devices" "$(jq -c '[[.devices[].select], [.devices[].cases | length]]' out)" '[["0","1","0,1"],[2,2,2]]'
ok env POCL_DEVICES="pthread pthread" "$started" bench "$scan" -f median --frames 5 --repeats 1 --metrics all.json
expect_sound all.json
expect_eq "devices" "$(jq -c '[.devices[].select]' all.json)" '["0","1"]'
for line in '^device  *-d 0: ' '^device  *-d 1: ' '^-d  *frames/s  *decode ' '^0  *[0-9]' '^1  *[0-9]' '^fastest: -d [01]$'; do
    grep -q -- "$line" out || complain "no line $line"
done
expect_narrow out
for list in 0,0 0,none 0,nosuch; do
    run runnel bench "$scan" --frames 1 --repeats 1 -d $list
    [ $rc = 2 ] || [ $rc = 5 ] || complain "status $rc with -d $list"
    expect_one_line
done

begin "a device that fails is left out: the others are measured, status 5"
cat >broken.c <<'C'
/* The first context that is made has no queues. A later one may stand where it stood. */
static cl_context first;
static int contexts;
cl_context clCreateContext(const cl_context_properties *p, cl_uint n, const cl_device_id *ids,
                           void(CL_CALLBACK *tell)(const char *, const void *, size_t, void *), void *arg, cl_int *err)
{
    cl_context made = REAL(clCreateContext)(p, n, ids, tell, arg, err);
    if (!contexts++)
        first = made;
    else if (made == first)
        first = NULL;
    return made;
}
cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id id, cl_command_queue_properties p, cl_int *err)
{
    if (context != first)
        return REAL(clCreateCommandQueue)(context, id, p, err);
    *err = CL_OUT_OF_RESOURCES;
    return NULL;
}
C
make_preload broken
fails 5 '' \
    env POCL_DEVICES="pthread pthread" $(preload broken) "$RUNNEL" bench "$scan" -f median --frames 5 --repeats 1 --json
expect_sound out
expect_eq "devices" "$(jq -c '[.exit_status, .fastest, [.devices[].failed]]' out)" '[5,"1",[true,false]]'
fails 5 '' \
    env POCL_DEVICES="pthread" $(preload broken) "$RUNNEL" bench "$scan" -f median --frames 5 --repeats 1 --json
expect_eq "stdout" "$(wc -c <out)" 0

begin "a reader of the table that has gone: no message"
run sh -c '"$started" bench "$0" --frames 1 --repeats 1 2>told | true' "$scan"
[ -s told ] && complain "told: $(cat told)"

begin "OUTPUT is what render makes; one that exists is refused, but with -y"
run runnel render "$scan" want.tif -f invert --frames 4 -q
ok runnel bench "$scan" made.tif -f invert --frames 4 --repeats 2 --json
expect_sound out
into want runnel render want.tif md5: -q
prints want runnel render made.tif md5: -q
refuses 4 '' runnel bench "$scan" made.tif -f invert --frames 4 --repeats 1
ok runnel bench "$scan" made.tif -f invert --frames 4 --repeats 1 -y

begin "what is refused, before anything is measured"
for options in "- -f invert" "md5:" "null: --metrics -" "null: --repeats 0" "null: --repeats 101" \
    "null: -f stats=file=t.csv" "null: -f threshold=40hu" "null: one-more"; do
    refuses 2 '' runnel bench "$scan" $options
    expect_eq "stdout of $options" "$(wc -c <out)" 0
done
expect_no_file t.csv
fails 3 '' runnel bench nothing.tif

begin "a signal ends it: 130, no table"
"$RUNNEL" bench lavfi:testsrc2=s=320x240:r=25:d=4 -f median=radius=7 --repeats 100 -d none >out 2>err &
pid=$!
wait_for $patience takes_signals $pid || complain "it does not start"
kill -INT $pid
ends $pid 130
expect_eq "stdout" "$(wc -c <out)" 0
