# Completion of runnel in fish. It asks `runnel complete`, which knows all options, filters, parameters and values.
function __runnel_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l lines ($words[1] complete -- $words[2..-1] 2>/dev/null)
    if test (count $lines) = 2; and test $lines[1] = //open
        set -l only (string split \t -- $lines[2])[1]
        string match -qr '[=:]$' -- $only; or echo "$only," # so that no blank is put behind a single one
    end
    for line in $lines
        if test $line = //open
            continue
        else if string match -q '//files *' -- $line
            set -l head (string replace '//files ' '' -- $line)
            for file in (__fish_complete_path (string replace -- "$head" '' $words[-1]))
                echo "$head$file"
            end
        else
            echo $line
        end
    end
end
complete -c runnel -f -a '(__runnel_complete)'
