import type { Checkpoint } from "@vedette/light";
import { verification } from "../../verify/verification.js";

/**
 * Reads what a user trusts: a checkpoint as JSON, or the hash of genesis.
 *
 * @throws {LightError} {Error} what it is not
 */
export async function enteredCheckpoint(given: string): Promise<Checkpoint> {
  const text = given.trim();
  const { readCheckpoint } = await import("@vedette/light");
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(text)) {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch (cause) {
      throw new Error("This is neither a checkpoint nor a hash of 64 hexadecimal digits", { cause });
    }
    return readCheckpoint(json);
  }
  const hash = text.replace(/^0x/, "").toLowerCase();
  const genesis = await (await verification.verifier()).reportedCheckpoint();
  if (genesis.blockHash !== hash)
    throw new Error(`The node’s chain begins with ${genesis.blockHash}: it is not the chain of this genesis`);
  return genesis;
}
