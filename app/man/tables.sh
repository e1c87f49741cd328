#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the tables of README.md and of the manual pages anew from those of the program: what stands between
#     <!-- table KIND [COMMAND] -->   and   <!-- end -->
# tables.sh RUNNEL FILE... changes the files; `make documents` calls it, and a test compares.
set -eu
runnel=$1
shift
unset XDG_CONFIG_HOME RUNNEL_DEVICE
export HOME=/nonexistent # no settings of the user's own

bars() { sed 's/|/\\|/g'; }

# Of "  -f, --filters CHAIN       text" with text in column 28, and its further lines: one row each.
rows() {
    awk '
        function flush() { if (head != "") print "| `" head "` | " text " |"; head = text = "" }
        /^  ? ? ? ? ?[^ ]/ && !/^ {10}/ {
            flush()
            head = substr($0, 1, width)
            text = substr($0, width + 1)
            gsub(/^ +| +$/, "", head)
            gsub(/^ +/, "", text)
            next
        }
        { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0 }
        END { flush() }' width="$1" | sed 's/`\([^`|]*\)`\([^|]*\) |$/`\1`\2 |/'
}

options() {
    for title in Processing Segments Input Output "Reports and help"; do
        "$runnel" "$1" --help all | sed -n "/^$title:\$/,/^\$/p" | sed '1d;/^$/d' | bars >"$scratch/rows"
        [ -s "$scratch/rows" ] || continue
        printf '### %s\n\n| option | what it does |\n|---|---|\n' "$title"
        rows 27 <"$scratch/rows"
        echo
    done
}

block() { # of the help of a command, from its title on to the next
    "$runnel" "$1" --help all | sed -n "/^$2:\$/,/^\$/p" | sed '1d;/^$/d'
}

status() {
    printf '| status | meaning |\n|---|---|\n'
    block "$1" "Exit status" | awk '
        /^  [0-9]/ {
            if (head != "") print "| " head " | " text " |"
            match($0, /^  [0-9, ]*[0-9]  /)
            head = substr($0, 3, RLENGTH - 4)
            text = substr($0, RLENGTH + 1)
            next
        }
        { sub(/^ +/, ""); text = text " " $0 }
        END { print "| " head " | " text " |" }'
}

commands() {
    printf '| command | what it does |\n|---|---|\n'
    "$runnel" --help all | sed -n '/^Commands:$/,/^$/p' | sed '1d;/^$/d' | bars | rows 26 |
        sed 's/^| `\([a-z]*\)\(.*\)` | /| [`\1`](runnel-\1.1.md)`\2` | /; s/``//'
}

forms() {
    for title in INPUT OUTPUT; do
        block "$1" "$title" | grep . >"$scratch/rows" || continue
        printf '| %s | what it is |\n|---|---|\n' "$title"
        sed '/^[^ ]/d' "$scratch/rows" | bars | rows 26
        echo
    done
}

filters() {
    printf '| filter | what it does | parameters |\n|---|---|---|\n'
    "$runnel" filters --json | jq -r '.filters[] | "| `\(.name)` | \(.help) | " +
        ([.parameters[] | select(.name | IN("enable", "region", "rx", "ry", "rw", "rh", "feather", "mask", "planes",
        "border") | not) | "`\(.name)`"] | join(", ")) + " |"'
}

# A section for each filter; parameters that all or most filters have stand in the text.
sections() {
    "$runnel" filters --json | jq -r '
        def number: if type != "number" then . elif . == floor then floor else . end | tostring; # jq 1.7 keeps 1.0
        def range: if .choices then (.choices | join(", "))
            elif .min then "\(.min | number) to \(.max | number)" + (if .unit != "" then " \(.unit)" else "" end)
            else "" end;
        .filters[] | "### \(.name)", "", "\(.help | .[0:1] | ascii_upcase)\(.help[1:]). \(.about)", "",
        (if (.aliases | length) > 0 then "Called elsewhere: \(.aliases | join(", ")).", "" else empty end),
        ([.parameters[] | select(.name | IN("enable", "region", "rx", "ry", "rw", "rh", "feather", "mask", "planes",
        "border") | not)] |
        if length == 0 then empty else
        "| parameter | what it is |", "|---|---|",
        (.[] | "| `\(.name)` | \(.help)" + (range as $r | if $r != "" then "; \($r)" else "" end) +
            (if .default == "" or .default == null then "" else "; default \(.default | number)" end) +
            (if .fixed then "; fixed while frames run" else "" end) + " |"), "" end)'
}

# What scripts can tell and do, of `play --keys --json`; commands without arguments are lists by groups.
scripts() {
    "$runnel" play --keys --json | jq -r '
        def bars: gsub("\\|"; "\\|");
        "### Properties", "", "| property | what it is |", "|---|---|",
        (.properties[] | "| `\(.name)` | \(.help) (\(.type)\(if .settable then "" else ", only read" end)) |"), "",
        "### Commands", "", "| command | what it does |", "|---|---|",
        (.commands[] | select(.takes != "" and .takes != "N") | "| `\(.name)` \(.takes) | \(.help | bars) |"), "",
        "### Commands of keys", "", "| group | commands with a number N, or nothing |", "|---|---|",
        ([.commands[] | select(.takes == "" or .takes == "N")] | group_by(.group)[] | "| \(.[0].group) | " +
            (map("`\(.name)\(if .takes == "" then "" else " N" end)` (\(.help | bars))") | join(", ")) + " |"), ""'
}

example() { # file
    sed '/SPDX-License-Identifier/d; s/^/    /; s/ *$//' "$(dirname "$0")/../../$1"
}

"$runnel" filters --json >/dev/null # or nothing is changed
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for file; do
    while IFS= read -r line; do
        case $line in
        '<!-- table '* | '<!-- example '*)
            printf '%s\n' "$line"
            # shellcheck disable=SC2086 # words
            set -- ${line#<!-- }
            [ "$1" != table ] || shift
            "$1" "$2"
            while IFS= read -r line && [ "$line" != '<!-- end -->' ]; do :; done
            [ "$line" = '<!-- end -->' ] || echo "$file: a table has no end" >"$scratch/wrong"
            ;;
        esac
        printf '%s\n' "$line"
    done <"$file" >"$scratch/page"
    [ ! -e "$scratch/wrong" ] || { cat "$scratch/wrong" >&2; exit 1; }
    cmp -s "$scratch/page" "$file" || cat "$scratch/page" >"$file"
done
