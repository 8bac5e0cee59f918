import { ByteWriter, SplittableRandom } from "@vedette/crypto";

/** The generator of a user deploy's pre-charge. @spec 41 §3.2 */
export function preChargeRandom(signature: Uint8Array): SplittableRandom {
  return SplittableRandom.fromSeed(signature).splitByte(0);
}

/** The generator of a user deploy's refund. @spec 41 §3.2 */
export function refundRandom(signature: Uint8Array): SplittableRandom {
  return SplittableRandom.fromSeed(signature).splitByte(1);
}

/** The generator of a block's close-block deploy. @spec 41 §3.2 */
export function closeBlockRandom(sender: Uint8Array, seqNum: number): SplittableRandom {
  return blockRandom(sender, seqNum).splitByte(0);
}

/**
 * The generator of every slash of a block.
 *
 * Quirk 41 §3.2: all slashes of one block share it, so they draw the same return channel.
 *
 * @spec 41 §3.2
 */
export function slashRandom(sender: Uint8Array, seqNum: number): SplittableRandom {
  return blockRandom(sender, seqNum).splitByte(1);
}

function blockRandom(sender: Uint8Array, seqNum: number): SplittableRandom {
  const seed = new Uint8Array(8 + sender.length);
  const view = new DataView(seed.buffer);
  view.setUint32(0, 1, true);
  seed.set(sender, 4);
  view.setInt32(4 + sender.length, seqNum, true);
  return SplittableRandom.fromSeed(seed);
}

/**
 * The generator of a user deploy's own term.
 *
 * Quirk 41 §2.4: neither term, signature nor shard enters, so two deploys of one key at one millisecond draw the
 * same names.
 *
 * @param deployer  public key
 * @param timestamp milliseconds
 * @spec 21 §1.2
 */
export function deployRandom(deployer: Uint8Array, timestamp: bigint): SplittableRandom {
  const seed = new ByteWriter();
  if (deployer.length > 0) {
    seed.u8(0x0a);
    seed.varint(deployer.length);
    seed.bytes(deployer);
  }
  if (timestamp !== 0n) {
    seed.u8(0x18);
    seed.varint64(BigInt.asUintN(64, timestamp));
  }
  return SplittableRandom.fromSeed(seed.finish());
}
