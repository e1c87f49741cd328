# Completion of runnel in bash. It asks `runnel complete`, which knows all options, filters, parameters and values.
# Readline parts words at = and : as well, so candidates lose what stands before the last of them.
_runnel() {
    local line=${COMP_LINE:0:COMP_POINT} words=() word head candidate
    [[ ${line%[\'\"]*} != "$line" || $line == *\\* ]] && [[ $line != *[\'\"]*=* ]] && return # names of files with blanks
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    words[0]=${words[0]/#\~/$HOME}
    word=${words[${#words[@]} - 1]#[\'\"]}
    words[${#words[@]} - 1]=$word
    head=${word%"${word##*["${COMP_WORDBREAKS//[^=:]/}"]}"}
    [[ $COMP_WORDBREAKS == *[=:]* ]] || head=
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        if [[ $candidate == '//files '* ]]; then
            candidate=${candidate#//files }
            while IFS= read -r word_file; do
                COMPREPLY+=("${candidate#"$head"}$word_file")
            done < <(compgen -f -- "${word#"$candidate"}")
            compopt -o filenames 2>/dev/null
        elif [[ $candidate == //open ]]; then
            compopt -o nospace 2>/dev/null
        else
            COMPREPLY+=("${candidate#"$head"}")
        fi
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
    [[ ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -o bashdefault -o default -F _runnel runnel
