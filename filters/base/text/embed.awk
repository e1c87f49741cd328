# SPDX-License-Identifier: MIT
# Turns a text file (the argument) into a C file that defines it.
# Of FILE.words, tables of struct rn_word_row: a line `[NAME]` begins NAME[], and each of its rows is a line
# `words | what they mean`. Of FILE.texts, one such table, -v name=: a line `[NAME]` begins the row of NAME, which
# means the lines up to the next one; a line `@NAME` stands for those of a NAME above. Of FILE.strings, a
# string NAME[] of each line `NAME | text`. Of any other file the string -v name=. In FILE.words, FILE.strings and
# in front of the rows of FILE.texts, # begins a comment line.

# A text as a C string. ? is escaped against trigraphs.
function quoted(text)
{
    gsub(/[\\"?]/, "\\\\&", text)
    return "\"" text "\""
}

function fail(what)
{
    print FILENAME ":" FNR ": " what > "/dev/stderr"
    failed = 1
    exit 1
}

FNR == 1 {
    words = FILENAME ~ /\.words$/
    texts = FILENAME ~ /\.texts$/
    strings = FILENAME ~ /\.strings$/
    print "/* Made from " FILENAME " by filters/base/text/embed.awk. */"
    if (words || texts)
        print "#include \"filters/base/text/words.h\"\n"
    else if (!strings)
        print "extern const char " name "[];\nconst char " name "[] ="
    if (texts)
        print "extern const struct rn_word_row " name "[];\nconst struct rn_word_row " name "[] = {"
}

texts && /^\[/ {
    row = rows[++n] = substr($0, 2, length($0) - 2)
    empty = ""
    next
}

texts && /^@/ {
    if (!(substr($0, 2) in text))
        fail("no such text")
    text[row] = text[row] empty text[substr($0, 2)]
    empty = ""
    next
}

# Empty lines at the end of a text are not of it.
texts && row {
    line = "\n     " quoted($0) " \"\\n\""
    if (NF) {
        text[row] = text[row] empty line
        empty = ""
    } else if (row in text)
        empty = empty line
    next
}

texts {
    next
}

!words && !strings {
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
    if (!at || (words && !table))
        fail("no row")
    if (strings) {
        name = substr($0, 1, at - 1)
        print "extern const char " name "[];\nconst char " name "[] = " quoted(substr($0, at + 3)) ";"
        next
    }
    print "    {" quoted(substr($0, 1, at - 1)) ", " quoted(substr($0, at + 3)) "},"
}

END {
    for (i = 1; i <= n; i++)
        print "    {" quoted(rows[i]) "," text[rows[i]] "},"
    if (words || texts)
        print "    {0},\n};"
    else if (!strings)
        print "    ;"
    exit failed
}
