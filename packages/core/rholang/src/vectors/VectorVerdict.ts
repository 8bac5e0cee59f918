/**
 * Whether our answer to a golden vector is rnode's. Differences are written for people: terms printed,
 * events decoded, and a hint where to look.
 */
export type VectorVerdict = { readonly ok: true } | { readonly ok: false; readonly differences: readonly string[] };

/** An error as a vector names it; the text is left out where it holds a memory address or a stack trace. */
export interface ExpectedError {
  readonly class: string;
  readonly message?: string;
}

/** The verdict for what was found. */
export function verdictOf(differences: readonly string[]): VectorVerdict {
  return differences.length === 0 ? { ok: true } : { ok: false, differences };
}

/** Long texts are cut in the middle. */
export function shorten(text: string, length = 400): string {
  if (text.length <= length) return text;
  const half = (length - 5) >> 1;
  return `${text.slice(0, half)} ... ${text.slice(text.length - half)}`;
}

/** Returns where two texts differ. */
export function whereTheyPart(expected: string, actual: string): string {
  let at = 0;
  while (at < expected.length && at < actual.length && expected[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 30);
  return `at ${at}: expected …${expected.slice(from, at + 50)}…, ours …${actual.slice(from, at + 50)}…`;
}
