/** Whether elements that differ and rank alike were met since the last reset. */
let hasTies = false;

/** Called if a set or map has different elements or keys with the same score. */
export function noteTie(): void {
  hasTies = true;
}

/**
 * Runs a function, and returns whether it made a set or map with elements of equal scores; it must not await anything.
 *
 * @spec 61 §20.3
 */
export function detectTies<T>(run: () => T): { readonly result: T; readonly hasTies: boolean } {
  const before = hasTies;
  hasTies = false;
  try {
    const result = run();
    return { result, hasTies };
  } finally {
    hasTies = before;
  }
}
