#!/bin/sh
":" //; exec env MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX-2}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_-131072}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_-1048576}" node "$0" "$@"
// For a shell the line above is the program: the allocator's settings (`localNetwork/allocatorSettings.ts`) have to be
// there when the process starts. For Node.js it is a text and a comment.
import "../dist/cli/main.js";
