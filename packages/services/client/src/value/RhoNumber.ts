/** A floating-point number. f1r3node networks have it alone, as the other numbers of this file. */
export class RhoDouble {
  readonly kind = "double";
  /** @param value from JSON NaN for all that are no finite number */
  constructor(readonly value: number) {}
}

/** An integer of any size; a `bigint` is one of 64 bits. */
export class RhoBigInt {
  readonly kind = "bigInt";
  constructor(readonly value: bigint) {}
}

/** A quotient. */
export class RhoRational {
  readonly kind = "rational";
  constructor(
    readonly numerator: bigint,
    readonly denominator: bigint,
  ) {}
}

/** A decimal fraction. */
export class RhoFixedPoint {
  readonly kind = "fixedPoint";
  constructor(
    /** In units of the last place. */
    readonly unscaled: bigint,
    /** Decimal places. */
    readonly scale: number,
  ) {}
}

/** A number that is no integer of 64 bits. @spec 50 §10.1 */
export type RhoNumber = RhoDouble | RhoBigInt | RhoRational | RhoFixedPoint;

export function isRhoNumber(value: object): value is RhoNumber {
  return [RhoDouble, RhoBigInt, RhoRational, RhoFixedPoint].some((one) => value instanceof one);
}
