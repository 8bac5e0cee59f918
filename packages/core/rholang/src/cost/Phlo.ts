import type { Receive, Send } from "@vedette/terms";
import { outOfPhlogistons } from "../InterpreterError.js";
import type { WorkMeter } from "../match/WorkMeter.js";

/** The balance that charges are taken from; the matcher, substitution and expressions need no more of {@link Phlo}. */
export interface Charger {
  charge(amount: number): void;
  /** Counts work that costs no phlo; `undefined` where the caller does not bound it. */
  readonly meter?: WorkMeter | undefined;
}

/** Beyond this the small part is brought back into the middle of its range; far below 2^53, so it stays exact. */
const carryAt = 2 ** 51;
const reserve = 2 ** 50;
const bigReserve = BigInt(reserve);
/** An operation of this cost makes large terms. So the work meter counts it before the next operation runs. */
const largeCharge = 65536;
const greatest = 2n ** 63n - 1n;

/**
 * The phlo balance of one evaluation: a signed 64-bit number.
 *
 * It is kept as `far + near`, of which `near` is a plain number: nearly every charge is one subtraction and one
 * comparison, whatever the limit. As long as `far` is positive the balance cannot be below zero unless `near` is
 * used up, and then a part of `far` is moved over.
 *
 * @spec 21 §1.5, 22 §4.1
 */
export class Phlo implements Charger {
  readonly limit: bigint;
  meter: WorkMeter | undefined = undefined;
  private near: number;
  private far: bigint;
  /** The maximum of `near` before the whole balance has to be read. */
  private most: number;

  /** @param limit the phlo to begin with, a signed 64-bit number */
  constructor(limit: bigint) {
    this.limit = BigInt.asIntN(64, limit);
    this.near = 0;
    this.far = 0n;
    this.most = 0;
    this.setLeft(this.limit);
  }

  /**
   * Takes `amount` (a safe integer; negative gives phlo back). Exactly nothing left is no failure. Once the
   * balance is negative it stays so: every further charge, refunds too, is refused without being booked.
   *
   * @throws {InterpreterError} `OutOfPhlogistonsError`, after the subtraction where that makes the balance negative
   */
  charge(amount: number): void {
    if (this.near < 0) throw outOfPhlogistons();
    this.near -= amount;
    if (this.near < 0 || this.near > this.most) this.carry();
    if (amount >= largeCharge) this.meter?.tick(amount);
  }

  /** Takes the first charge of a term that begins to run. Traces want to know which; here it is a charge as others. */
  begin(_term: Send | Receive, amount: number): void {
    this.charge(amount);
  }

  /** Phlo left; negative after it ran out. */
  get left(): bigint {
    return this.far + BigInt(this.near);
  }

  /** Phlo used so far: the limit less what is left; more than the limit after it ran out. */
  get used(): bigint {
    return BigInt.asIntN(64, this.limit - this.left);
  }

  private carry(): void {
    // Quirk 22 §4.1: nothing stops the balance from wrapping around at 2^63 when phlo is given back.
    this.setLeft(this.bounded(this.left));
    if (this.near < 0) throw outOfPhlogistons();
  }

  /** Returns the balance that results if it goes beyond 64 bits. */
  protected bounded(left: bigint): bigint {
    return BigInt.asIntN(64, left);
  }

  /** As {@link charge}, of an amount that may be beyond the safe integers. */
  protected chargeBeyond(amount: bigint): void {
    if (this.near < 0) throw outOfPhlogistons();
    this.setLeft(this.bounded(this.left - amount));
    if (this.near < 0) throw outOfPhlogistons();
  }

  private setLeft(left: bigint): void {
    const near = left > bigReserve ? bigReserve : left < -bigReserve ? -bigReserve : left;
    this.near = Number(near);
    this.far = left - near;
    const room = greatest - this.far;
    this.most = room < carryAt ? Number(room) : carryAt;
  }
}
