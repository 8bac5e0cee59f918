import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import * as Type from "typebox";
import { Check } from "typebox/value";

const place = Type.Object({
  /** Which log of events, and which stream: with another of either it begins anew. */
  log: Type.String(),
  stream: Type.String(),
  /** The last one that is in the stream. */
  entry: Type.Integer({ minimum: 0 }),
});

/** How far a publisher is. */
export type PublisherPlace = Type.Static<typeof place>;

/** Where a publisher notes how far it is. A note that is lost costs questions, and nothing else. */
export interface PublisherCursor {
  read(): PublisherPlace | undefined;
  write(place: PublisherPlace): void;
}

/** A file, written as a whole. */
export class CursorFile implements PublisherCursor {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): PublisherPlace | undefined {
    if (!existsSync(this.#path)) return undefined;
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, "utf8"));
      return Check(place, value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  write(place: PublisherPlace): void {
    const made = `${this.#path}.new`;
    writeFileSync(made, `${JSON.stringify(place)}\n`);
    renameSync(made, this.#path);
  }
}
