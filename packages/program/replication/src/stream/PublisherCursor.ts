import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import * as Type from "typebox";
import { Check } from "typebox/value";

const mark = Type.Object({
  /** An entry of the log, and the sequence of its message in the stream. */
  entry: Type.Integer({ minimum: 0 }),
  sequence: Type.Integer({ minimum: 0 }),
  /** When that was seen to be there, in Unix milliseconds. */
  atMs: Type.Integer({ minimum: 0 }),
});

const place = Type.Object({
  /** Which log of events, and which stream: with another of either it begins anew. */
  log: Type.String(),
  stream: Type.String(),
  /** The last one that is in the stream. */
  entry: Type.Integer({ minimum: 0 }),
  /** Some of those that are in the stream, the oldest first. */
  marks: Type.Optional(Type.Array(mark, { maxItems: 1_000 })),
});

/** A message that a stream has until it is too old for it. */
export type PublishedMark = Type.Static<typeof mark>;
/** How far a publisher is. */
export type PublisherPosition = Type.Static<typeof place>;

/** Where a publisher notes how far it is. A note that is lost costs questions, and nothing else. */
export interface PublisherCursor {
  read(): PublisherPosition | undefined;
  write(place: PublisherPosition): void;
}

/** A file, written as a whole. */
export class CursorFile implements PublisherCursor {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): PublisherPosition | undefined {
    if (!existsSync(this.#path)) return undefined;
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, "utf8"));
      return Check(place, value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  write(place: PublisherPosition): void {
    const made = `${this.#path}.new`;
    writeFileSync(made, `${JSON.stringify(place)}\n`);
    renameSync(made, this.#path);
  }
}
