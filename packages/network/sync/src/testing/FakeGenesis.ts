import { approveCandidate } from "@vedette/chain";
import { emptyBytes, secp256k1PublicKeyOf, signHash } from "@vedette/crypto";
import {
  type ApprovedBlockCandidate,
  type Block,
  type BlockApproval,
  type BlockSigner,
  type Dialect,
  rnode,
} from "@vedette/protocol";
import type { GenesisPort } from "../ports/GenesisPort.js";
import { testBlock, testHash } from "./testBlock.js";

/** The key of a validator of a test. */
export function testKey(name: string): BlockSigner {
  const privateKey = testHash(name);
  return {
    publicKey: secp256k1PublicKeyOf(privateKey),
    sign: (hash) => signHash("secp256k1", hash, privateKey),
  };
}

/** A genesis block of these validators, with a stake of 1 each; `attempt` makes it another one. */
export function testGenesis(validators: readonly string[], attempt = 1, dialect: Dialect = rnode): Block {
  const fields = {
    header: { parents: [], timestamp: BigInt(attempt), version: 1n, extraBytes: emptyBytes },
    body: {
      state: {
        preStateHash: testHash("pre"),
        postStateHash: testHash("post"),
        bonds: validators.map((name) => ({ validator: testKey(name).publicKey, stake: 1n })),
        blockNumber: 0n,
      },
      ...{ deploys: [], systemDeploys: [], rejectedDeploys: [], extraBytes: emptyBytes },
    },
    ...{ sender: emptyBytes, sequenceNumber: 0, signature: emptyBytes, signatureAlgorithm: "" },
  };
  return testBlock(0, [], fields, dialect);
}

/** Makes a new genesis block each time, and returns the verdict that a test sets. */
export class FakeGenesis implements GenesisPort {
  readonly #validators: readonly string[];
  readonly #key: BlockSigner;
  readonly #dialect: Dialect;
  /** The result of a check; awaited if it is a promise. */
  verdict: () => Promise<string | undefined> = async () => undefined;
  made = 0;
  checked = 0;

  /** @param own name of the validator that approves */
  constructor(validators: readonly string[], own = validators[0] ?? "", dialect: Dialect = rnode) {
    this.#dialect = dialect;
    this.#validators = validators;
    this.#key = testKey(own);
  }

  async make(): Promise<Block> {
    this.made += 1;
    return testGenesis(this.#validators, this.made, this.#dialect);
  }

  async prepare(): Promise<void> {}

  checkCandidate(): Promise<string | undefined> {
    this.checked += 1;
    return this.verdict();
  }

  approve(candidate: ApprovedBlockCandidate): BlockApproval {
    return approveCandidate(candidate, this.#key);
  }
}
