#!/bin/sh
# Each rule's script finds a seeded violation and accepts the same code without it. Argument: the C compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cc=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# expect "finding" command...: the command fails and its output holds those words; "" means that it must pass.
expect() {
    words=$1
    shift
    status=0
    "$@" >"$work/out" 2>&1 || status=$?
    if [ -z "$words" ] && [ $status -ne 0 ]; then
        echo "not accepted: $*"
    elif [ -n "$words" ] && { [ $status -eq 0 ] || ! grep -qF -- "$words" "$work/out"; }; then
        echo "not found: '$words' by: $*"
    else
        return 0
    fi
    sed 's/^/    /' "$work/out"
    bad=$((bad + 1))
}

tree=$work/tree
shared=$work/shared
fresh() {
    rm -rf "$tree" "$work/objects"
    : >"$shared"
    mkdir -p "$tree/include"
    for room in core work catalog json expect advice read measure chart cli; do
        mkdir -p "$tree/src/$room"
        printf '#include "roofline.h"\n\nint %s_value(int x) {\n    return x;\n}\n' $room >"$tree/src/$room/$room.c"
        printf 'int %s_value(int x);\n' $room >"$tree/src/$room/$room.h"
    done
    printf 'int core_value(int x);\n' >"$tree/include/roofline.h"
}
add() { # add file "line": appended
    printf '%s\n' "$2" >>"$tree/$1"
}
compile() {
    : >"$work/objects"
    for source in "$tree"/src/*/*.c; do
        room=$(basename "$(dirname "$source")")
        [ "$room" != cli ] || continue
        "$cc" -w -O0 -fno-pie -fno-stack-protector -I"$tree/include" -I"$tree/src" -c "$source" -o "$tree/src/$room/$(basename "$source").o"
        echo "$room $tree/src/$room/$(basename "$source").o" >>"$work/objects"
    done
}
symbols() {
    [ -s "$work/objects" ] || compile
    sh "$here/symbols.sh" "$work/objects" "$work/allowed" "$cc" >"$work/found" || { cat "$work/found" && false; }
}
includes() {
    sh "$here/includes.sh" "$tree" "$shared"
}
cycles() {
    compile
    sh "$here/cycles.sh" "$work/objects" "$work/edges"
}
share() {
    # shellcheck disable=SC2086
    "$cc" -shared -fPIC "$tree/lib.c" -o "$tree/lib.so"
    sh "$here/exports.sh" "$tree" "$cc" "$tree/lib.so"
}

echo 'src/read/file.c malloc json_*' >"$work/allowed"

# includes
fresh
add src/advice/advice.c '#include "core/core.h"'
add src/cli/cli.c '#include "chart/chart.h"'
add src/work/work.c '#include "work.h"'
mkdir "$tree/src/read/format"
add src/read/format/format.c '#include "read/read.h"'
add src/read/format/format.h '/* nothing */'
printf 'core/core.h advice it says what a value is\nchart/chart.h cli for a picture\n' >"$shared"
expect '' includes
add src/core/core.c '#include "advice/advice.h"'
expect 'core includes "advice/advice.h"' includes
fresh
add src/advice/advice.c '#include "core/core.h"'
expect '"core/core.h" is seen by core only' includes
echo 'core/core.h advice' >"$shared"
expect 'without a reason' includes
fresh
mkdir "$tree/src/read/format"
add src/read/format/format.h '/* nothing */'
add src/read/read.c '#include "read/format/format.h"'
expect '"read/format/format.h" is seen by read/format only' includes
fresh
echo 'core/core.h advice nobody needs this' >"$shared"
expect 'core/core.h is not used outside its folder' includes
fresh
add src/advice/advice.c '#include "core/gone.h"'
expect '"core/gone.h" does not exist' includes
fresh
add src/work/work.c '  # include "catalog/catalog.h"'
expect 'work includes "catalog/catalog.h"' includes
fresh
add src/read/read.h '#include "../cli/cli.h"'
expect 'climbs out' includes
fresh
mkdir "$tree/src/attic"
expect 'src/attic' includes

# words
fresh
add src/work/work.c '/* "roofline op" and "--dtype" in a comment */'
add src/work/work.c 'const char *other = "write it with ncu "'
add src/work/work.c '    "--csv";'
add src/cli/cli.c 'const char *ours = "--dtype f16";'
expect '' sh "$here/words.sh" "$tree"
add src/core/core.c 'const char *hint = "say " /* how */'
add src/core/core.c '    "--dtype f16";'
expect 'say --dtype f16' sh "$here/words.sh" "$tree"
fresh
add src/read/read.h "const char *lister = \"'roofline models' lists all\";"
expect "'roofline models' lists all" sh "$here/words.sh" "$tree"

# sizes
fresh
lines=$(awk 'BEGIN { for (i = 0; i < 56; i++) print "    x++;" }')
add src/work/work.c "int short_enough(int x) {
$lines
    return x;
}"
expect '' sh "$here/sizes.sh" "$tree"
add src/work/work.c "int too_long(int x) {
$lines
    x++;
    x++;
    return x;
}"
expect '61 lines: int too_long' sh "$here/sizes.sh" "$tree"
fresh
awk 'BEGIN { for (i = 0; i < 801; i++) print "/* row */" }' | tee "$tree/src/catalog/table.c" >"$tree/src/read/long.c"
expect 'src/read/long.c: 801 lines' sh "$here/sizes.sh" "$tree"
! grep -q catalog "$work/out" || { echo "tables of the catalogue are not excepted"; bad=$((bad + 1)); }

