# Completion of widgetimg for bash. Made by 'widgetimg --generate-completion-script bash'.

_widgetimg_words() {
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}

_widgetimg_files() {
    local name
    while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$cur")
}

_widgetimg() {
    local cur="${COMP_WORDS[COMP_CWORD]}"
    local prev="${COMP_WORDS[COMP_CWORD-1]}"
    local command=widgetimg options=1 index
    COMPREPLY=()
    # '--name=value' arrives as three words.
    if [[ $cur == '=' ]]; then
        cur=''
    elif [[ $prev == '=' && $COMP_CWORD -ge 2 ]]; then
        prev="${COMP_WORDS[COMP_CWORD-2]}"
    fi
    if [[ $COMP_CWORD -gt 1 ]]; then
        case "${COMP_WORDS[1]}" in
            fit|inspect|help) command="${COMP_WORDS[1]}" ;;
        esac
    fi
    for ((index = 1; index < COMP_CWORD; index++)); do
        if [[ ${COMP_WORDS[index]} == '--' ]]; then options=0; fi
    done
    case "$command" in
        widgetimg)
            if [[ $options == 1 ]]; then
                case "$prev" in
                    --generate-completion-script) _widgetimg_words 'bash zsh fish'; return ;;
                esac
                if [[ $cur == -* ]]; then
                    _widgetimg_words '--generate-completion-script --version --help -h'; return
                fi
            fi
            _widgetimg_words 'fit inspect help'
            ;;
        fit)
            if [[ $options == 1 ]]; then
                case "$prev" in
                    --pt) :; return ;;
                    --px) :; return ;;
                    --max-decoded) :; return ;;
                    --scale) _widgetimg_words '1 2 3'; return ;;
                    --scales) _widgetimg_words '1,2,3 2,3'; return ;;
                    --mode) _widgetimg_words 'contain cover stretch'; return ;;
                    --gravity) _widgetimg_words 'center top bottom left right top-left top-right bottom-left bottom-right'; return ;;
                    --filter) _widgetimg_words 'lanczos3 lanczos2 catmull-rom mitchell triangle box'; return ;;
                    --background) _widgetimg_words 'white black'; return ;;
                    --output|-o) _widgetimg_files; return ;;
                    --format) _widgetimg_words 'auto png jpeg webp'; return ;;
                    --quality) :; return ;;
                    --max-bytes) :; return ;;
                    --budget) _widgetimg_words 'widget notification watch'; return ;;
                    --jobs) :; return ;;
                esac
                if [[ $cur == -* ]]; then
                    _widgetimg_words '--pt --px --max-decoded --scale --scales --mode --gravity --upscale --filter --fast --background --output -o --format --quality --max-bytes --palette --budget --jobs --strict --allow-truncated --dry-run --json --quiet --verbose --no-progress --version --help -h'; return
                fi
            fi
            _widgetimg_files
            ;;
        inspect)
            if [[ $options == 1 ]]; then
                case "$prev" in
                    --budget) _widgetimg_words 'widget notification watch'; return ;;
                esac
                if [[ $cur == -* ]]; then
                    _widgetimg_words '--budget --json --verbose --version --help -h'; return
                fi
            fi
            _widgetimg_files
            ;;
        help)
            if [[ $options == 1 ]]; then
                if [[ $cur == -* ]]; then
                    _widgetimg_words '--help -h'; return
                fi
            fi
            _widgetimg_words 'fit inspect help'
            ;;
    esac
}

complete -o filenames -F _widgetimg widgetimg
