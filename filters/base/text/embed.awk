# SPDX-License-Identifier: MIT
# Turns a text file (the argument) into a C file that defines it.
# Of FILE.words, tables of struct rn_word_row: a line `[NAME]` begins NAME[], and each of its rows is a line
# `words | what they mean`. Of any other file the string -v name=. In FILE.words, # begins a comment line.

# A text as a C string. ? is escaped against trigraphs.
function quoted(text)
{
    gsub(/[\\"?]/, "\\\\&", text)
    return "\"" text "\""
}

FNR == 1 {
    words = FILENAME ~ /\.words$/
    print "/* Made from " FILENAME " by filters/base/text/embed.awk. */"
    if (words)
        print "#include \"filters/base/text/word_list.h\"\n"
    else
        print "extern const char " name "[];\nconst char " name "[] ="
}

!words {
    print "    " quoted($0) " \"\\n\""
    next
}

/^#/ || !NF {
    next
}

/^\[/ {
    if (table)
        print "    {0},\n};\n"
    table = substr($0, 2, length($0) - 2)
    print "extern const struct rn_word_row " table "[];\nconst struct rn_word_row " table "[] = {"
    next
}

{
    at = index($0, " | ")
    if (!table || !at) {
        print FILENAME ":" FNR ": no row" > "/dev/stderr"
        failed = 1
        exit 1
    }
    print "    {" quoted(substr($0, 1, at - 1)) ", " quoted(substr($0, at + 3)) "},"
}

END {
    if (words)
        print "    {0},\n};"
    else
        print "    ;"
    exit failed
}