mkdir "$tree/src/read/full"
for i in $(seq 41); do echo '/* a file */' >"$tree/src/read/full/$i.c"; done
expect 'src/read/full: 41 files' sh "$here/sizes.sh" "$tree"

# cycles
fresh
: >"$work/edges"
printf 'int down(int x) { return x; }\n' >"$tree/src/read/down.c"
add src/read/read.c 'int down(int x);
int up(int x) { return down(x); }'
expect '' cycles
printf 'int up(int x);\nint down(int x) { return x ? up(x - 1) : 0; }\n' >"$tree/src/read/down.c"
expect 'a cycle: src/read/' cycles
echo 'src/read/down.c src/read/read.c they count down together' >"$work/edges"
expect '' cycles
echo 'src/read/down.c src/read/read.c' >"$work/edges"
expect 'an allowed edge says why' cycles
echo 'src/read/read.c src/chart/chart.c gone' >>"$work/edges"
expect 'src/read/read.c no longer needs src/chart/chart.c' cycles

# format
if command -v clang-format >/dev/null; then
    fresh
    cp "$here/../../.clang-format" "$tree"
    expect '' sh "$here/format.sh" "$tree" clang-format
    add src/work/work.c 'int  crooked( int x ){return x;}'
    expect 'src/work/work.c: not laid out' sh "$here/format.sh" "$tree" clang-format
fi

# symbols
fresh
add src/core/core.c '#include <math.h>
#include <string.h>
double distance(const char *text, double y) { return hypot((double)strlen(text), y); }
static const char *const names[] = {"a", "b"};
const char *core_name(int i) { return names[i]; }'
add src/advice/advice.c 'int from_the_left(int x) { return core_value(x); }'
printf '#include <stdlib.h>\nvoid *json_load(void);\nvoid *get(void) { json_load(); return malloc(1); }\n' >"$tree/src/read/file.c"
expect '' symbols
rm "$work/objects"
printf '#include <stdlib.h>\nvoid *get_more(void) { return malloc(1); }\n' >"$tree/src/read/other.c"
expect 'src/read/other.c needs malloc' symbols
fresh
add src/core/core.c '#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void breaks(void) {
    free(malloc(1));
    printf("%s %ld", getenv("A"), (long)time(0));
    fclose(fopen("a", "r"));
    fputs(getenv("B"), stderr);
    abort();
}
void leaves(void) { exit(1); }'
expect 'src/core/core.c needs malloc, which the core room may not use' symbols
for name in free printf getenv time fopen fputs stderr abort exit; do
    expect '' grep "src/core/core.c needs $name," "$work/found"
done
fresh
echo 'src/work/work.c malloc' >>"$work/allowed" # an exception that no room left of read can have
add src/work/work.c '#include <stdlib.h>
void *take(void) { return malloc(1); }'
expect 'src/work/work.c needs malloc' symbols
fresh
add src/work/work.c 'int catalog_value(int x);
int sideways(int x) { return catalog_value(x); }'
expect 'calls catalog_value of catalog' symbols
fresh
add src/read/read.c 'int counter(void) { static int n; return ++n; }'
expect 'src/read/read.c keeps writable data: ' symbols

# exports
fresh
printf 'int roof_one(int x);\ntypedef int (*roof_callback)(void);\n' >"$tree/include/roofline.h"
printf 'int roof_one(int x) { return x; }\nstatic inline int hidden(void) { return 1; }\n' >"$tree/lib.c"
expect '' share
echo 'int roof_two(void) { return 2; }' >>"$tree/lib.c"
expect 'roof_two is exported but no header of include/ declares it' share
echo 'int helper(void) { return 2; }' >>"$tree/lib.c"
expect 'helper is exported without the prefix' share
echo 'int roof_three(void);' >>"$tree/include/roofline.h"
expect 'roof_three is declared in roofline.h but not exported' share
echo 'int roof_four(void);' >"$tree/include/roofline_more.h"
expect 'roof_four is declared in roofline_more.h but not exported' share

# null_arguments
fresh
mkdir -p "$tree/tests/layers"
printf 'int roof_sum_of(const double *values, unsigned long count);\ntypedef unsigned long size_t;\nint roof_words(char *buffer, size_t size);\n' >"$tree/include/roofline.h"
echo 'int main(void) { return roof_words(0, 0); }' >"$tree/tests/layers/test_null_arguments.c"
expect '' sh "$here/null_arguments.sh" "$tree" "$cc"
echo 'int roof_list(const int *list, size_t list_count);' >>"$tree/include/roofline.h"
expect 'roof_list takes an array or a buffer' sh "$here/null_arguments.sh" "$tree" "$cc"

[ $bad -eq 0 ] || exit 1
echo "every rule accepts good code and finds its violation"
