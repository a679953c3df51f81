# The string literals of C files, one a line: FILE:LINE<tab>TEXT. Literals that stand beside each other are one, and a
# macro between them ends it. Comments and #include lines are left out.
function flush() {
    if (open_text != "")
        print FILENAME ":" first "\t" open_text
    open_text = ""
}
FNR == 1 { flush(); comment = 0 }
/^[ \t]*#[ \t]*include/ { next }
{
    line = $0
    while (line != "") {
        if (comment) {
            end = index(line, "*/")
            if (!end)
                next
            line = substr(line, end + 2)
            comment = 0
        } else if (match(line, /^[ \t\\]+/)) {
            line = substr(line, RLENGTH + 1)
        } else if (substr(line, 1, 2) == "/*") {
            comment = 1
            line = substr(line, 3)
        } else if (match(line, /^"([^"\\]|\\.)*"/)) {
            if (open_text == "")
                first = FNR
            open_text = open_text substr(line, 2, RLENGTH - 2)
            line = substr(line, RLENGTH + 1)
        } else if (match(line, /^'([^'\\]|\\.)+'/)) {
            flush()
            line = substr(line, RLENGTH + 1)
        } else {
            flush()
            line = substr(line, 2)
        }
    }
}
END { flush() }
