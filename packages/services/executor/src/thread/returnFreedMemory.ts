/** Where nothing can be returned it takes half a millisecond of the thread; 56 ms for 142 MB after a flood. */
const usualEveryMs = 15_000;
/** The library of the system that has the allocator; others than glibc have none of this name. */
const library = "libc.so.6";

/**
 * Has the system's allocator return the pages in which nothing is in use, every 15 seconds. By itself it returns only
 * the end of its arenas: a piece that is in use keeps all that lies below it. Buffers are freed some time after the
 * garbage collection that found them, so that one call after a collection comes too early.
 *
 * The allocator is one for all threads, so that one of them does it. Elsewhere than on Linux with glibc the allocator
 * decides alone.
 */
export function returnFreedMemory(signal: AbortSignal, everyMs = usualEveryMs): void {
  if (process.platform !== "linux") return;
  let trim: (() => void) | undefined;
  const timer = setInterval(() => {
    if (trim !== undefined) return trim();
    // Not before: a start has better things to do.
    findTrim().then(
      (found) => {
        trim = found;
      },
      () => clearInterval(timer),
    );
  }, everyMs).unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** @throws Error where the allocator has nothing of the kind */
async function findTrim(): Promise<() => void> {
  const { load } = await import("koffi");
  const trim = load(library).func("int malloc_trim(size_t pad)");
  return () => {
    trim(0);
  };
}
