#!/usr/bin/env bash
# Every option that a text of the command or a document names is one: of ours, in the table of options, or of another
# program that others.txt lists and the document names. And "roofline VERB ... --option" names one that the verb takes.
#
#   options_named.sh PROGRAM TREE
set -u
program=$1 tree=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
verbs=$("$program" -h | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p')

# "op dtype", ..., and " dtype" for what any verb takes.
for verb in $verbs; do
    "$program" "$verb" -h | sed -nE 's/^  (-[a-z], )?--([a-z-]+).*/\2/p' | sed "s/.*/$verb &\n &/"
done >"$work/ours"
printf ' %s\n' short-help generate >>"$work/ours" # not in the help

(cd "$tree" && awk -f tests/layers/literals.awk $(find src/cli -name '*.[ch]')) >"$work/texts"
(cd "$tree" && awk '{ print FILENAME ":" FNR "\t" $0 }' README.md CONTRIBUTING.md $(find docs -name '*.md')) >>"$work/texts"

awk -F '\t' -v ours="$work/ours" -v others="$here/others.txt" '
    function complain(why) { print place ": " why; bad++ }
    function each_option(text, verb, name) { # options of `verb`; "": of any
        while (match(text, /(^|[^A-Za-z0-9-])--[a-z][a-z0-9_-]*/)) {
            name = substr(text, RSTART, RLENGTH)
            sub(/.*--/, "", name)
            text = substr(text, RSTART + RLENGTH)
            if ((verb " " name) in option)
                continue
            if (verb != "")
                complain("\"roofline " verb "\" takes no --" name)
            else if (!(name in owners) || !named(owners[name]))
                complain("no program takes --" name)
        }
    }
    function named(programs, list, count, i) { # in this file
        count = split(programs, list, " ")
        for (i = 1; i <= count; i++)
            if (index(whole[file], list[i]))
                return 1
        return 0
    }
    BEGIN {
        while ((getline line < ours) > 0)
            option[line] = 1
        while ((getline line < others) > 0) {
            count = split(line, word, " ")
            for (i = 2; i <= count && word[1] != "#"; i++)
                owners[word[i]] = owners[word[i]] " " word[1]
        }
    }
    NR == FNR { file = $1; sub(/:.*/, "", file); whole[file] = whole[file] "\n" $2; next }
    {
        place = $1
        file = place
        sub(/:.*/, "", file)
        text = $0
        sub(/^[^\t]*\t/, "", text)
        each_option(text, "")
        while (match(text, /(^|[^A-Za-z])roofline [a-z]+ [^`|;'"'"']*/)) {
            command = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            sub(/   .*/, "", command) # columns of a table, or what it is for
            verb = command
            sub(/.*roofline /, "", verb)
            sub(/ .*/, "", verb)
            if ((verb " json") in option)
                each_option(command, verb)
        }
    }
    END {
        print FNR " texts, " bad + 0 " options that are none"
        exit bad > 0
    }' "$work/texts" "$work/texts"
