import { compareBytes, compareSignedBytes } from "@vedette/crypto";
import type { Unforgeable } from "../model/Unforgeable.js";
import type { Var } from "../model/Var.js";
import { compareUtf8 } from "./compareUtf8.js";
import { unforgeableRank } from "./ranks.js";

/** How a dialect orders the leaves of scores that are texts and byte strings. @spec 20 §9.1, §14.3 */
export interface AtomOrder {
  readonly texts: (left: string, right: string) => number;
  readonly bytes: (left: Uint8Array, right: Uint8Array) => number;
}

/** Order of two texts as in Java: by UTF-16 unit, then by length. @spec 20 §9.1 */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** rnode's order of atoms. @spec 20 §9.1 */
export const rnodeAtoms: AtomOrder = { texts: compareTexts, bytes: compareSignedBytes };

/** f1r3node's order of atoms. @spec 20 §14.3 */
export const f1r3nodeAtoms: AtomOrder = { texts: compareUtf8, bytes: compareBytes };

/** Order of two 64-bit integers. */
export function compareLongs(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Order of two flags: false first. */
export function compareFlags(left: boolean, right: boolean): number {
  if (left === right) return 0;
  return left ? 1 : -1;
}

/** Order of two variables: bound, free, wildcard; one without a member comes before all. @spec 20 §9.3 */
export function compareVars(left: Var, right: Var): number {
  const byKind = varRank(left) - varRank(right);
  if (byKind !== 0) return byKind;
  if (left.kind !== "BoundVar" && left.kind !== "FreeVar") return 0;
  return left.index - (right as typeof left).index;
}

/** Order of two remainders: an absent one first. */
export function compareRemainders(left: Var | undefined, right: Var | undefined): number {
  if (left === right) return 0;
  if (left === undefined) return -1;
  return right === undefined ? 1 : compareVars(left, right);
}

/** As {@link compareRemainders}, where a missing remainder and one without a member are the same leaf. */
export function compareBindRemainders(left: Var | undefined, right: Var | undefined): number {
  const isLeftLeaf = left === undefined || left.kind === "EmptyVar";
  const isRightLeaf = right === undefined || right.kind === "EmptyVar";
  if (isLeftLeaf || isRightLeaf) return compareFlags(!isLeftLeaf, !isRightLeaf);
  return compareVars(left, right);
}

/** Order of unforgeable names. @spec 20 §9.3 */
export function compareUnforgeables(left: Unforgeable, right: Unforgeable, atoms: AtomOrder): number {
  const byRank = unforgeableRank(left) - unforgeableRank(right);
  if (byRank !== 0) return byRank;
  switch (left.kind) {
    case "GPrivate":
      return atoms.bytes(left.id, (right as typeof left).id);
    case "GDeployerId":
      return atoms.bytes(left.publicKey, (right as typeof left).publicKey);
    case "GDeployId":
      return atoms.bytes(left.signature, (right as typeof left).signature);
    default:
      return 0;
  }
}

function varRank(v: Var): number {
  switch (v.kind) {
    case "EmptyVar":
      return 0;
    case "BoundVar":
      return 50;
    case "FreeVar":
      return 51;
    case "Wildcard":
      return 52;
  }
}
