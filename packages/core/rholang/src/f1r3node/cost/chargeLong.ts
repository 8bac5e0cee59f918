import type { Charger } from "../../cost/Phlo.js";

/** Beyond this no balance lasts, or none is left to be filled up further. */
const most = 2n ** 53n - 1n;

/** A balance that can be charged with any integer of 64 bits. */
export interface LongCharger extends Charger {
  chargeLong(amount: bigint): void;
}

/**
 * Charges an amount that a program names; a negative one gives phlo back.
 *
 * @throws {InterpreterError} `OutOfPhlogistonsError`
 * @spec 22 §9
 */
export function chargeLong(phlo: Charger & Partial<LongCharger>, amount: bigint): void {
  if (amount <= most && amount >= -most) phlo.charge(Number(amount));
  else if (phlo.chargeLong !== undefined) phlo.chargeLong(amount);
  else phlo.charge(Number(amount > 0n ? most : -most));
}
