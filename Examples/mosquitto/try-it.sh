#!/usr/bin/env bash
# The story of one lamp: near, immediate, and away again. Usage: try-it.sh [path of nearby-bridge]
set -euo pipefail

bridge=$(command -v "${1:-nearby-bridge}") || { echo "no program ${1:-nearby-bridge}: build it with make" >&2; exit 69; }
bridge=$(realpath "$bridge")
cd "$(dirname "$0")"
port=18831
broker=$(command -v mosquitto || echo /usr/sbin/mosquitto)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; wait 2>/dev/null' EXIT

"$broker" -c try-it.conf 2>/dev/null & pids+=($!)
until mosquitto_pub -p $port -t ready -n 2>/dev/null; do
    kill -0 "${pids[0]}" 2>/dev/null || { echo "the broker does not start; is port $port in use?" >&2; exit 69; }
    sleep 0.1
done

"$bridge" run --set mqtt.port=$port --set log.level=warning --set state.path=none & pids+=($!)
# Retained, so this returns at once if the bridge is there already.
mosquitto_sub -p $port -t nearby/bridge/state -C 1 -W 20 >/dev/null || { echo "the bridge does not come up" >&2; exit 69; }

mosquitto_sub -p $port -t 'nearby/accessory/+/event' > >(
    sed -uE 's/.*"reason":"([a-z_]+)".*"type":"([a-z_]+)".*"zone":"([a-z_]+)".*/\2 \3 \1/; s/.*"type":"([a-z_]+)".*"zone":"([a-z_]+)".*/\1 \2/'
) & pids+=($!)
sleep 0.2

for _ in $(seq 20); do mosquitto_pub -p $port -t nearby/accessory/lamp/report -m '{"distance":1.2}'; sleep 0.1; done
for _ in $(seq 20); do mosquitto_pub -p $port -t nearby/accessory/lamp/report -m '{"distance":4}'; sleep 0.1; done
sleep 0.5

echo "--- retained"
mosquitto_sub -p $port -v -t 'nearby/accessory/+/zone/+' --retained-only -W 1 2>/dev/null || true
mosquitto_sub -p $port -v -t 'nearby/accessory/+/event' --retained-only -W 1 2>/dev/null || true
