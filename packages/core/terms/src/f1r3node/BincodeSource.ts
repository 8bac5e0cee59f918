import type { BincodeReader } from "../bincode/BincodeReader.js";
import { type BitSet, emptyBitSet } from "../model/BitSet.js";
import { absentPar, noInjections, none, type Par } from "../model/Par.js";
import { DecodeError } from "../wire/DecodeError.js";
import { takePar } from "./decodeTerm.js";
import type { FieldSource, Take } from "./FieldSource.js";

/** Reads messages from bincode; the byte strings that it gives are views. @spec 61 §2 */
class BincodeSource implements FieldSource {
  constructor(private readonly reader: BincodeReader) {}

  member(fields: readonly number[]): number {
    if (!this.reader.bool()) return 0;
    const start = this.reader.position;
    const field = fields[this.reader.int32()];
    if (field === undefined) throw new DecodeError({ code: "badTag", offset: start });
    return field;
  }

  bool(): boolean {
    return this.reader.bool();
  }

  sint32(): number {
    return this.reader.int32();
  }

  int64(): bigint {
    return this.reader.int64();
  }

  sint64(): bigint {
    return this.reader.int64();
  }

  fixed64(): bigint {
    return BigInt.asUintN(64, this.reader.int64());
  }

  text(): string {
    return this.reader.text();
  }

  byteString(): Uint8Array {
    return this.reader.counted();
  }

  nothing(): void {}

  flag(): boolean {
    return this.reader.bool();
  }

  count(): number {
    return this.reader.int32();
  }

  scale(): number {
    return this.reader.int32() >>> 0;
  }

  index(): number {
    return this.reader.int32();
  }

  name(): string {
    return this.reader.text();
  }

  content(): Uint8Array {
    return this.reader.counted();
  }

  indices(): BitSet {
    const start = this.reader.position;
    if (this.reader.count() !== 0) throw new DecodeError({ code: "badTag", offset: start });
    return emptyBitSet;
  }

  term(): Par {
    return this.reader.bool() ? takePar(this) : absentPar;
  }

  optionalTerm(): Par | undefined {
    return this.reader.bool() ? takePar(this) : undefined;
  }

  terms(field: number): readonly Par[] {
    return this.messages(field, takePar);
  }

  message<Message>(_: number, take: Take<Message>): Message {
    return take(this);
  }

  optional<Message>(_: number, take: Take<Message>): Message | undefined {
    return this.reader.bool() ? take(this) : undefined;
  }

  messages<Message>(_: number, take: Take<Message>): readonly Message[] {
    const count = this.reader.count();
    if (count === 0) return none;
    if (count === 1) return [take(this)];
    const list: Message[] = [];
    for (let left = count; left > 0; left -= 1) list.push(take(this));
    return list;
  }

  texts(): readonly string[] {
    return this.list(() => this.reader.text());
  }

  contents(): readonly Uint8Array[] {
    return this.list(() => this.reader.counted());
  }

  entries(): ReadonlyMap<string, Par> {
    const count = this.reader.count();
    if (count === 0) return noInjections;
    const entries = new Map<string, Par>();
    for (let left = count; left > 0; left -= 1) entries.set(this.reader.text(), takePar(this));
    return entries;
  }

  private list<Element>(readOne: () => Element): readonly Element[] {
    const count = this.reader.count();
    if (count === 0) return none;
    const list: Element[] = [];
    for (let left = count; left > 0; left -= 1) list.push(readOne());
    return list;
  }
}

/**
 * Reads the message at a reader's position, and moves the reader behind it.
 *
 * @throws {DecodeError} for bytes that are no such message, or one that is nested too deeply
 */
export function fromReader<Message>(reader: BincodeReader, take: Take<Message>): Message {
  try {
    return take(new BincodeSource(reader));
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError({ code: "tooDeep" }, { cause: error });
    throw error;
  }
}
