/** The parts of an entry's events, in their order: what happened to the block, then what it contains. */
export const eventParts = { block: 0, deploys: 1, sends: 2, transfers: 3, notes: 4 } as const;

/**
 * A place among the events: after one of them, or, where `part` is `undefined`, after all of an entry.
 *
 * Which events an entry of the log has, and their order, follows from the block alone, so that a place means the same
 * after a restart.
 */
export interface Cursor {
  /** Which log. */
  readonly log: string;
  /** Number of an entry. */
  readonly entry: number;
  readonly part?: number;
  readonly index?: number;
}

/** Longest text that is looked at. */
const longestCursor = 64;

/** The cursor after an event. */
export function printEventCursor(log: string, entry: number, part: number, index: number): string {
  return `${log}-${entry}-${part}-${index}`;
}

/** The cursor after all events of an entry. */
export function printEntryCursor(log: string, entry: number): string {
  return `${log}-${entry}`;
}

/** @returns `undefined` for what is no cursor */
export function parseCursor(text: string): Cursor | undefined {
  if (text.length > longestCursor) return undefined;
  const found = /^([0-9a-f]{16})-([0-9]{1,15})(?:-([0-9])-([0-9]{1,9}))?$/.exec(text);
  if (found === null) return undefined;
  const [, log, entry, part, index] = found;
  if (part === undefined) return { log: log!, entry: Number(entry) };
  return { log: log!, entry: Number(entry), part: Number(part), index: Number(index) };
}
