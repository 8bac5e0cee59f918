import type { TermReader } from "./TermReader.js";

/**
 * Further occurrences of singular message fields of one message. Protobuf merges them, which is the same as
 * reading the contents of all occurrences one after the other as one message. Canonical bytes have none, so that
 * decoders make such an object only when a field comes a second time.
 *
 * @spec 20 §10 (rule 11)
 */
export class Repeats {
  private readonly fields: number[] = [];
  private readonly contents: Uint8Array[] = [];

  /** Records one more occurrence, with the reader at its length, and skips it. */
  static note(repeats: Repeats | undefined, field: number, reader: TermReader): Repeats {
    const noted = repeats ?? new Repeats();
    const end = reader.contentEnd();
    reader.countNode();
    noted.fields.push(field);
    noted.contents.push(reader.bytes.subarray(reader.position, end));
    reader.position = end;
    return noted;
  }

  /** The contents of all occurrences of a field, joined; `undefined` if there is only the first. */
  joined(field: number, first: Uint8Array, reader: TermReader): Uint8Array | undefined {
    const parts = this.contents.filter((_, index) => this.fields[index] === field);
    if (parts.length === 0) return undefined;
    const size = parts.reduce((sum, part) => sum + part.length, first.length);
    reader.countMerged(size);
    const joined = new Uint8Array(size);
    joined.set(first);
    let position = first.length;
    for (const part of parts) {
      joined.set(part, position);
      position += part.length;
    }
    return joined;
  }
}

/** Passes over the first occurrence of a singular message field; its place is for {@link readMarked}. */
export function mark(reader: TermReader): number {
  const place = reader.position;
  reader.position = reader.contentEnd();
  return place;
}

/** Reads the message of a field that was marked, with its repeats; the reader stays where it is. */
export function readMarked<Message>(
  reader: TermReader,
  place: number,
  field: number,
  repeats: Repeats | undefined,
  read: (reader: TermReader) => Message,
): Message {
  const { bytes, position, end } = reader;
  reader.countNode();
  reader.position = place;
  reader.end = reader.contentEnd();
  if (repeats !== undefined) {
    const joined = repeats.joined(field, bytes.subarray(reader.position, reader.end), reader);
    if (joined !== undefined) {
      reader.bytes = joined;
      reader.position = 0;
      reader.end = joined.length;
    }
  }
  const message = read(reader);
  reader.bytes = bytes;
  reader.position = position;
  reader.end = end;
  return message;
}
