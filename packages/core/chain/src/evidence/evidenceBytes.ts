import { blake2b256Of, concatBytes, equalBytes } from "@vedette/crypto";
import { hashKey, type Justification } from "@vedette/protocol";
import type { SlashingEvidence } from "./SlashingEvidence.js";

/** The prefix of every block's extra bytes on a network that judges by evidence. @spec 40 §16.1 */
export const evidenceTag: Uint8Array = new TextEncoder().encode("evidence/1");

const hashLength = 32;
const validatorLength = 65;
const offenceLength = validatorLength + 2 * hashLength;
const noSecond = new Uint8Array(hashLength);

/** The content of a block's extra bytes on such a network. */
export interface EvidenceStatement {
  /** Hash over the justifications, 32 bytes; `undefined` for genesis, which has none. */
  readonly commitment: Uint8Array | undefined;
  /** In ascending order of the validators' keys. */
  readonly offences: readonly SlashingEvidence[];
}

/** Hash over the justifications in their order: what binds them to the block's hash. @spec 40 §16.1 */
export function commitmentTo(justifications: readonly Justification[]): Uint8Array {
  return blake2b256Of(justifications.flatMap(({ validator, latestBlockHash }) => [validator, latestBlockHash]));
}

/** The extra bytes of a block. @spec 40 §16.1 */
export function printEvidence(
  justifications: readonly Justification[],
  offences: readonly SlashingEvidence[],
): Uint8Array {
  const parts = offences.flatMap(({ validator, first, second }) => [validator, first, second ?? noSecond]);
  return concatBytes(evidenceTag, commitmentTo(justifications), ...parts);
}

/**
 * Reads the extra bytes of a block.
 *
 * @returns `undefined` for what is no statement, as on a network that judges by arrival
 * @spec 40 §16.1
 */
export function readEvidence(extraBytes: Uint8Array): EvidenceStatement | undefined {
  const tagLength = evidenceTag.length;
  if (!equalBytes(extraBytes.subarray(0, tagLength), evidenceTag)) return undefined;
  if (extraBytes.length === tagLength) return { commitment: undefined, offences: [] };
  const listed = extraBytes.length - tagLength - hashLength;
  if (listed < 0 || listed % offenceLength !== 0) return undefined;
  const bytes = Uint8Array.from(extraBytes);
  const offences: SlashingEvidence[] = [];
  for (let at = tagLength + hashLength; at < bytes.length; at += offenceLength) offences.push(readOffence(bytes, at));
  return { commitment: bytes.subarray(tagLength, tagLength + hashLength), offences };
}

function readOffence(bytes: Uint8Array, at: number): SlashingEvidence {
  const firstAt = at + validatorLength;
  const secondAt = firstAt + hashLength;
  const validator = bytes.subarray(at, firstAt);
  const second = bytes.subarray(secondAt, secondAt + hashLength);
  return {
    validator,
    validatorKey: hashKey(validator),
    first: bytes.subarray(firstAt, secondAt),
    second: equalBytes(second, noSecond) ? undefined : second,
  };
}
