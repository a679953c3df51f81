#!/bin/sh
# literals.sh can fail: a bare literal, a name without a word of why, and one in a second line are found; the rest is not.
here=$(cd "$(dirname "$0")" && pwd)
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
mkdir -p "$room/src/expect" "$room/src/advice"
echo "/* nothing */" >"$room/src/advice/bad.c"
cat >"$room/src/expect/good.c" <<'END'
/* 3.7 in a comment, and
 * 4.2 in its second line */
static const double NAMED = 0.83; /* fitted to something */
#define ALSO 1.5 /* judgement */
double half(double x) {
    return 0.5 * x * 1e9; /* "2.75" */
}
const char *text = "costs 6.25 us";
END
sh "$here/literals.sh" "$room" || { echo "what is allowed was found"; exit 1; }
for line in 'double f(void) { return 0.83; }' 'static const double NAMED = 0.83;' 'double g = 3e-6 /* s */ + 1;'; do
    printf '\n\n%s\n' "$line" >"$room/src/advice/bad.c"
    if sh "$here/literals.sh" "$room" >/dev/null; then
        echo "not found: $line"
        exit 1
    fi
done
