// Reads a balance from an untrusted node: the proof is checked against a block's state hash.
//
//   npm start                                   # in another terminal; shows addresses
//   node examples/dist/checkBalance.js <address> [<post-state hash that you trust>]
import { fromHex, HttpClient } from "@vedette/client";
import { rnodeProofs, verifyVaultBalance } from "@vedette/client/proof";
import { observerUrl } from "./surroundings.js";

const [address, trusted] = process.argv.slice(2);
if (address === undefined) throw new Error("Give an address.");
const observer = new HttpClient(observerUrl);

const { blockInfo } = await observer.lastFinalizedBlock();
const { proof } = await observer.stateData(blockInfo.blockHash, { vault: [address], proof: true });
// Without a hash from elsewhere this only shows the method, and proves the node's own statements.
const root = fromHex(trusted ?? blockInfo.postStateHash);
const balance = verifyVaultBalance(proof, { root }, address, rnodeProofs);
console.log(
  `block #${blockInfo.blockNumber}: ${balance === undefined ? "no such vault" : `${address} has ${balance}`}`,
);
