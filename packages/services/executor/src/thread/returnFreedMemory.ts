/** It takes one to two milliseconds of the thread. */
const usualEveryMs = 60_000;
/** The library of the system that has the allocator; others than glibc have none of this name. */
const library = "libc.so.6";

/**
 * Has the system's allocator give back the pages in which nothing is in use, once a minute. By itself it gives back but
 * the end of its arenas: after a busy time, what is still held there keeps all that lies below it; 25 of 72 MB were seen.
 *
 * It is one allocator for all threads, so that one of them does it. Elsewhere than on Linux with glibc memory is given
 * back as the allocator likes.
 *
 * @returns has it done at once; nothing before it was done for the first time
 */
export function returnFreedMemory(signal: AbortSignal, everyMs = usualEveryMs): () => void {
  if (process.platform !== "linux") return () => {};
  let giveBack: (() => void) | undefined;
  const timer = setInterval(() => {
    if (giveBack !== undefined) return giveBack();
    // Not before: a start has better things to do.
    findTrim().then(
      (trim) => {
        giveBack = trim;
      },
      () => clearInterval(timer),
    );
  }, everyMs).unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return () => giveBack?.();
}

/** @throws Error where the allocator has nothing of the kind */
async function findTrim(): Promise<() => void> {
  const { load } = await import("koffi");
  const trim = load(library).func("int malloc_trim(size_t pad)");
  return () => {
    trim(0);
  };
}
