/**
 * How glibc's allocator is to work in a node's process, as variables of its environment; it reads them at its start
 * alone. Left to itself it has an arena for nearly every thread, and learns from the first large pieces that are freed
 * to give back nothing smaller: what abuse has taken stays. Elsewhere than on Linux with glibc they mean nothing.
 */
export const allocatorSettings = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "1048576",
} as const;
