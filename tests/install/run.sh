#!/bin/sh
# ./run on a machine that has nothing: the real script with a PATH that holds a few tools of the base system and an
# apt-get and a sudo of our own, which write down what they are asked for.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
home="$work/check out" # a space on purpose
bad=0

wrong() {
    echo "run: $*"
    sed 's/^/    /' "$work/out" "$work/err"
    bad=$((bad + 1))
}
has() { # has file words
    grep -qF -- "$2" "$work/$1" || wrong "no '$2' in $1"
}
has_not() {
    ! grep -qF -- "$2" "$work/$1" || wrong "'$2' in $1"
}
tool() { # tool name: its script from standard input
    cat >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

# A checkout and a bare system. `id` says who we are.
fresh() {
    rm -rf "${home:?}" "${work:?}/bin"
    mkdir -p "$home/src/core" "$home/include" "$home/cmake" "$work/bin" "$work/else where"
    cp "$root/run" "$home/"
    cp "$root/cmake/packages.sh" "$home/cmake/"
    touch "$home/CMakeLists.txt" "$home/CMakePresets.json" "$home/src/core/a.c" "$work/asked"
    : >"$work/asked"
    for name in sh cat chmod cp date env find flock grep head mkdir mv readlink rm sed sort touch tr sleep; do
        ln -s "$(command -v $name)" "$work/bin/$name"
    done
    printf '#!/bin/sh\necho 0\n' | tool id
    printf '#!/bin/sh\n' | tool ldconfig
    tool apt-get <<APT
#!/bin/sh
echo "apt-get \$*" >>"$work/asked"
echo "noise of apt-get"
case "\$*" in
*install*gcc*) cp "$work/parts/"* "$work/bin/" ;;
*install*librsvg2-2*) printf '#!/bin/sh\necho librsvg-2.so.2\n' >"$work/bin/ldconfig" ;;
esac
APT
}

# What the packages bring: a compiler that accepts, and a cmake whose build makes a program that tells what it was given.
mkdir -p "$work/parts"
cd "$work/parts"
printf '#!/bin/sh\nexit 0\n' | tee gcc ninja >pkg-config
cat >cmake <<CMAKE
#!/bin/sh
echo "cmake \$*" >>"$work/asked"
[ ! -f broken ] || { echo "src/core/a.c:1:1: error: broken"; exit 1; }
[ "\$1" = --build ] || exit 0
sleep 0.3
mkdir -p build/release/src/cli
echo "CMAKE_HOME_DIRECTORY:INTERNAL=\$(pwd -P)" >build/release/CMakeCache.txt
printf '#!/bin/sh\necho "in \$(pwd): \$*"\n' >build/release/src/cli/roofline
chmod +x build/release/src/cli/roofline
CMAKE
chmod +x ./*

# start arguments...: ./run from another folder; its status in $status.
start() {
    status=0
    (cd "$work/else where" && PATH="$work/bin" "$home/run" "$@") >"$work/out" 2>"$work/err" || status=$?
}

fresh
start op "a b"
[ $status -eq 0 ] || wrong "first run: exit $status"
[ "$(cat "$work/out")" = "in $work/else where: op a b" ] || wrong "standard output is not the answer alone"
has err "installing gcc libc6-dev cmake ninja-build pkg-config libnanopb-dev libhwloc-dev opencl-headers zlib1g-dev libsqlite3-dev (needed to build the program) with apt-get"
has err "building a release"
has_not err "noise"
has asked "install --no-install-recommends gcc"
has asked "--target product"

: >"$work/asked"
start again
[ "$(cat "$work/out")" = "in $work/else where: again" ] && [ ! -s "$work/asked" ] && [ ! -s "$work/err" ] ||
    wrong "second run: not the program at once"

ln -s "$home/run" "$work/bin/rl"
(cd "$work" && PATH="$work/bin" rl linked) >"$work/out" 2>"$work/err" || wrong "through a symlink"
has out "linked"

sleep 0.02
touch "$home/src/core/a.c"
start
has asked "cmake --build"
: >"$work/asked"
rm "$home/src/core/a.c"
start
has asked "cmake --build" # a file that went away is a change too

touch "$home/broken" "$home/include/new.h"
start
[ $status -eq 1 ] && [ ! -s "$work/out" ] || wrong "a failed build: exit $status"
has err "error: broken"
has err "hint: the whole log is $home/build/build.log"
rm "$home/broken"
start fixed
has out "fixed"

: >"$work/asked"
start op -o chart.png
has err "installing librsvg2-2 fonts-inter (needed to write PNG and PDF) with apt-get"
has out "op -o chart.png"
: >"$work/asked"
start op -o chart.pdf
[ ! -s "$work/asked" ] || wrong "librsvg is there and was asked for"

# Two at once: one builds, one waits, both answer.
fresh
cp "$work/parts/"* "$work/bin/"
(cd "$work" && PATH="$work/bin" "$home/run" one) >"$work/one" 2>&1 &
start two
wait $! || wrong "the other run failed"
has one "one"
has out "two"
[ "$(grep -c -- --build "$work/asked")" -eq 1 ] || wrong "built twice"

fresh
rm "$work/bin/apt-get"
start
[ $status -eq 1 ] || wrong "no apt-get: exit $status"
has err "no apt-get here: install these packages: gcc libc6-dev cmake ninja-build pkg-config libnanopb-dev libhwloc-dev opencl-headers zlib1g-dev libsqlite3-dev"

fresh
printf '#!/bin/sh\necho "E: no network"; exit 100\n' | tool apt-get
start
[ $status -eq 1 ] || wrong "no network: exit $status"
has err "E: no network"
has err "install these packages: gcc libc6-dev cmake"

fresh
printf '#!/bin/sh\necho 1000\n' | tool id
start
[ $status -eq 1 ] || wrong "neither root nor sudo: exit $status"
has err "hint: as root: apt-get install gcc"
tool sudo <<SUDO
#!/bin/sh
echo "sudo \$*" >>"$work/asked"
[ "\$1" != -n ] || shift
exec "\$@"
SUDO
printf '#!/bin/sh\n' | tool true
start by-sudo
[ $status -eq 0 ] || wrong "sudo: exit $status"
has err "with sudo apt-get"
has asked "sudo env DEBIAN_FRONTEND=noninteractive"
has out "by-sudo"

[ $bad -eq 0 ] || exit 1
echo "run: installs, builds once, answers; says what is wrong when it cannot"
