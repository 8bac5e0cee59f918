/** A floating-point number of 64 bits, on f1r3node networks. @spec 20 §14.2 (field g_double) */
export class GDouble {
  readonly kind = "GDouble";
  /** @param bits its IEEE-754 form, unsigned: a number would not keep the payload of a NaN */
  constructor(readonly bits: bigint) {}
}

/** An integer of any size, on f1r3node networks. @spec 20 §14.2 (field g_big_int) */
export class GBigInt {
  readonly kind = "GBigInt";
  /** @param value two's complement, the highest byte first, as it came */
  constructor(readonly value: Uint8Array) {}
}

/** A quotient, on f1r3node networks. @spec 20 §14.2 (message GBigRational) */
export class GBigRational {
  readonly kind = "GBigRational";
  constructor(
    /** As the value of a {@link GBigInt}. */
    readonly numerator: Uint8Array,
    readonly denominator: Uint8Array,
  ) {}
}

/** A decimal fraction, on f1r3node networks. @spec 20 §14.2 (message GFixedPoint) */
export class GFixedPoint {
  readonly kind = "GFixedPoint";
  constructor(
    /** As the value of a {@link GBigInt}; in units of the last decimal place. */
    readonly unscaled: Uint8Array,
    /** Number of decimal places. */
    readonly scale: number,
  ) {}
}
