import { oneOf, type SeededRandom } from "./seededRandom.js";

interface Write {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A change that is not synced yet: bytes, or with none of them another length. */
interface Change extends Write {
  /** The file's length after it. */
  readonly length: number;
}

/** Sizes in bytes that a disk writes whole. */
const sector = 512;
const page = 4096;

/** The content of one file: what has been synced, and what has been written since. */
export class RecordedFile {
  #lasting = new Uint8Array(0);
  #lastingLength = 0;
  #length = 0;
  #pending: Change[] = [];
  /** It is written by way of memory. */
  #isUnknown = false;

  write(offset: number, bytes: Uint8Array, isSynced: boolean): void {
    const written = this.#changeBy({ offset, bytes });
    this.#length = written.length;
    if (!isSynced) {
      this.#pending.push(written);
      return;
    }
    // Earlier data at the same place cannot come back.
    this.#pending = this.#pending.flatMap((change) => without(change, offset, offset + bytes.length));
    this.#putLasting({ offset, bytes });
  }

  truncate(length: number): void {
    this.#length = length;
    this.#pending.push({ offset: length, bytes: new Uint8Array(0), length });
  }

  sync(): void {
    for (const change of this.#pending) this.#putLasting(change, change.length);
    this.#pending = [];
  }

  becomeUnknown(): void {
    this.#isUnknown = true;
  }

  /** @returns `undefined` where the record does not show it */
  whole(): Uint8Array | undefined {
    if (this.#isUnknown) return undefined;
    const content = this.#lasting.slice(0, this.#lastingLength);
    return this.#pending.reduce<Uint8Array>((before, change) => applied(before, change, change.length), content);
  }

  /**
   * One of the contents that a loss of power leaves. Of a file that is written by way of memory: anything.
   *
   * @param underWay a write that was begun
   */
  afterPowerCut(random: SeededRandom, underWay?: Write): Uint8Array | undefined {
    if (this.#isUnknown) return anyContent(this.#length, random);
    const pending = underWay === undefined ? this.#pending : [...this.#pending, this.#changeBy(underWay)];
    const content = this.#lasting.slice(0, this.#lastingLength);
    const kept = oneOf(["all", "none", "first", "pages", "sectors"] as const, random);
    if (kept === "none" || pending.length === 0) return content;
    if (kept === "all")
      return pending.reduce<Uint8Array>((before, change) => applied(before, change, change.length), content);
    const changes = kept === "first" ? pending.slice(0, 1 + random() * pending.length) : pending;
    const length = oneOf([this.#lastingLength, ...changes.map((change) => change.length)], random);
    let result = withRest(content, length, random);
    for (const change of changes)
      for (const write of kept === "first" ? [change] : blocksOf(change, kept === "pages" ? page : sector))
        if (kept === "first" || random() < 0.5) result = applied(result, write, length);
    return result;
  }

  #changeBy({ offset, bytes }: Write): Change {
    return { offset, bytes, length: Math.max(this.#length, offset + bytes.length) };
  }

  #putLasting({ offset, bytes }: Write, length = Math.max(this.#lastingLength, offset + bytes.length)): void {
    const needed = Math.max(length, offset + bytes.length);
    if (needed > this.#lasting.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#lasting.length));
      larger.set(this.#lasting);
      this.#lasting = larger;
    }
    this.#lasting.set(bytes, offset);
    this.#lastingLength = length;
    this.#lasting.fill(0, length);
  }
}

/** The parts of a change that lie outside of a range. */
function without(change: Change, from: number, to: number): Change[] {
  const { offset, bytes, length } = change;
  const end = offset + bytes.length;
  if (end <= from || offset >= to) return [change];
  const parts: Change[] = [];
  if (offset < from) parts.push({ offset, bytes: bytes.subarray(0, from - offset), length });
  if (end > to) parts.push({ offset: to, bytes: bytes.subarray(to - offset), length });
  return parts;
}

function* blocksOf({ offset, bytes }: Write, size: number): Generator<Write> {
  for (let at = 0; at < bytes.length; ) {
    const next = Math.min(bytes.length, at + size - ((offset + at) % size));
    yield { offset: offset + at, bytes: bytes.subarray(at, next) };
    at = next;
  }
}

/** A write in a file of a length: what lies beyond is not there. */
function applied(content: Uint8Array, { offset, bytes }: Write, length: number): Uint8Array {
  let result = content;
  if (result.length !== length) {
    result = new Uint8Array(length);
    result.set(content.subarray(0, length));
  }
  if (offset < length) result.set(bytes.subarray(0, length - offset), offset);
  return result;
}

/** Where a file became longer, but nothing was written, there are zeros, or what lay there on the disk. */
function withRest(content: Uint8Array, length: number, random: SeededRandom): Uint8Array {
  const result = new Uint8Array(length);
  result.set(content.subarray(0, length));
  if (random() < 0.5) for (let at = content.length; at < length; at += 1) result[at] = Math.floor(random() * 256);
  return result;
}

/** @returns `undefined` where the file is gone */
function anyContent(length: number, random: SeededRandom): Uint8Array | undefined {
  const kind = oneOf(["gone", "empty", "zeros", "anything"] as const, random);
  if (kind === "gone") return undefined;
  const content = new Uint8Array(kind === "empty" ? 0 : length);
  return kind === "anything" ? content.map(() => Math.floor(random() * 256)) : content;
}
