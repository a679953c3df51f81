#!/usr/bin/env bash
# Every file that a document names exists: paths that begin with a folder of this repository, in the text of README,
# CONTRIBUTING and docs/, and the targets of their links. Sources and headers are asked for the documents they name.
# <family>, NAME and VENDOR stand for any name.
#
#   paths.sh TREE
set -u
cd "$1" || exit 1
shopt -s nullglob
documents=(README.md CONTRIBUTING.md CHANGELOG.md $(find docs -name '*.md' | sort))
elsewhere=' src/utils/roofline_calc.py docs/ContribOperators.md ' # of rocprof-compute, of ONNX Runtime
count=0 missing=0

exists() { # PATH of TREE, or a pattern
    local found=($(echo "$1" | sed -E 's/<[a-z]+>|NAME|VENDOR/*/g'))
    [ ${#found[@]} -gt 0 ] && [ -e "${found[0]}" ]
}

check() { # DOCUMENT NAMED PATH
    count=$((count + 1))
    exists "$3" || {
        echo "$1: there is no $2"
        missing=$((missing + 1))
    }
}

while IFS=: read -r document path; do
    path=${path#"${path%%[a-z]*}"} # the character before it
    path=${path%.}
    [[ $elsewhere == *" $path "* ]] || check "$document" "$path" "$path"
done < <(grep -HoE '(^|[^A-Za-z0-9_/.<-])(src|tests|docs|bench|examples|include|fuzz|cmake)/[A-Za-z0-9_./<>*-]*' "${documents[@]}"
    grep -rHoE '(^|[^A-Za-z0-9_/.<-])docs/[A-Za-z0-9_/-]+\.md' src include)

while IFS=: read -r document link; do
    target=${link#*](}
    target=${target%)}
    check "$document" "$target" "$(dirname "$document")/${target%%#*}"
done < <(grep -HoE '\]\([^)#:][^):]*\)' "${documents[@]}")

echo "$count paths, $missing missing"
[ "$count" -gt 0 ] && [ "$missing" -eq 0 ]
