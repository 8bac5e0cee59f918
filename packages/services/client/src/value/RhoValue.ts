import { fromHex, toHex } from "@vedette/crypto";
import type { RhoNumber } from "./RhoNumber.js";
import { ValueError } from "./ValueError.js";

/**
 * A Rholang value as a JavaScript value: `Nil` is null, integers are `bigint`, byte arrays `Uint8Array`, lists arrays,
 * sets `Set`, maps `Map`; other values are objects of the classes below.
 *
 * Elements of a `Set` and keys of a `Map` that are objects are compared by identity, so look them up by iterating.
 *
 * @spec 50 §1.8
 */
export type RhoValue =
  | null
  | boolean
  | bigint
  | string
  | Uint8Array
  | RhoNumber
  | RhoUri
  | RhoTuple
  | RhoUnforgeable
  | RhoPar
  | readonly RhoValue[]
  | ReadonlySet<RhoValue>
  | ReadonlyMap<RhoValue, RhoValue>;

/**
 * The inputs accepted as a Rholang value: also numbers that are integers, and plain objects, which become maps with
 * text keys. Tuples and parallel values may hold such things, too.
 */
export type RhoInput =
  | RhoValue
  | number
  | RhoTuple<readonly RhoInput[]>
  | RhoPar<readonly RhoInput[]>
  | readonly RhoInput[]
  | ReadonlySet<RhoInput>
  | ReadonlyMap<RhoInput, RhoInput>
  | { readonly [key: string]: RhoInput };

/** A URI such as `rho:registry:lookup`. */
export class RhoUri {
  readonly kind = "uri";
  constructor(readonly uri: string) {}
}

/** A tuple; it has one element or more. */
export class RhoTuple<Items extends readonly unknown[] = readonly RhoValue[]> {
  readonly kind = "tuple";
  readonly items: Items;
  constructor(...items: Items) {
    this.items = items;
  }

  /** Makes a tuple of a list that may be too long for arguments. */
  static of<Items extends readonly unknown[]>(items: Items): RhoTuple<Items> {
    const empty: { items: readonly unknown[] } = new RhoTuple();
    empty.items = items;
    return empty as RhoTuple<Items>;
  }
}

/** Several values side by side on one channel. */
export class RhoPar<Items extends readonly unknown[] = readonly RhoValue[]> {
  readonly kind = "par";
  readonly items: Items;
  constructor(...items: Items) {
    this.items = items;
  }

  /** Makes a parallel value of a list that may be too long for arguments. */
  static of<Items extends readonly unknown[]>(items: Items): RhoPar<Items> {
    const empty: { items: readonly unknown[] } = new RhoPar();
    empty.items = items;
    return empty as RhoPar<Items>;
  }
}

/** A name made by `new`, the id of a deploy (its signature), or of a deployer (its public key). */
export type UnforgeableKind = "private" | "deploy" | "deployer";

/** An unforgeable name. */
export class RhoUnforgeable {
  readonly kind = "unforgeable";
  /** Lower-case hex digits. */
  readonly hex: string;

  /** @throws {ValueError} `badHex` */
  constructor(
    readonly of: UnforgeableKind,
    id: string | Uint8Array,
  ) {
    this.hex = typeof id === "string" ? requireHex(id) : toHex(id);
  }

  get bytes(): Uint8Array {
    return fromHex(this.hex);
  }
}

/** Deepest value that is converted. Programs send no deeper ones, and recursion must end. */
const deepestValue = 500;

const largest = 2n ** 63n - 1n;

/** @throws {ValueError} `notInteger`, `outOfRange` */
export function requireInt64(value: bigint | number): bigint {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new ValueError({ code: "notInteger", value });
  const integer = BigInt(value);
  if (integer > largest || integer < -largest - 1n) throw new ValueError({ code: "outOfRange", value: integer });
  return integer;
}

/** @throws {ValueError} `loneSurrogate` */
export function requireText(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new ValueError({ code: "loneSurrogate" });
  return text;
}

/** @returns in lower case. @throws {ValueError} `badHex` */
export function requireHex(text: string): string {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) throw new ValueError({ code: "badHex", text });
  return text.toLowerCase();
}

/** @throws {ValueError} `tooDeep` */
export function checkDepth(depth: number): void {
  if (depth > deepestValue) throw new ValueError({ code: "tooDeep", limit: deepestValue });
}
