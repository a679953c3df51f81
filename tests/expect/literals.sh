#!/bin/sh
# literals.sh SOURCE_DIR: no number without its source. A floating literal in the rooms expect and advice stands in a table
# with a source a row, or is named by a constant whose line, or the line before, says why it is that. 0.5, powers of a thousand
# and what keeps a comparison from rounding are no findings. The allow list is at the end and may only shrink.
cd "$1" || exit 2
found=$(
    for file in src/expect/*.[ch] src/advice/*.[ch]; do
        [ -f "$file" ] || continue
        case $file in
        src/expect/defaults.c) continue ;;
        esac
        awk -v file="$file" '
            { line = $0; code = line; said = line ~ /\/\*/ }
            in_comment { if (sub(/^.*\*\//, "", code)) { in_comment = 0 } else { before = 1; next } }
            { gsub(/"([^"\\]|\\.)*"/, "\"\"", code); gsub(/\/\*[^*]*\*\//, "", code) }
            code ~ /\/\*/ { sub(/\/\*.*$/, "", code); in_comment = 1 }
            {
                named = code ~ /^ *(static const double|#define) *[A-Z]/ && (said || before)
                text = code
                while (!named && match(text, /(^|[^A-Za-z0-9_.])([0-9]+\.[0-9]*(e[-+]?[0-9]+)?|[0-9]+e[-+]?[0-9]+)/)) {
                    literal = substr(text, RSTART, RLENGTH); sub(/^[^0-9]/, "", literal)
                    text = substr(text, RSTART + RLENGTH)
                    if (literal !~ /^(0\.5|1\.0|2\.0|1e-?(3|6|9|12|15))$/)
                        printf "%s:%d: %s in: %s\n", file, FNR, literal, $0
                }
                before = said || in_comment
            }' "$file"
    done
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
echo "give the number a row in a table with a source, or a name and a comment that says why"
exit 1
