import { ByteWriter, SplittableRandom } from "@vedette/crypto";
import type { ExecutionDialect, ProgramStart } from "../form/ExecutionDialect.js";

/** The generator of a user deploy's pre-charge. @spec 41 §3.2 */
export function preChargeStart(form: ExecutionDialect, signature: Uint8Array): ProgramStart {
  return form.start(signature, 0);
}

/** The generator of a user deploy's refund. @spec 41 §3.2 */
export function refundStart(form: ExecutionDialect, signature: Uint8Array): ProgramStart {
  return form.start(signature, 1);
}

/** The generator of a block's close-block deploy. @spec 41 §3.2 */
export function closeBlockStart(form: ExecutionDialect, sender: Uint8Array, seqNum: number): ProgramStart {
  return form.start(blockSeed(sender, seqNum), 0);
}

/**
 * The generator of a slash.
 *
 * Quirk 41 §3.2: on rnode networks all slashes of one block share it, so they draw the same return
 * channel.
 *
 * @spec 41 §3.2, 61 §9
 */
export function slashStart(
  form: ExecutionDialect,
  sender: Uint8Array,
  seqNum: number,
  invalidBlockHash: Uint8Array,
): ProgramStart {
  return form.start(form.slashSeed(blockSeed(sender, seqNum), invalidBlockHash), 1);
}

function blockSeed(sender: Uint8Array, seqNum: number): Uint8Array {
  const seed = new Uint8Array(8 + sender.length);
  const view = new DataView(seed.buffer);
  view.setUint32(0, 1, true);
  seed.set(sender, 4);
  view.setInt32(4 + sender.length, seqNum, true);
  return seed;
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
  return SplittableRandom.fromSeed(deploySeed(deployer, timestamp));
}

/** Makes the seed of the generator of a user deploy's own term. @spec 21 §1.2 */
export function deploySeed(deployer: Uint8Array, timestamp: bigint): Uint8Array {
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
  return seed.finish();
}
