import { compareSignedBytes, fromHex, SplittableRandom, toHex } from "@vedette/crypto";
import { GInt, ListParWithRandom, Par } from "@vedette/terms";
import { produceEvent } from "../event/eventHash.js";
import type { StateView } from "../history/StateView.js";
import { Datum } from "../leaf/Datum.js";
import type { NumberDifferences } from "./eventIndex.js";
import { MergeError } from "./MergeError.js";

const hashBytes = 32;
const entryBytes = hashBytes + 8;

/**
 * The value of a number channel in a state.
 *
 * @param channel hex of the channel hash
 * @returns 0 where the channel has no datum
 * @throws {MergeError} `numberChannel`
 * @spec 30 §A.6
 */
export function numberInState(state: StateView, channel: string): bigint {
  const data = state.data(fromHex(channel));
  if (data.length === 0) return 0n;
  const [datum] = data;
  if (datum === undefined || data.length > 1) {
    throw numberError(`a single value is expected on channel ${channel}, found ${data.length}`);
  }
  const [par, ...otherPars] = datum.a.pars;
  const [expr, ...otherExprs] = par?.exprs ?? [];
  if (expr?.kind !== "GInt" || otherPars.length > 0 || otherExprs.length > 0) {
    throw numberError(`channel ${channel} does not hold a single integer`);
  }
  return expr.value;
}

/**
 * The datum of a number channel after a merge, encoded.
 *
 * @param added the encoded data that the merged chains put there
 * @spec 30 §A.10
 * @throws {MergeError} `numberChannel`
 */
export function mergedNumber(channelHash: Uint8Array, value: bigint, added: readonly Uint8Array[]): Uint8Array {
  const data = new ListParWithRandom([Par.of({ exprs: [new GInt(value)] })], mergedRandom(added));
  return Datum.of(data, false, produceEvent(channelHash, data, false)).encoding;
}

/** One and the same for equal data; else the random states joined in the order of their bytes as signed numbers. */
function mergedRandom(added: readonly Uint8Array[]): Uint8Array {
  const data = [...new Map(added.map((item) => [toHex(item), item])).values()];
  const states = data.map((item) => Datum.decode(item).a.randomState);
  const [first] = states;
  if (first === undefined) throw numberError("no datum was added to it");
  if (states.length === 1) return first;
  const distinct = [...new Map(states.map((state) => [toHex(state), state])).values()].sort(compareSignedBytes);
  if (distinct.length === 1) throw numberError("different data with one random state were added to it");
  return SplittableRandom.merge(distinct.map((state) => SplittableRandom.fromBytes(state))).toBytes();
}

/** The key of a block's entry in the mergeable store. @spec 30 §A.7 */
export function mergeableKey(postState: Uint8Array, sender: Uint8Array, sequenceNumber: number): Uint8Array {
  const key = new Uint8Array(2 + postState.length + 2 + sender.length + 4);
  const view = new DataView(key.buffer);
  view.setUint16(0, postState.length);
  key.set(postState, 2);
  view.setUint16(2 + postState.length, sender.length);
  key.set(sender, 4 + postState.length);
  view.setInt32(key.length - 4, sequenceNumber);
  return key;
}

/**
 * Encodes the changes that each deploy of a block (user deploys, then system deploys) makes to number channels.
 * @spec 30 §A.7
 */
export function encodeMergeable(deploys: readonly NumberDifferences[]): Uint8Array {
  let length = 2;
  for (const deploy of deploys) length += 2 + deploy.size * entryBytes;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, deploys.length);
  let offset = 2;
  for (const deploy of deploys) {
    view.setUint16(offset, deploy.size);
    offset += 2;
    for (const [channel, difference] of deploy) {
      bytes.set(fromHex(channel), offset);
      view.setBigInt64(offset + hashBytes, difference);
      offset += entryBytes;
    }
  }
  return bytes;
}

/** Reads the number channels of a block's deploys. @spec 30 §A.7 @throws {MergeError} `mergeableMalformed` */
export function decodeMergeable(bytes: Uint8Array): NumberDifferences[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  const u16 = (): number => {
    if (offset + 2 > bytes.length) throw malformed("it is cut off");
    offset += 2;
    return view.getUint16(offset - 2);
  };
  const deploys: NumberDifferences[] = [];
  for (let left = u16(); left > 0; left -= 1) {
    const differences = new Map<string, bigint>();
    for (let channels = u16(); channels > 0; channels -= 1) {
      if (offset + entryBytes > bytes.length) throw malformed("it is cut off");
      differences.set(toHex(bytes.subarray(offset, offset + hashBytes)), view.getBigInt64(offset + hashBytes));
      offset += entryBytes;
    }
    deploys.push(differences);
  }
  if (offset !== bytes.length) throw malformed("more bytes follow");
  return deploys;
}

function malformed(detail: string): MergeError {
  return new MergeError({ code: "mergeableMalformed", detail });
}

function numberError(detail: string): MergeError {
  return new MergeError({ code: "numberChannel", detail });
}
