import { approveCandidate, checkCandidate, type ExpectedGenesis, genesisBlock } from "@vedette/chain";
import type { Config } from "@vedette/config";
import { type Log, warn } from "@vedette/config/log";
import { equalBytes, toHex } from "@vedette/crypto";
import { type GenesisParameters, genesisDeploys } from "@vedette/execution";
import type { ExecutorClient } from "@vedette/executor/threads";
import {
  type ApprovedBlockCandidate,
  type Block,
  type BlockApproval,
  type BlockSigner,
  decodeBlock,
  encodeBlock,
} from "@vedette/protocol";
import type { CeremonyRules, GenesisPort } from "@vedette/sync";
import type { NodeDialect } from "../dialect/NodeDialect.js";
import { GenesisSetupError } from "./GenesisSetupError.js";
import { readGenesisParameters } from "./readGenesisParameters.js";

/** The parts with which genesis is made and judged. */
export interface GenesisParts {
  readonly config: Config;
  readonly dialect: Pick<NodeDialect, "protocol" | "genesis">;
  readonly executor: Pick<ExecutorClient, "playGenesis" | "replay" | "bonds" | "stakes">;
  /** Root of the state on which genesis runs. @spec 41 §1.3 */
  readonly emptyStateHash: Uint8Array;
  /** The node's own key; `undefined` for a master that is no validator. */
  readonly identity: BlockSigner | undefined;
  readonly log: Log;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** How the ceremony is led. @spec 40 §13 */
export function ceremonyRulesOf(config: Config): CeremonyRules {
  return {
    requiredSignatures: config["casper.genesis-ceremony.required-signatures"],
    approveIntervalMs: config["casper.genesis-ceremony.approve-interval"],
    approveDurationMs: config["casper.genesis-ceremony.approve-duration"],
  };
}

/**
 * Makes and judges genesis blocks: from the configuration and its files, by the executor.
 *
 * Files are not looked at before a ceremony needs them, so that a node with a chain starts without.
 *
 * @spec 40 §10
 */
export function genesisPortOf(parts: GenesisParts): GenesisPort {
  let expected: ExpectedGenesis | undefined;
  return {
    make: () => makeGenesis(parts),
    async prepare() {
      expected = expectedGenesis(parts);
    },
    async checkCandidate(candidate: ApprovedBlockCandidate): Promise<string | undefined> {
      expected ??= expectedGenesis(parts);
      return checkCandidate(candidate, expected, { execution: executionOf(parts), dialect: parts.dialect.protocol });
    },
    approve: (candidate): BlockApproval => approveCandidate(candidate, requireIdentity(parts)),
  };
}

async function makeGenesis({ config, dialect, executor, identity, log, nowMs }: GenesisParts): Promise<Block> {
  const { parameters, bondsPath } = readGenesisParameters(config, "make", log);
  if (identity !== undefined && !isBonded(parameters, identity)) {
    log(
      warn(
        `The validator key ${toHex(identity.publicKey)} is not in ${bondsPath}: this node proposes once it has bonded.`,
      ),
    );
  }
  const deploys = genesisDeploys(parameters, dialect.genesis.form);
  const timestamp = config["casper.genesis-block-data.deploy-timestamp"] ?? BigInt(Math.floor(nowMs()));
  const blockNumber = config["casper.genesis-block-data.genesis-block-number"];
  const answer = await executor.playGenesis({ timestamp, blockNumber, deploys });
  if (answer.kind === "failed") throw new GenesisSetupError({ code: "notPlayable", reason: answer.message });
  const { bonds, shardId: shardName } = parameters;
  const judgesByEvidence = dialect.genesis.judgesByEvidence(config);
  const content = { timestamp, shardName, bonds, deploys, judgesByEvidence };
  const { body } = decodeBlock(answer.block, dialect.protocol.blockForm);
  return genesisBlock(body, content, dialect.protocol);
}

function expectedGenesis(parts: GenesisParts): ExpectedGenesis {
  const { config, dialect, log, emptyStateHash } = parts;
  const identity = requireIdentity(parts);
  const { parameters, bondsPath: path } = readGenesisParameters(config, "refuse", log);
  const { publicKey } = identity;
  if (!isBonded(parameters, identity)) throw new GenesisSetupError({ code: "notBonded", publicKey, path });
  return {
    requiredSignatures: config["casper.genesis-ceremony.required-signatures"],
    bonds: parameters.bonds,
    deploys: genesisDeploys(parameters, dialect.genesis.form),
    shardName: parameters.shardId,
    judgesByEvidence: dialect.genesis.judgesByEvidence(config),
    emptyStateHash,
  };
}

function requireIdentity({ identity }: GenesisParts): BlockSigner {
  if (identity === undefined) throw new GenesisSetupError({ code: "noValidatorKey" });
  return identity;
}

function isBonded({ bonds }: GenesisParameters, { publicKey }: BlockSigner): boolean {
  return bonds.some(({ validator }) => equalBytes(validator, publicKey));
}

function executionOf({ dialect, executor }: GenesisParts): Parameters<typeof checkCandidate>[2]["execution"] {
  return {
    replay: ({ block, preStateHash }) =>
      executor.replay({ block: encodeBlock(block), preState: preStateHash, invalidBlocks: [] }),
    bonds: (stateHash) => dialect.genesis.stakes(executor, stateHash),
  };
}
