import { blake2b256, compareByLengthThenBytes } from "@vedette/crypto";
import { decodePar, encodePar, type Par } from "@vedette/terms";
import { BitReader } from "./BitReader.js";
import { encodeVector } from "./itemList.js";
import { corrupted } from "./LeafError.js";

const prefixBytes = 8;

/**
 * A list of channels on which continuations wait together, as the history keeps it.
 *
 * Quirk 30 §1.10(1): the channels are in the order of their encodings; the order in which the receive bound them is
 * lost.
 *
 * @spec 30 §1.1, §4.3
 */
export class Join {
  readonly encoding: Uint8Array;
  private readonly parts: readonly Uint8Array[];
  private pars: Par[] | undefined = undefined;
  private hashes: Uint8Array[] | undefined = undefined;

  protected constructor(encoding: Uint8Array, parts: readonly Uint8Array[]) {
    this.encoding = encoding;
    this.parts = parts;
  }

  /** @throws {LeafError} `corrupted` */
  static decode(encoding: Uint8Array): Join {
    const reader = new BitReader(encoding);
    const count = reader.count(2 * prefixBytes);
    const parts: Uint8Array[] = [];
    for (let i = 0; i < count; i += 1) parts.push(new BitReader(reader.prefixed()).prefixed());
    if (count === 0) throw corrupted("A join has no channels.");
    return new Join(encoding, parts);
  }

  /** How many channels it has. */
  get size(): number {
    return this.parts.length;
  }

  /** @throws {LeafError} `corrupted` */
  get channels(): readonly Par[] {
    return (this.pars ??= this.parts.map((_, index) => this.decodeChannel(index)));
  }

  /** @spec 30 §2.1 */
  get channelHashes(): readonly Uint8Array[] {
    return (this.hashes ??= this.parts.map((part) => blake2b256(part)));
  }

  /** @throws {LeafError} `corrupted` */
  decodeChannel(index: number): Par {
    const known = this.pars?.[index];
    if (known !== undefined) return known;
    const part = this.parts[index]!;
    try {
      const channel = this.readChannel(part);
      channel.cachedHash ??= this.channelHashes[index]!;
      return channel;
    } catch (cause) {
      throw corrupted("A channel of a join cannot be read.", cause);
    }
  }

  /** Replaced by another form of states. @throws {DecodeError} */
  protected readChannel(part: Uint8Array): Par {
    const channel = decodePar(part);
    channel.cachedEncoding ??= part;
    return channel;
  }
}

/** The encoding of one join, whatever the order of its channels. @spec 30 §4.3 */
export function encodeJoin(channels: readonly Par[]): Uint8Array {
  const parts = channels.map((channel) => prefixed(encodePar(channel)));
  if (parts.length > 1) parts.sort(compareByLengthThenBytes);
  return encodeVector(parts);
}

function prefixed(part: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(prefixBytes + part.length);
  new DataView(bytes.buffer).setInt32(4, part.length);
  bytes.set(part, prefixBytes);
  return bytes;
}
