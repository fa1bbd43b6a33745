#!/usr/bin/env bash
# Tries the image without a container engine: makes the root file system of the Dockerfile's last stage from its own lines, on
# BusyBox as in its base image, and runs the server in it by chroot.
#
#   docker/check.sh [BINARY]        as root, with busybox-static installed
set -euo pipefail
cd "$(dirname "$0")/.."
binary=${1:-.build/release/hibachi}
root=$(mktemp -d)
chmod 755 "$root"
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  umount -q "$root/proc" || true
  rm -rf --one-file-system "$root"
}
trap finish EXIT

# The instructions of the last stage, one a line.
stage=$(awk '/^#/ { next } { line = line $0 } /\\$/ { sub(/\\$/, "", line); next } { print line; line = "" }' docker/Dockerfile |
  awk '/^FROM/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }')
instruction() { sed -n "s/^$1 //p" <<<"$stage"; }

# What the base image has: BusyBox under all its names, and a folder for temporary files.
install -D "$(command -v busybox)" "$root/bin/busybox"
mkdir -p "$root"/{usr/bin,usr/sbin,sbin,proc,dev,etc}
mkdir -m 1777 "$root/tmp"
chroot "$root" /bin/busybox --install -s
# Every container has these; without /proc the Swift runtime does not start.
mount -t proc proc "$root/proc"
mknod -m 666 "$root/dev/null" c 1 3
# What is copied from the build.
install -D -s "$binary" "$root/usr/local/bin/hibachi"

variables=()
for pair in $(instruction ENV); do variables+=("$pair"); done
# $replace: exec, if this shell is to become the command.
inside() { ${replace-} chroot --userspec="$user" "$root" /usr/bin/env -i "${variables[@]}" /bin/sh -c "cd $folder && $1"; }
user=0:0 folder=/
while IFS= read -r line; do inside "$line"; done < <(instruction RUN)
user=$(instruction USER) folder=$(instruction WORKDIR)
command=$(instruction CMD | tr -d '[],"')
health=$(instruction HEALTHCHECK | sed 's/.*CMD //' | tr -d '[],"')

# Starts a command and waits for its ready line.
launch() {
  echo "-- $1"
  : >"$root/tmp/output"
  replace=exec inside "exec $1" >"$root/tmp/output" 2>&1 &
  server=$!
  for _ in $(seq 100); do
    if grep -q "$2" "$root/tmp/output"; then break; fi
    kill -0 $server || { cat "$root/tmp/output"; return 1; }
    sleep 0.1
  done
  grep -q "$2" "$root/tmp/output"
}
stop() {
  kill $server
  wait $server
  server=
}

# Starts a command, asks for its health, writes, and ends it.
try() {
  launch "$1" running
  inside "$health"
  inside "wget -q -O /dev/null --post-data '{}' --header 'Content-Type: application/json' \
    'http://127.0.0.1:8080/v1/projects/demo/databases/(default)/documents/checks'"
  inside "wget -q -O - 'http://127.0.0.1:8080/v1/projects/demo/databases/(default)/documents/checks'" >"$root/tmp/list"
  stop
}
documents() { grep -c '"createTime"' "$root/tmp/list"; }

try "$command"
try "$command"
[ "$(documents)" = 2 ] || { echo "the documents of the first run are gone"; exit 1; }
for line in 'gcloud beta emulators firestore start --host-port 0.0.0.0:8080 --project=test-project' \
  'cloud_firestore_emulator start --host=0.0.0.0 --port=8080'; do
  try "/bin/sh -c 'exec $line'"
  [ "$(documents)" = 1 ] || { echo "documents were kept"; exit 1; }
done
launch "/bin/sh -c 'exec fake-gcs-server -scheme http'" 'server started at http://0.0.0.0:4443'
inside "wget -q -O /dev/null http://127.0.0.1:4443/_internal/healthcheck"
stop
if inside "$health" 2>/dev/null; then
  echo "healthy without a server"
  exit 1
fi
echo "the image is $(du -skx --exclude=tmp "$root" | cut -f 1) KiB; all checks passed"
