#!/bin/sh
# What `cmake --install` lays down can be used: through pkg-config and through CMake, static and shared, and the headers
# are C99, C17, C++11 and C++17. Arguments: a built (not sanitized) build folder, the C compiler.
set -eu
build=$1
cc=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a prefix" # with a space: quoting is tested too
strict="-Wall -Wextra -Wpedantic -Werror"

say() {
    echo "install: $*"
}
die() {
    echo "install: $*" >&2
    exit 1
}
expect_file() {
    for file; do
        [ -s "$prefix/$file" ] || die "$file is missing or empty"
    done
}

cmake --install "$build" --prefix "$prefix" >"$work/log" || die "cmake --install failed: $(cat "$work/log")"
libdir=$(cd "$prefix" && find lib* -name libroofline.a -exec dirname {} \;)
[ -n "$libdir" ] || die "libroofline.a is missing"
version=$(sed -n 's/^#define ROOF_VERSION "\(.*\)".*/\1/p' "$prefix/include/roofline.h")
expect_file bin/roofline include/roofline.h include/roofline_read.h include/roofline_chart.h include/roofline_measure.h include/roofline_profile.h include/roofline_expected.h "$libdir/libroofline.a" "$libdir/libroofline.so" "$libdir/libroofline.so.0" \
    "$libdir/libroofline.so.$version" "$libdir/pkgconfig/roofline.pc" "$libdir/cmake/roofline/rooflineConfig.cmake" \
    share/doc/roofline/LICENSE share/doc/roofline/README.md share/doc/roofline/docs/architecture.md share/man/man1/roofline.1 \
    share/bash-completion/completions/roofline share/zsh/site-functions/_roofline \
    share/fish/vendor_completions.d/roofline.fish
[ "$(find "$prefix" -name '*.h' | wc -l)" -eq 6 ] || die "private headers were installed"
grep -q '^\.TH ' "$prefix/share/man/man1/roofline.1" || die "roofline.1 is not a man page"
bash -n "$prefix/share/bash-completion/completions/roofline" || die "the bash completion is not bash"
"$prefix/bin/roofline" --version | grep -qF "$version" || die "the installed program does not say it is $version"
if grep -rIl -e "$build" -e "$work" "$prefix/$libdir/cmake" "$prefix/share" "$prefix/include" | grep .; then
    die "installed files name the build folder or the prefix"
fi
say "files are there"

# The header alone, in each language it promises.
cxx=g++
command -v g++ >/dev/null 2>&1 || cxx=clang++
# shellcheck disable=SC2086 # lists of flags
{
    for header in roofline.h roofline_read.h roofline_chart.h roofline_measure.h roofline_profile.h roofline_expected.h; do
        "$cc" -std=c99 $strict -x c -fsyntax-only "$prefix/include/$header"
        "$cc" -std=c17 $strict -x c -fsyntax-only "$prefix/include/$header"
    done
    ! command -v "$cxx" >/dev/null 2>&1 || {
        for standard in c++11 c++17; do
            "$cxx" -std=$standard $strict -I"$prefix/include" "$here/consumer.cpp" -o "$work/cxx" -L"$prefix/$libdir" -lroofline
            LD_LIBRARY_PATH="$prefix/$libdir" "$work/cxx"
        done
    }
}
say "the headers are C99, C17, C++11 and C++17"

# The example that roofline.h opens with is a program, and prints what the header says.
sed -n '/^ \* #include <roofline.h>/,/^ \* }/s/^ \* \{0,1\}//p' "$prefix/include/roofline.h" >"$work/example.c"
wanted=$(sed -n 's/^ \* prints: //p' "$prefix/include/roofline.h")
[ -n "$wanted" ] || die "roofline.h does not say what its example prints"
"$cc" -std=c17 -I"$prefix/include" "$work/example.c" -o "$work/example" -L"$prefix/$libdir" -lroofline
printed=$(LD_LIBRARY_PATH="$prefix/$libdir" "$work/example")
[ "$printed" = "$wanted" ] || die "the example of roofline.h prints '$printed', not '$wanted'"
say "the example of the header"

# pkg-config. It writes spaces as "\ ", which only a shell reads again: hence eval.
export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"
[ "$(pkg-config --modversion roofline)" = "$version" ] || die "roofline.pc has another version than the header"
flags=$(pkg-config --cflags --libs roofline)
eval "\"\$cc\" -std=c99 $strict \"\$here/consumer.c\" -o \"\$work/shared\" $flags"
LD_LIBRARY_PATH="$prefix/$libdir" "$work/shared" "$version"
if env -u LD_LIBRARY_PATH "$work/shared" "$version" 2>/dev/null; then
    die "the shared consumer does not use libroofline.so"
fi
flags=$(pkg-config --static --cflags --libs roofline | sed 's/-lroofline/-l:libroofline.a/')
eval "\"\$cc\" -std=c17 $strict \"\$here/consumer.c\" -o \"\$work/static\" $flags"
"$work/static" "$version"
say "pkg-config: shared and static"

for kind in shared static; do
    cmake -G Ninja -S "$here" -B "$work/cmake-$kind" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
        -DKIND=$kind >"$work/log" 2>&1 &&
        cmake --build "$work/cmake-$kind" >>"$work/log" 2>&1 && "$work/cmake-$kind/consumer" "$version" ||
        die "find_package(roofline COMPONENTS $kind): $(cat "$work/log")"
done
say "CMake: shared and static"

# The examples, built as a stranger would.
cp -r "$here/../../examples" "$work/examples"
cmake -G Ninja -S "$work/examples" -B "$work/examples-built" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_C_FLAGS="$strict" >"$work/log" 2>&1 && cmake --build "$work/examples-built" >>"$work/log" 2>&1 &&
    sh "$work/examples/run.sh" "$work/examples-built" >>"$work/log" 2>&1 || die "examples: $(cat "$work/log")"
say "the examples"
