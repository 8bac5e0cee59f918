import { emptyBytes } from "@vedette/crypto";
import { type Block, type BlockFields, type BlockSigner, type Body, signBlock } from "@vedette/protocol";
import type { Chain } from "../Chain.js";
import type { BlockTemplate } from "./ProposeRules.js";

/** The signer and its network. */
export interface SigningOptions {
  readonly chain: Pick<Chain, "rules">;
  readonly key: BlockSigner;
}

/** Casper version of blocks. @spec 40 §11 */
const blockVersion = 1n;

/** The finished block. @spec 40 §1.3, §1.4 */
export function signedBlock(
  { snapshot, timestamp }: Pick<BlockTemplate, "snapshot" | "timestamp">,
  body: Body,
  { chain, key }: SigningOptions,
): Block {
  const { dialect, shardName } = chain.rules;
  const fields: BlockFields = {
    hash: emptyBytes,
    header: {
      parents: snapshot.parents.map(({ hash }) => hash),
      timestamp,
      version: blockVersion,
      extraBytes: emptyBytes,
    },
    body,
    justifications: snapshot.justifications,
    sender: key.publicKey,
    sequenceNumber: snapshot.sequenceNumber,
    signature: emptyBytes,
    signatureAlgorithm: "",
    shardId: shardName,
    extraBytes: snapshot.extraBytes,
    form: dialect.blockForm,
  };
  return signBlock(fields, key, dialect);
}
