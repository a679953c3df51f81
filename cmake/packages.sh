# Sourced by ./run and ./check: install what is missing. Needs: $root (the checkout) and a writable $root/build.
# All words go to stderr: stdout belongs to the answer.

say() {
    printf 'roofline: %s\n' "$*" >&2
}

die() {
    say "$1"
    [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
    exit 1
}

# Room for locks, logs and builds.
make_build_folder() {
    mkdir -p "$root/build" 2>/dev/null && [ -w "$root/build" ] ||
        die "$root/build cannot be written, so nothing can be built there" "clone the repository to a folder of yours"
}

# One process at a time; the lock goes with file descriptor 9.
lock() {
    exec 9>"$root/build/.lock"
    command -v flock >/dev/null 2>&1 || return 0
    flock -n 9 && return 0
    say "another run is building here: waiting for it"
    flock 9
}

unlock() {
    exec 9>&-
}

# Can C be compiled at all? gcc without its C library headers cannot.
has_c_compiler() {
    for compiler in cc gcc clang; do
        if command -v "$compiler" >/dev/null 2>&1; then
            printf '#include <math.h>\nint main(void) { return 0; }\n' |
                "$compiler" -x c -fsyntax-only - >/dev/null 2>&1 && return 0
        fi
    done
    return 1
}

has_header() { # has_header compiler name.h
    printf '#include <stddef.h>\n#include <stdarg.h>\n#include <stdint.h>\n#include <setjmp.h>\n#define CL_TARGET_OPENCL_VERSION 120\n#include <%s>\n' "$2" |
        "$1" -x c -fsyntax-only - >/dev/null 2>&1
}

has_nanopb() { # whichever compiler there is
    for compiler in cc gcc clang; do
        if command -v "$compiler" >/dev/null 2>&1 && has_header "$compiler" pb_decode.h; then
            return 0
        fi
    done
    return 1
}

has_module() { # has_module zlib: does pkg-config know it?
    command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "$1" 2>/dev/null
}

has_opencl() {
    for compiler in cc gcc clang; do
        if command -v "$compiler" >/dev/null 2>&1 && has_header "$compiler" CL/cl.h; then
            return 0
        fi
    done
    return 1
}

has_library() { # has_library librsvg-2.so.2
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q "$1"
}

# The packages a build of the program needs and this machine lacks, on stdout.
missing_for_build() {
    has_c_compiler || echo gcc libc6-dev
    command -v cmake >/dev/null 2>&1 || echo cmake
    command -v ninja >/dev/null 2>&1 || echo ninja-build
    command -v pkg-config >/dev/null 2>&1 || echo pkg-config
    has_nanopb || echo libnanopb-dev
    has_module hwloc || echo libhwloc-dev
    has_opencl || echo opencl-headers
    has_module zlib || echo zlib1g-dev
    has_module sqlite3 || echo libsqlite3-dev
}

# PNG and PDF: librsvg (which brings cairo) and a font to set the labels in.
missing_for_pictures() {
    has_library 'librsvg-2\.so\.2' || echo librsvg2-2 fonts-inter
}

# try_install "needed to ..." package...: 0 when they are installed. Says what and why first; apt's own words go to a log.
try_install() {
    why=$1
    shift
    log=$root/build/install.log
    if ! command -v apt-get >/dev/null 2>&1; then
        say "packages $why are missing, and there is no apt-get here: install these packages: $*"
        return 1
    fi
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1 || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
            say "packages $why are missing, and only root may install: install these packages: $*"
            printf 'hint: as root: apt-get install %s\n' "$*" >&2
            return 1
        fi
        as_root=sudo
    fi
    say "installing $* ($why) with ${as_root:+sudo }apt-get"
    : >"$log"
    apt_get update >>"$log" 2>&1 || true # an old list may do
    if apt_get install --no-install-recommends "$@" >>"$log" 2>&1; then
        return 0
    fi
    grep '^E:' "$log" | head -n 3 >&2 || true
    say "apt-get could not install them (no network?): install these packages: $*"
    printf 'hint: the whole log is %s\n' "$log" >&2
    return 1
}

apt_get() {
    $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
        apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=2 "$@" </dev/null 9>&-
}
