#compdef widgetimg
# Completion of widgetimg for zsh. Made by 'widgetimg --generate-completion-script zsh'.

_widgetimg_commands() {
  local -a commands
  commands=(
    'fit:Fit images to a size, under a memory ceiling.'
    'inspect:Tell what images are, how they would be read and what that would cost.'
    'help:Show the help of a command.'
  )
  _describe -t commands command commands
}

_widgetimg_fit() {
  _arguments -s -S : \
    '--pt=[Box in points; one number means a square box.]:w[xh]: ' \
    '--px=[Box in pixels; one number means a square box.]:w[xh]: ' \
    '--max-decoded=[Cap on width x height x 4\: the largest size inside the box that keeps it.]:size: ' \
    '--scale=[Pixels per point.]:scale:(1 2 3)' \
    '--scales=[Several scales, such as 1,2,3\: one file for each.]:list:(1,2,3 2,3)' \
    '--mode=[Keep all of the picture, fill the box and crop, or fill it and distort.]:mode:(contain cover stretch)' \
    '--gravity=[The part that '\''--mode cover'\'' keeps.]:place:(center top bottom left right top-left top-right bottom-left bottom-right)' \
    '--upscale[Allow enlarging; a small source keeps its size otherwise.]' \
    '--filter=[The resampling kernel.]:filter:(lanczos3 lanczos2 catmull-rom mitchell triangle box)' \
    '--fast[Allow the codec'\''s own shrink-on-load\: quicker, averages encoded values.]' \
    '--background=[What lies under alpha where the format has none\: white, black, #RGB or #RRGGBB.]:color:(white black)' \
    '(-o --output)-o+[A file, an existing folder, or '\''-'\'' for standard output. A file'\''s extension sets the format.]:path:_files' \
    '(-o --output)--output=[A file, an existing folder, or '\''-'\'' for standard output. A file'\''s extension sets the format.]:path:_files' \
    '--format=[auto\: PNG where the source has alpha or was PNG, else JPEG.]:format:(auto png jpeg webp)' \
    '--quality=[Quality of lossy output.]:1-100: ' \
    '--max-bytes=[The best quality that stays under this size; fails with the smallest size reached.]:size: ' \
    '--palette[Allow indexed PNG. Some iOS versions mis-decode it with alpha.]' \
    '--budget=[Ceiling for the process'\''s dirty memory\: a size, or widget (30MB), notification (24MB) or watch (15MB).]:size:(widget notification watch)' \
    '--jobs=[Worker threads, all under one budget; by default as many as processors.]:n: ' \
    '--strict[Refuse what decoders only warn of.]' \
    '--allow-truncated[Take what is there of a file that is cut.]' \
    '--dry-run[Plan only; write nothing.]' \
    '--json[Print one JSON object a result, on one line.]' \
    '--quiet[Print errors only.]' \
    '--verbose[Print the plan of each result too.]' \
    '--no-progress[Show no progress bar on a terminal.]' \
    '--version[Show the version.]' \
    '(-h --help)-h[Show help information.]' \
    '(-h --help)--help[Show help information.]' \
    '*:input:_files'
}

_widgetimg_inspect() {
  _arguments -s -S : \
    '--budget=[The ceiling to judge by\: a size, or widget, notification or watch.]:size:(widget notification watch)' \
    '--json[Print one JSON object an image, on one line.]' \
    '--verbose[Print the parts of the planned peak too.]' \
    '--version[Show the version.]' \
    '(-h --help)-h[Show help information.]' \
    '(-h --help)--help[Show help information.]' \
    '*:input:_files'
}

_widgetimg_help() {
  _arguments -s -S : \
    '(-h --help)-h[Show help information.]' \
    '(-h --help)--help[Show help information.]' \
    '1:subcommand:(fit inspect help)'
}

_widgetimg() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C -s -S : \
    '--generate-completion-script=[Print a completion script for a shell, by default for the one in $SHELL.]::shell:(bash zsh fish)' \
    '--version[Show the version.]' \
    '(-h --help)-h[Show help information.]' \
    '(-h --help)--help[Show help information.]' \
    '1: :_widgetimg_commands' \
    '*:: :->arguments' && return 0
  if [[ $state == arguments ]]; then
    case $line[1] in
      (fit) _widgetimg_fit ;;
      (inspect) _widgetimg_inspect ;;
      (help) _widgetimg_help ;;
    esac
  fi
}

if [[ $funcstack[1] == _widgetimg ]]; then
  _widgetimg "$@"
else
  compdef _widgetimg widgetimg
fi
