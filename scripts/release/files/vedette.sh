#!/bin/sh
# Runs Vedette with the Node.js that lies beside it. The allocator's settings have to be there when a process starts.
home=$(dirname "$(dirname "$(readlink -f "$0")")")
exec env MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX-2}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_-131072}" \
  MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_-1048576}" "$home/node/bin/node" "$home/app/dist/main.js" "$@"
