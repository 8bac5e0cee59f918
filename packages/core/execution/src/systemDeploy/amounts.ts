import type { Deploy } from "@vedette/protocol";

/**
 * The charge before a deploy runs: limit times price.
 *
 * Quirk 41 (vocabulary): the product wraps around at 64 bits.
 *
 * @spec 41 §2.3
 */
export function preChargeAmount(deploy: Deploy): bigint {
  return BigInt.asIntN(64, deploy.phloLimit * deploy.phloPrice);
}

/** The refund: the unused phlo times price, wrapping around likewise; also paid when it is 0. @spec 41 §2.3 */
export function refundAmount(deploy: Deploy, cost: bigint): bigint {
  const unused = BigInt.asIntN(64, deploy.phloLimit - cost);
  return unused > 0n ? BigInt.asIntN(64, unused * deploy.phloPrice) : 0n;
}
