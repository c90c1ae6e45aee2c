# For scripts that try an install where systemd boots in a container, on a network with nothing but loopback and a lamp of the demo house.
# Needs root, mmdebstrap, systemd-nspawn and a mirror of Debian; a script ends with 0 and says what it lacks where these can't be had.

skip() {
  echo "skipped: $1"
  exit 0
}
say() { printf '%s %s\n' "$(date +%T)" "$1"; }

# make_debian RELEASE PACKAGES: into $root, with what each boot runs; $scratch is for the rest
make_debian() {
  [ "$(id -u)" = 0 ] || skip 'only root makes a Debian'
  local tool
  for tool in mmdebstrap systemd-nspawn ip; do command -v "$tool" >/dev/null 2>&1 || skip "no $tool"; done
  scratch=$(mktemp -d)
  root=$scratch/root
  network=hearthd-boot-$$
  lamp=
  trap 'kill ${lamp:-} 2>/dev/null || true; ip netns delete "$network" 2>/dev/null || true; rm -rf --one-file-system "$scratch"' EXIT
  /usr/lib/apt/apt-helper -o Acquire::http::Timeout=20 download-file "http://deb.debian.org/debian/dists/$1/InRelease" \
    "$scratch/InRelease" >/dev/null 2>&1 || skip 'no mirror'
  say "Making a Debian ($1)"
  mmdebstrap --quiet --variant=minbase --include="systemd,ca-certificates,$2" "$1" "$root"
  mkdir -p "$root/etc/systemd/system/hearthd.service.d" "$root/etc/systemd/system/multi-user.target.wants"
  printf '[Service]\nEnvironment=HEARTHD_INTERFACE=lo HEARTHD_HOST=127.0.0.1\n' >"$root/etc/systemd/system/hearthd.service.d/loopback.conf"
  # It does its steps, and turns the container off.
  cat >"$root/etc/systemd/system/steps.service" <<'UNIT'
[Unit]
SuccessAction=poweroff
FailureAction=poweroff

[Service]
Type=oneshot
ExecStart=/bin/bash /root/steps
StandardOutput=append:/root/out
StandardError=append:/root/out
UNIT
  ln -s ../steps.service "$root/etc/systemd/system/multi-user.target.wants/steps.service"
  cat >"$scratch/lines" <<'LINES'
set -euo pipefail
export HOME=/root LANG=C.UTF-8
say() { printf '%s %s\n' "$(date +%T)" "$1"; }
trap 'systemctl --no-pager status hearthd; journalctl --no-pager -n 50 -u hearthd' ERR
pid() { systemctl show --property MainPID --value hearthd; }
until_done() { # until_done COMMAND...: once it succeeds
  for second in $(seq 180); do
    "$@" && return
    sleep 1
  done
  false
}
answers_anew() { [ "$(pid)" != "$1" ] && hearthd status >/dev/null 2>&1; } # answers_anew OLD_PID
changed_version() { # changed_version FOLDER VERSION
  sed -i "s/\"version\": \".*\"/\"version\": \"$2\"/" "$1/package.json"
}
pair_lamp() {
  read -r device code </root/lamp
  pair() { echo "$code" | hearthd pair "$device" --code - --room Kitchen; }
  until_done pair
}
switch_lamp() { # switch_lamp on|off: and it says so
  until_done hearthd set 'Kitchen/Reading Lamp' "on=$1"
  hearthd state --room kitchen --json | grep "\"on\": $([ "$1" = on ] && echo true || echo false)"
}
LINES
  ip netns add "$network"
  ip -n "$network" link set lo up
  ip -n "$network" route add 224.0.0.0/4 dev lo
  ip netns exec "$network" node --import tsx test/install/lamp.ts "$scratch/lamp" >"$root/root/lamp" &
  lamp=$!
  local second
  for second in $(seq 120); do
    [ -s "$root/root/lamp" ] && return
    sleep 1
  done
  echo 'The lamp does not start.' >&2
  exit 1
}

# boot: boots, does the steps that stdin has, and fails where they failed
boot() {
  cat "$scratch/lines" - >"$root/root/steps"
  echo 'touch /root/passed' >>"$root/root/steps"
  rm -f "$root/root/passed"
  : >"$root/root/out"
  timeout 900 systemd-nspawn --quiet --directory="$root" --boot --network-namespace-path="/run/netns/$network" --register=no --keep-unit \
    --link-journal=no --console=read-only </dev/null >"$scratch/console" 2>&1 || true
  grep -q 'Welcome to' "$scratch/console" || skip "no systemd boots here: $(grep -v '^$' "$scratch/console" | tail -1)"
  cat "$root/root/out"
  [ -e "$root/root/passed" ] || {
    tail -5 "$scratch/console"
    exit 1
  }
}
