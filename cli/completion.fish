# Fish completion of warpscape, which says itself what fits: warpscape --complete WORD... (printed by warpscape --completion fish)
function __warpscape_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l word $words[-1]
    set -l front (string match -r -- '^--[^=]*=' $word)
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                printf '%s\n' "$front"(__fish_complete_path (string replace -- "$front" '' $word))
            case :folders
                printf '%s\n' "$front"(__fish_complete_directories (string replace -- "$front" '' $word) '')
            case '*'
                echo $line
        end
    end
end
complete -c warpscape -f -a '(__warpscape_complete)'
