import type { ProtoReader } from "./ProtoReader.js";
import type { ProtoWriter } from "./ProtoWriter.js";
import { WireError } from "./WireError.js";

/**
 * Rules for sub-messages that a message always has: whether an empty one is written, and whether a message without one
 * is read.
 *
 * @spec 40 §1.1, 61 §1.2
 */
export interface Presence {
  /** Writes such a sub-message that is encoded already. */
  write(writer: ProtoWriter, tag: number, encoded: Uint8Array): void;
  /** Closes one that was opened with `begin`. */
  finish(writer: ProtoWriter, start: number): void;
  /** Returns the end of the message with the tag that was just read. */
  end(reader: ProtoReader, limit: number): number;
  /** Judges a message in which `found` is what was read of it. @throws {WireError} `missingField` */
  check(found: unknown, field: string): void;
}

/** Empty and absent are the same, and not written. @spec 40 §1.1 */
export const absentWhenEmpty: Presence = {
  write: (writer, tag, encoded) => writer.bytesField(tag, encoded),
  finish: (writer, start) => writer.finishSingular(start),
  end(reader, limit) {
    const end = reader.end(limit);
    if (end === reader.offset) reader.canonical = false;
    return end;
  },
  check() {},
};

/** Always written; a message without it is refused. @spec 61 §1.2 */
export const alwaysPresent: Presence = {
  write: (writer, tag, encoded) => writer.bytesElement(tag, encoded),
  finish: (writer, start) => writer.finishMember(start),
  end: (reader, limit) => reader.end(limit),
  check(found, field) {
    if (found === undefined) throw new WireError({ code: "missingField", field });
  },
};
