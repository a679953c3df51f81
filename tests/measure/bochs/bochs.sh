#!/bin/sh
# Boot the kernels on an emulated CPU that this machine need not be. Arguments: bochs, the disk image, a model of its
# list of CPUs, the features that must be found there. Its screen is one that nobody looks at; where bochs was built
# with its debugger, "c" lets it run.
set -eu
bochs=$1
image=$2
model=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp "$image" "$work/disk"
cat >"$work/rc" <<RC
config_interface: textconfig
display_library: rfb, options="timeout=0"
cpu: model=$model, count=1, ips=50000000, reset_on_triple_fault=0
megs: 32
romimage: file=\$BXSHARE/BIOS-bochs-legacy
vgaromimage: file=\$BXSHARE/VGABIOS-lgpl-latest
ata0-master: type=disk, path=$work/disk, mode=flat, cylinders=4, heads=16, spt=63
boot: disk
port_e9_hack: enabled=1
speaker: enabled=0
sound: waveoutdrv=dummy, waveout=none, waveindrv=dummy, wavein=none, midioutdrv=dummy, midiout=none
panic: action=fatal
error: action=ignore
info: action=ignore
debug: action=ignore
log: $work/log
RC
echo c | timeout 100 "$bochs" -q -f "$work/rc" >"$work/out" 2>"$work/err" || true

grep -E '^(features|ok|FAILED|done)' "$work/out" || {
    echo "nothing was run:"
    cat "$work/out" "$work/err" "$work/log"
    exit 1
}
grep -qx "features base $*" "$work/out" || { echo "not the features wanted: $*"; exit 1; }
grep -q '^done: [1-9][0-9]* kernels ran, 0 failures' "$work/out"
