#!/usr/bin/env bash
# `npm run endurance`: with mounts and a loopback of its own where that is allowed. The disk can be filled then, and no
# other program takes the port of an accessory that is off.
set -euo pipefail
run=(node --import tsx test/endurance/main.ts "$@")
if unshare -rmn true 2>/dev/null; then
  exec unshare -rmn bash -c 'ip link set lo up && exec "$@"' - "${run[@]}"
fi
exec "${run[@]}"
