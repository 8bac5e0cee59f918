import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";
import { shortHash } from "@vedette/protocol";

/** The faults of an update. @spec 70 §5 */
export type LightFailure =
  | { readonly code: "form"; readonly field: string; readonly problem: string }
  | { readonly code: "tooLarge"; readonly what: "blocks" | "bytes"; readonly limit: number }
  | { readonly code: "block"; readonly index: number; readonly problem: string }
  | { readonly code: "otherGenesis"; readonly claimed: Uint8Array; readonly expected: Uint8Array }
  | { readonly code: "otherShard"; readonly index: number; readonly claimed: string; readonly trusted: string }
  | { readonly code: "unknownRules"; readonly text: string }
  | { readonly code: "targetMissing"; readonly target: Uint8Array }
  | { readonly code: "notNewer"; readonly number: bigint; readonly trusted: bigint }
  | { readonly code: "parentMissing"; readonly parent: Uint8Array }
  | { readonly code: "otherChain"; readonly claimed: Uint8Array; readonly trusted: Uint8Array; readonly number: bigint }
  | { readonly code: "notFinal"; readonly bonds: "trusted" | "stated"; readonly target: Uint8Array }
  | { readonly code: "path"; readonly index: number; readonly problem: string }
  | { readonly code: "piece"; readonly hash: Uint8Array }
  | { readonly code: "checkpoint"; readonly field: string; readonly claimed: string; readonly actual: string }
  | { readonly code: "trustExpired"; readonly ageMs: bigint; readonly maxAgeMs: bigint };

/** An update does not show what it claims. @spec 70 §5 */
export class LightError extends errorClass("LightError", sentence) {}

function sentence(failure: LightFailure): string {
  switch (failure.code) {
    case "form":
      return `invalid update: ${failure.field} ${failure.problem}`;
    case "tooLarge":
      return `answer refused: more than ${failure.limit} ${failure.what}`;
    case "block":
      return `invalid block ${failure.index} of the update: ${failure.problem}`;
    case "otherGenesis":
      return `block ${toHex(failure.claimed)} is not the trusted block ${toHex(failure.expected)}`;
    case "otherShard":
      return `block ${failure.index} of the update belongs to shard ${JSON.stringify(failure.claimed.slice(0, 64))}, not to ${JSON.stringify(failure.trusted)}`;
    case "unknownRules":
      return failure.text;
    case "targetMissing":
      return `the update lacks its target ${shortHash(failure.target)}`;
    case "notNewer":
      return `the update's target has number ${failure.number}; the trusted block has ${failure.trusted}`;
    case "parentMissing":
      return `the update lacks the target's main parent ${shortHash(failure.parent)}, which has the bonds that decide`;
    case "otherChain":
      return `the update's target builds on block ${shortHash(failure.claimed)} at number ${failure.number}, not on the trusted block ${shortHash(failure.trusted)}: validators have finalized two chains, or the trusted block is wrong`;
    case "notFinal":
      return `the update does not show that ${shortHash(failure.target)} is final by the ${failure.bonds} bonds`;
    case "path":
      return `invalid block ${failure.index} of the path: ${failure.problem}`;
    case "piece":
      return `the bytes that were sent as the piece ${toHex(failure.hash)} of a state are not that piece`;
    case "checkpoint":
      return `the checkpoint states ${failure.field} ${failure.claimed}; its block has ${failure.actual}`;
    case "trustExpired":
      return `the trusted block is ${failure.ageMs} ms old, more than ${failure.maxAgeMs}: get a newer checkpoint from a source you trust`;
  }
}
