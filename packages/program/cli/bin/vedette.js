#!/usr/bin/env sh
":" //; exec env MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX-2}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_-131072}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_-1048576}" node "$0" "$@"
// For a shell the line above is the program: the allocator's settings (`devtools/src/devnet/allocatorSettings.ts`) have to be
// there when the process starts. For Node.js it is a text and a comment.
// Before all else is loaded: Node.js would open a debugger at it (`src/noInspector.ts`).
process.on("SIGUSR1", () => {});
try {
  await import("../dist/bundle/main.js");
} catch (error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  const [missing] = error.message.split(" imported from ");
  process.stderr.write(`This checkout is not built (${missing}). Run: npm ci && npm run build\n`);
  process.exitCode = 1;
}
