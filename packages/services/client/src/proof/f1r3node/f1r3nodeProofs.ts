import { blake2b256 } from "@vedette/crypto";
import { BincodeReader, f1r3nodeTerms, readStoredPar } from "@vedette/terms";
import type { ProofForm } from "../ProofForm.js";
import { badForm } from "../StateProofError.js";
import { bincodeLeafItems } from "./bincodeLeafItems.js";

/** The kind of a leaf, which its hash does not cover. */
const kindBytes = 4;

/** Proofs of f1r3node networks. @spec 30 §10.7, 61 §2.1, §2.2 */
export const f1r3nodeProofs: ProofForm = {
  format: "vedette-state-proof-rust/1",
  decodeChannel(bytes) {
    const reader = new BincodeReader(bytes);
    const channel = readStoredPar(reader);
    if (!reader.isAtEnd) throw badForm("channels", "go on behind their end");
    return channel;
  },
  encodeChannel: (channel) => f1r3nodeTerms.storedPar(f1r3nodeTerms.sortPar(channel)),
  leafHash: (leaf) => blake2b256(leaf.subarray(kindBytes)),
  leafItems: bincodeLeafItems,
};
