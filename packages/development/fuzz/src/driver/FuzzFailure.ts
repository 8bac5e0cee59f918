/** An input that a target did not take as it must. */
export interface FuzzFailure {
  /** Findings of one key are taken for one fault. */
  readonly key: string;
  readonly message: string;
  readonly input: Uint8Array;
  /** The input as the target shows it. */
  readonly shown: string;
}

/** The first place of our own that the error passed, with its message where that has no values in it. */
export function keyOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const place = /\/packages\/(\S+?\.js):\d+/.exec(error.stack ?? "")?.[1] ?? "";
  return `${error.name} ${error.message.slice(0, 60).replace(/[0-9a-f]{6,}|\d+|"[^"]*"/g, "#")} ${place}`;
}
