/** The parts of an entry's events, in their order: what happened to the block, then what it contains. */
export const eventParts = { block: 0, deploys: 1, sends: 2, transfers: 3, notes: 4 } as const;

/**
 * A place among the events: after one of them, or, where `part` is `undefined`, after all of an entry.
 *
 * Which events an entry of the log has, and their order, follows from the block alone, so that a place means the same
 * after a restart.
 */
export interface Cursor {
  /** Which log, or which stream. */
  readonly log: string;
  /** Number of an entry; with `nth`, of a message of the stream. */
  readonly entry: number;
  /** Which of the entries that a message has made. */
  readonly nth?: number;
  readonly part?: number;
  readonly index?: number;
}

/** Longest text that is looked at. */
const longestCursor = 64;

/** The cursor after an event. @param entry the cursor after all of its entry */
export function printEventCursor(entry: string, part: number, index: number): string {
  return `${entry}-${part}-${index}`;
}

/** The cursor after all events of an entry. */
export function printEntryCursor(log: string, entry: number): string {
  return `${log}-${entry}`;
}

/** The cursor after all events of an entry that a message of a stream has made. */
export function printNameCursor(log: string, sequence: number, nth: number): string {
  return `${log}-${sequence}.${nth}`;
}

/** @returns `undefined` for what is no cursor */
export function parseCursor(text: string): Cursor | undefined {
  if (text.length > longestCursor) return undefined;
  const found = /^([0-9a-f]{16})-([0-9]{1,15})(?:\.([0-9]{1,9}))?(?:-([0-9])-([0-9]{1,9}))?$/.exec(text);
  if (found === null) return undefined;
  const [, log, entry, nth, part, index] = found;
  const place = { log: log!, entry: Number(entry), ...(nth === undefined ? {} : { nth: Number(nth) }) };
  return part === undefined ? place : { ...place, part: Number(part), index: Number(index) };
}
