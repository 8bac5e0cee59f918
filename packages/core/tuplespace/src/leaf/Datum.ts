import { ProduceEvent } from "@vedette/protocol";
import { decodeListParWithRandom, encodeListParWithRandom, type ListParWithRandom } from "@vedette/terms";
import { BitReader } from "./BitReader.js";
import { BitWriter } from "./BitWriter.js";
import { corrupted } from "./LeafError.js";

/** Bits of a datum's encoding beside its content and outputs. */
const frameBits = 64 + 1 + 256 + 256 + 1 + 1 + 32 + 1;

/**
 * The datum that one produce left on a channel.
 *
 * One that comes from the history keeps its bytes, and decodes each part when it is first read. It is immutable and
 * shared between blocks.
 *
 * @spec 30 §1.1, §4.3
 */
export class Datum {
  readonly persist: boolean;
  private content: ListParWithRandom | undefined;
  private event: ProduceEvent | undefined;
  private bytes: Uint8Array | undefined;

  protected constructor(
    persist: boolean,
    content: ListParWithRandom | undefined,
    event: ProduceEvent | undefined,
    bytes: Uint8Array | undefined,
  ) {
    this.persist = persist;
    this.content = content;
    this.event = event;
    this.bytes = bytes;
  }

  static of(content: ListParWithRandom, persist: boolean, source: ProduceEvent): Datum {
    return new Datum(persist, content, source, undefined);
  }

  /** @throws {LeafError} `corrupted` */
  static decode(bytes: Uint8Array): Datum {
    const reader = new BitReader(bytes);
    reader.prefixed();
    return new Datum(reader.bit(), undefined, undefined, bytes);
  }

  /** @throws {LeafError} `corrupted` */
  get a(): ListParWithRandom {
    if (this.content === undefined) this.content = this.readContent(this.bytes!);
    return this.content;
  }

  /** @throws {LeafError} `corrupted` */
  get source(): ProduceEvent {
    if (this.event === undefined) this.event = this.readSource(this.bytes!);
    return this.event;
  }

  get encoding(): Uint8Array {
    if (this.bytes === undefined) this.bytes = this.write();
    return this.bytes;
  }

  /** These three are what another form of states replaces. @throws {LeafError} `corrupted` */
  protected readContent(bytes: Uint8Array): ListParWithRandom {
    return decodeContent(bytes);
  }

  protected readSource(bytes: Uint8Array): ProduceEvent {
    return decodeSource(bytes);
  }

  protected write(): Uint8Array {
    return encodeDatum(this.a, this.persist, this.source);
  }
}

function encodeDatum(content: ListParWithRandom, persist: boolean, source: ProduceEvent): Uint8Array {
  const contentBytes = encodeListParWithRandom(content);
  let outputBytes = 0;
  for (const output of source.outputValue) outputBytes += output.length;
  const writer = new BitWriter(frameBits + (contentBytes.length + outputBytes) * 8);
  writer.prefixed(contentBytes);
  writer.bit(persist);
  writer.raw(source.channelsHash);
  writer.raw(source.hash);
  writer.bit(source.persistent);
  writer.bit(source.isDeterministic);
  writer.i32(source.outputValue.length);
  for (const output of source.outputValue) writer.raw(output);
  writer.bit(source.failed);
  return writer.finish();
}

function decodeContent(bytes: Uint8Array): ListParWithRandom {
  const contentBytes = new BitReader(bytes).prefixed();
  try {
    const content = decodeListParWithRandom(contentBytes);
    content.cachedEncoding ??= contentBytes;
    return content;
  } catch (cause) {
    throw corrupted(`The content of a datum is no list of processes.`, cause);
  }
}

function decodeSource(bytes: Uint8Array): ProduceEvent {
  const reader = new BitReader(bytes);
  reader.prefixed();
  reader.bit();
  const channelsHash = reader.raw(32);
  const hash = reader.raw(32);
  const persistent = reader.bit();
  const isDeterministic = reader.bit();
  // Quirk 30 §4.3: outputs are stored without their lengths, so only an empty list can be read again.
  if (reader.count(0) !== 0) throw corrupted("The source of a datum has outputs.");
  return new ProduceEvent(channelsHash, hash, persistent, isDeterministic, [], reader.bit());
}
