import { type BitSet, emptyBitSet } from "../model/BitSet.js";
import { absentPar, noInjections, none, type Par } from "../model/Par.js";
import { DecodeError } from "../wire/DecodeError.js";
import type { DecodeLimits } from "../wire/DecodeLimits.js";
import { PieceReader } from "../wire/PieceReader.js";
import { takePar } from "./decodeTerm.js";
import type { FieldSource, Take } from "./FieldSource.js";

/** Tag → where the values begin, in the order of the bytes. */
type Places = Map<number, number[]>;

const noPlaces: Places = new Map();

/**
 * Reads messages from protobuf: what comes twice counts or merges as in chapter 20, what is unknown is passed over.
 *
 * @spec 20 §10 (rule 11), 61 §2
 */
export class ProtobufSource implements FieldSource {
  private readonly reader: PieceReader;
  /** The places of the message that is being read. */
  private places: Places = noPlaces;

  constructor(bytes: Uint8Array, limits: DecodeLimits) {
    this.reader = new PieceReader(bytes, limits);
  }

  /** The message of all bytes. */
  whole<Message>(take: Take<Message>): Message {
    this.places = this.scan();
    return take(this);
  }

  member(fields: readonly number[]): number {
    let found = 0;
    let last = -1;
    for (const [tag, places] of this.places) {
      const place = places[places.length - 1]!;
      if (place <= last || !fields.includes(tag >>> 3)) continue;
      found = tag >>> 3;
      last = place;
    }
    return found;
  }

  bool(field: number): boolean {
    return this.scalar(field, 0) && this.reader.bool();
  }

  sint32(field: number): number {
    return this.scalar(field, 0) ? this.reader.sint32() : 0;
  }

  int64(field: number): bigint {
    return this.scalar(field, 0) ? this.reader.int64() : 0n;
  }

  sint64(field: number): bigint {
    return this.scalar(field, 0) ? this.reader.sint64() : 0n;
  }

  fixed64(field: number): bigint {
    return this.scalar(field, 1) ? this.reader.fixed64() : 0n;
  }

  text(field: number): string {
    return this.scalar(field, 2) ? this.reader.text() : "";
  }

  byteString(field: number): Uint8Array {
    return this.scalar(field, 2) ? this.reader.content() : emptyBitSet;
  }

  nothing(): void {}

  flag(field: number): boolean {
    return this.bool(field);
  }

  count(field: number): number {
    return this.scalar(field, 0) ? this.reader.int32() : 0;
  }

  scale(field: number): number {
    return this.scalar(field, 0) ? this.reader.uint32() : 0;
  }

  index(field: number): number {
    return this.sint32(field);
  }

  name(field: number): string {
    return this.text(field);
  }

  content(field: number): Uint8Array {
    return this.byteString(field);
  }

  indices(field: number): BitSet {
    return this.byteString(field);
  }

  term(field: number): Par {
    return this.optional(field, takePar) ?? absentPar;
  }

  optionalTerm(field: number): Par | undefined {
    return this.optional(field, takePar);
  }

  terms(field: number): readonly Par[] {
    return this.messages(field, takePar);
  }

  message<Message>(field: number, take: Take<Message>): Message {
    const message = this.optional(field, take);
    // A member that was found has a place: only bytes of another wire type lead here.
    if (message === undefined) throw new DecodeError({ code: "badTag", offset: this.reader.position });
    return message;
  }

  optional<Message>(field: number, take: Take<Message>): Message | undefined {
    const places = this.places.get((field << 3) | 2);
    if (places === undefined) return undefined;
    return places.length === 1 ? this.at(places[0]!, take) : this.merged(places, take);
  }

  messages<Message>(field: number, take: Take<Message>): readonly Message[] {
    return this.list(field, (place) => this.at(place, take));
  }

  texts(field: number): readonly string[] {
    return this.list(field, (place) => {
      this.reader.countNode();
      this.reader.position = place;
      return this.reader.text();
    });
  }

  contents(field: number): readonly Uint8Array[] {
    return this.list(field, (place) => {
      this.reader.countNode();
      this.reader.position = place;
      return this.reader.content();
    });
  }

  entries(field: number): ReadonlyMap<string, Par> {
    const entries = this.messages(field, takeEntry);
    return entries.length === 0 ? noInjections : new Map(entries);
  }

  private list<Element>(field: number, readOne: (place: number) => Element): readonly Element[] {
    const places = this.places.get((field << 3) | 2);
    return places === undefined ? none : places.map(readOne);
  }

  /** Goes to the last value of a field; its end was checked before. */
  private scalar(field: number, wireType: number): boolean {
    const places = this.places.get((field << 3) | wireType);
    if (places === undefined) return false;
    this.reader.position = places[places.length - 1]!;
    return true;
  }

  /** Reads the message that has its length at a place. */
  private at<Message>(place: number, take: Take<Message>): Message {
    const { reader, places } = this;
    reader.position = place;
    const outer = reader.enter();
    this.places = this.scan();
    const message = take(this);
    reader.leave(outer);
    this.places = places;
    return message;
  }

  /** A message of which the bytes have several: that of their contents in a row. */
  private merged<Message>(several: readonly number[], take: Take<Message>): Message {
    const { reader, places } = this;
    const { bytes, end } = reader;
    const contents = several.map((place) => {
      reader.countNode();
      reader.position = place;
      return reader.content();
    });
    const joined = new Uint8Array(contents.reduce((size, content) => size + content.length, 0));
    reader.countMerged(joined.length);
    let position = 0;
    for (const content of contents) {
      joined.set(content, position);
      position += content.length;
    }
    reader.bytes = joined;
    reader.position = 0;
    reader.end = joined.length;
    this.places = this.scan();
    const message = take(this);
    reader.bytes = bytes;
    reader.end = end;
    this.places = places;
    return message;
  }

  /** Where the fields of the message in the reader's window are. */
  private scan(): Places {
    const { reader } = this;
    const places: Places = new Map();
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      const known = places.get(tag);
      if (known === undefined) places.set(tag, [reader.position]);
      else known.push(reader.position);
      reader.skip(tag);
    }
    return places;
  }
}

function takeEntry(source: FieldSource): readonly [string, Par] {
  return [source.name(1), source.term(2)];
}
