#!/bin/sh
# What cannot work is refused in one line, with the right status, before any output is touched.
. "$(dirname "$0")/lib.sh"

make_clip in.mp4 0.2
echo 'the old file' >old.mp4
before=$(sha old.mp4)
nines=$(printf '1 %.0s' $(seq 82))

refuse() { # status, chain
    run runnel render in.mp4 old.mp4 -y -f "$2"
    expect_rc "$1"
    expect_one_line
    expect_eq "the old file after '$2'" "$(sha old.mp4)" "$before"
}

while read -r chain; do
    begin "refused: $chain"
    refuse 2 "$chain"
    end
done <<CASES
convolutoin=preset=sharpen
convolution=preset=sharpenn
convolution=matrix='1 2 3 4'
convolution=matrix='$nines'
convolution=matrix='1 2 3 4 nan 6 7 8 9'
convolution=matrix='1 2 3 4 five 6 7 8 9'
convolution=size=2x2:matrix='1 2 3 4'
convolution=file=/nonexistent
convolution=raduis=3
erosion=radius=0
erosion=radius=32
erosion=shape=round
erosion=radius=1:2
erosion,,dilation
erosion,
closing;erosion
@/nonexistent
CASES

begin "an unknown name gets the nearest one and the list"
refuse 2 "closin"
expect_message closing
expect_message convolution
refuse 2 "closing=radus=1"
expect_message radius
end

begin "a value out of range gets the range"
refuse 2 "closing=radius=99"
expect_message '1\.\.31'
end

begin "a mask that names no plane is taken, and said"
run runnel render in.mp4 null: -f gray,erosion=planes=2,dilation=planes=3
expect_rc 0
expect_message 'warning: erosion does nothing: planes=2 names no plane of gray$'
expect_eq warnings "$(grep -c warning err)" 1
end

begin "an existing output is not overwritten without -y"
run runnel render in.mp4 old.mp4
expect_rc 4
expect_one_line
expect_eq "the old file" "$(sha old.mp4)" "$before"
run runnel render in.mp4 old.mp4 -n
expect_rc 4
expect_eq "the old file" "$(sha old.mp4)" "$before"
end

begin "-y overwrites"
cp old.mp4 new.mp4
run runnel render in.mp4 new.mp4 -y
expect_rc 0
expect_eq frames "$(frames_of new.mp4)" 5
end

begin "the input itself is refused as output: hard link, symbolic link, other spelling"
cp in.mp4 self.mp4
ln self.mp4 hard.mp4
ln -s self.mp4 soft.mp4
mine=$(sha self.mp4)
for out in self.mp4 ./self.mp4 hard.mp4 soft.mp4 "$scratch/self.mp4"; do
    run runnel render self.mp4 "$out" -y
    expect_rc 2
    expect_one_line
    expect_eq "the input" "$(sha self.mp4)" "$mine"
done
end

while IFS='|' read -r rcwant args; do
    begin "status $rcwant: $args"
    eval "run runnel $args"
    expect_rc "$rcwant"
    expect_one_line
    expect_eq "the old file" "$(sha old.mp4)" "$before"
    end
done <<'CASES'
2|
2|rendr in.mp4 x.mp4
2|render in.mp4
2|render in.mp4 x.mp4 y.mp4
2|render --nonsense in.mp4 x.mp4
2|render in.mp4 old.mp4 -y --frames x
2|render in.mp4 old.mp4 -y --inflight 0
2|render in.mp4 old.mp4 -y --from 1:2:3:4
2|render in.mp4 old.mp4 -y -y -n
2|render in.mp4 old.mp4 -y --codec nonsense
2|render in.mp4 old.mp4 -y --pix-fmt nonsense
2|render in.mp4 old.mp4 -y --codec-opts nonsense=1
2|render in.mp4 old.nonsense -y
2|filters nonsense
3|render missing.mp4 old.mp4 -y
3|render meta old.mp4 -y
5|render in.mp4 old.mp4 -y -d 99
5|render in.mp4 old.mp4 -y -d nonsense
4|render in.mp4 nowhere/x.mp4 -y
CASES

while IFS='|' read -r words; do
    begin "two names of one file: $words"
    eval "run runnel $words -q"
    expect_rc 2
    expect_one_line
    expect_message 'are the same file'
    end
done <<'CASES'
render in.mp4 new.mkv --metrics ./new.mkv
render in.mp4 new.mkv -f stats=file=../"$(basename "$PWD")"/new.mkv
render in.mp4 new.mkv -f stats=file=new.csv,invert,stats=file=./new.csv
stats in.mp4 -f stats=file=new.csv --progress ./new.csv
stats in.mp4 -f stats=file=new.svg --plot "$PWD/new.svg"
CASES
rm -f new.csv new.mkv

begin "nothing was left behind"
expect_only . err hard.mp4 in.mp4 meta new.mp4 old.mp4 out self.mp4 soft.mp4 words.srt
end

finish
