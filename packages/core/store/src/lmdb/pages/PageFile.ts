import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The size of a page's head; a long value has one on its first page only. */
export const pageHeadBytes = 24;

/** Kinds of pages, by their flags. */
export const pageFlags = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08 } as const;

/** The head of a page. */
export interface PageHead {
  readonly number: number;
  /** The transaction that wrote it. */
  readonly transaction: number;
  readonly flags: number;
  /** For a branch or a leaf: bytes of the list of its entries, and where the entries begin, both behind the head. */
  readonly lower: number;
  readonly upper: number;
  /** The number of pages of a long value. */
  readonly count: number;
}

/** A number of 8 bytes; what does not fit into one of JavaScript's is none of ours, and infinite. */
export function readNumber(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
}

export function readPageHead(page: Buffer): PageHead {
  return {
    ...{ number: readNumber(page, 0), transaction: readNumber(page, 8), flags: page.readUInt16LE(18) },
    ...{ lower: page.readUInt16LE(20), upper: page.readUInt16LE(22), count: page.readUInt32LE(20) },
  };
}

/** The bytes of an LMDB file, wherever they are. */
export interface PageSource {
  readonly sizeBytes: number;
  /** @returns `undefined` where the file ends before */
  read(at: number, lengthBytes: number): Buffer | undefined;
}

/** The pages of an LMDB file, read past the library: whatever the file holds, reading it ends with an answer. */
export class PageFile implements PageSource, Disposable {
  readonly #descriptor: number;
  readonly sizeBytes: number;

  /** @throws the file system's error */
  constructor(path: string) {
    this.#descriptor = openSync(path, "r");
    this.sizeBytes = fstatSync(this.#descriptor).size;
  }

  read(at: number, lengthBytes: number): Buffer | undefined {
    if (!Number.isSafeInteger(at) || at + lengthBytes > this.sizeBytes) return undefined;
    const bytes = Buffer.allocUnsafe(lengthBytes);
    let read = 0;
    while (read < lengthBytes) {
      const more = readSync(this.#descriptor, bytes, read, lengthBytes - read, at + read);
      if (more === 0) return undefined;
      read += more;
    }
    return bytes;
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
