import { secp256k1PublicKeyOf, signHash, verifySignature } from "@vedette/crypto";
import { checkDeploySignature } from "../deploy/deploySignature.js";
import type { Dialect } from "../dialect/Dialect.js";
import { WireError } from "../wire/WireError.js";
import { Block, type BlockFields } from "./Block.js";
import { hashBlock } from "./blockHash.js";

/** The one algorithm that blocks and approvals may name, in exactly these letters. @spec 10 §1.4 */
export const blockAlgorithm = "secp256k1";

/**
 * Checks the algorithm and the signature of a block, which is over its hash.
 *
 * @spec 10 §1.4, 40 §5.2
 * @returns `undefined` when they are right
 */
export function checkBlockSignature(
  block: Block,
  { signatureRules }: Pick<Dialect, "signatureRules">,
): "unsupportedAlgorithm" | "invalidSignature" | undefined {
  if (block.signatureAlgorithm !== blockAlgorithm) return "unsupportedAlgorithm";
  // The verification takes a hash of 32 bytes; rnode turns any other into an invalid signature too.
  const { hash: message, signature, sender: publicKey } = block;
  const isRight =
    message.length === 32 && verifySignature(signatureRules, blockAlgorithm, { message, signature, publicKey });
  return isRight ? undefined : "invalidSignature";
}

/**
 * Checks the signatures of all deploys in a block, as rnode does while it decodes one from a peer.
 *
 * @spec 40 §1.1
 * @throws {WireError} `invalidDeploySignature` with the deploy's index
 */
export function checkDeploySignatures(block: Block, dialect: Pick<Dialect, "signatureRules">): void {
  block.body.deploys.forEach(({ deploy }, index) => {
    if (!checkDeploySignature(deploy, dialect)) throw new WireError({ code: "invalidDeploySignature", index });
  });
}

/** A signer of blocks and approvals, which holds the private key in any place. */
export interface BlockSigner {
  /** 65 bytes. */
  readonly publicKey: Uint8Array;
  /** Signs a hash of 32 bytes. @spec 10 §1.2 */
  sign(hash: Uint8Array): Uint8Array;
}

/** The signer with a private key at hand. @spec 10 §1.2 */
export function blockSignerOf(privateKey: Uint8Array): BlockSigner {
  return { publicKey: secp256k1PublicKeyOf(privateKey), sign: (hash) => signHash(blockAlgorithm, hash, privateKey) };
}

/** Names the sender, then hashes and signs. @spec 40 §1.3 */
export function signBlock(unsigned: BlockFields, key: BlockSigner, dialect: Dialect): Block {
  const named = new Block({ ...unsigned, sender: key.publicKey, signatureAlgorithm: blockAlgorithm });
  const hash = hashBlock(named, dialect);
  return new Block({ ...named, hash, signature: key.sign(hash) });
}
