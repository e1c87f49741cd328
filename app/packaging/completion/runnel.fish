# Completion of runnel in fish. It asks `runnel complete`, which knows all options, filters, parameters and values.
function __runnel_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
        if string match -q '//files *' -- $line
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
