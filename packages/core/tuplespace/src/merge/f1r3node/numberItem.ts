import { compareBytes, F1r3nodeRandom, toHex } from "@vedette/crypto";
import { ProduceEvent } from "@vedette/protocol";
import {
  BincodeReader,
  f1r3nodeTerms,
  GInt,
  ListParWithRandom,
  Par,
  readStoredListParWithRandom,
} from "@vedette/terms";
import { bincodeProduceHash } from "../../bincode/bincodeHash.js";
import { decodeBincodeDatum, encodeBincodeDatum } from "../../bincode/bincodeLeaf.js";
import { MergeError } from "../MergeError.js";
import type { ItemState } from "./ItemState.js";

/** The number that an encoded datum is; `undefined` where it is not just one integer. @spec 61 §12.6 (step 5) */
export function numberOfItem(item: Uint8Array): bigint | undefined {
  const { pars } = contentOf(item);
  const [par, ...otherPars] = pars;
  const [expr, ...otherExprs] = par?.exprs ?? [];
  return expr?.kind === "GInt" && otherPars.length === 0 && otherExprs.length === 0 ? expr.value : undefined;
}

/**
 * The value of a number channel in a state, 0 where it has none.
 *
 * @throws {MergeError} `numberChannel` where there is more than one datum, or no number
 * @spec 61 §12.6 (step 3)
 */
export function numberIn(state: ItemState, channelHash: Uint8Array): bigint {
  const items = state.data(channelHash);
  if (items.length === 0) return 0n;
  const value = items.length === 1 ? numberOfItem(items[0]!) : undefined;
  if (value !== undefined) return value;
  throw numberError(`channel ${toHex(channelHash)} does not hold a single integer`);
}

/**
 * The datum of a number channel after a merge.
 *
 * @param added encoded data that the merged chains put there
 * @spec 61 §12.7
 * @throws {MergeError} `numberChannel`
 */
export function numberItem(channelHash: Uint8Array, value: bigint, added: readonly Uint8Array[]): Uint8Array {
  const randomState = mergedRandom(channelHash, added);
  const par = Par.of({ exprs: [new GInt(value)] });
  const content = f1r3nodeTerms.storedListParWithRandom(new ListParWithRandom([par], randomState));
  const source = new ProduceEvent(channelHash, bincodeProduceHash(channelHash, content, false), false);
  return encodeBincodeDatum({ content, persist: false, source });
}

/** The random state of the data if all are equal; otherwise the distinct ones, merged in the order of their bytes. */
function mergedRandom(channelHash: Uint8Array, added: readonly Uint8Array[]): Uint8Array {
  const data = new Map(added.map((item) => [toHex(item), item]));
  const states = new Map([...data.values()].map((item) => contentOf(item).randomState).map((one) => [toHex(one), one]));
  const sorted = [...states.values()].sort(compareBytes);
  const [first] = sorted;
  if (first === undefined) throw numberError(`nothing was added to channel ${toHex(channelHash)}`);
  if (data.size === 1) return first;
  return F1r3nodeRandom.merge(sorted.map((state) => F1r3nodeRandom.fromBytes(state))).toBytes();
}

function contentOf(item: Uint8Array): ListParWithRandom {
  return readStoredListParWithRandom(new BincodeReader(decodeBincodeDatum(item).content));
}

function numberError(detail: string): MergeError {
  return new MergeError({ code: "numberChannel", detail });
}
