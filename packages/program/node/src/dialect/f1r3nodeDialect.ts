import {
  BlockTable,
  type F1r3nodeConsensus,
  type F1r3nodeJudging,
  type F1r3nodeRuleSet,
  f1r3node0445,
  f1r3nodeConsensus,
  f1r3nodeRuleSetNamed,
  f1r3nodeRuleSets,
  genesisFirst,
  type ProposeRules,
  StoredFloorCache,
  statedExecution,
  statedFloors,
} from "@vedette/chain";
import { type Config, ConfigError } from "@vedette/config";
import { dropOldest } from "@vedette/errors";
import { f1r3nodeGenesis } from "@vedette/execution";
import {
  approvedBlockOf,
  f1r3nodeExecutionOf,
  floorPortOf,
  genesisExecution,
  numberEntryPortOf,
  settledAdmissionOf,
} from "@vedette/executor";
import { type Bond, f1r3node, hashKey } from "@vedette/protocol";
import { f1r3nodeJoin, type HorizonDepths } from "@vedette/sync";
import { checkNativeToken } from "../genesis/checkNativeToken.js";
import type { HeartbeatCaps } from "../propose/CappedRule.js";
import type { FollowedConsensus, FollowedParts, NodeDialect } from "./NodeDialect.js";
import { withCommittee } from "./withBonds.js";

/** f1r3node networks. @spec 61 §0 */
export const f1r3nodeDialect: NodeDialect = {
  protocol: f1r3node,
  hasBondsOfOwnState: false,
  ruleSet: (config) => f1r3nodeRuleSetOf(config).name,
  followed: followedFloors,
  f1r3nodeFacts: (config, isValidator) => ({
    nativeTokenName: config["casper.genesis-block-data.native-token-name"],
    nativeTokenSymbol: config["casper.genesis-block-data.native-token-symbol"],
    nativeTokenDecimals: config["casper.genesis-block-data.native-token-decimals"],
    epochLength: config["casper.genesis-block-data.epoch-length"],
    isValidator,
  }),
  heartbeatCaps,
  checkChain: checkNativeToken,
  genesis: {
    form: f1r3nodeGenesis,
    judgesByEvidence: () => false,
    stakes: (executor, root) => executor.stakes(root),
  },
  consensus({ config, executor, store, provideState, listener, bonds }) {
    const blocks = new BlockTable(store, { form: f1r3node.blockForm });
    const execution = withCommittee(f1r3nodeExecutionOf(executor, blocks, provideState, listener), bonds);
    const cache = new StoredFloorCache(store);
    const tolerance = (stateHash: Uint8Array) => executor.faultTolerance(stateHash);
    const ruleSet = f1r3nodeRuleSetOf(config);
    const made: { consensus?: F1r3nodeConsensus } = {};
    return {
      execution: genesisExecution(execution, executor),
      proposing: proposingWhenMade(() => made.consensus?.proposing),
      chain: {
        firstMessage: genesisFirst,
        consensus(parts) {
          made.consensus = f1r3nodeConsensus(parts, {
            ...{ execution, ruleSet, cache, tolerance },
            epochLength: BigInt(config["casper.genesis-block-data.epoch-length"]),
          });
          return made.consensus;
        },
      },
      sync(chain) {
        const { floors: derived, prepare } = made.consensus!;
        const floors = floorPortOf({
          dag: chain.dag,
          blocks: chain.blocks,
          cache,
          floors: derived,
          prepare,
          tolerance,
        });
        const entries = numberEntryPortOf(executor, execution, chain.blocks);
        return {
          ...{ floors, entries, approved: approvedBlockOf(chain, cache), admission: settledAdmissionOf(chain) },
          join: f1r3nodeJoin({ ...horizonDepths(config), floors, entries }),
        };
      },
      prepare: async () => made.consensus?.prepare(),
      close: () => cache.flush(),
    };
  },
};

/** A floor lies so far below the tip at most, where finality goes on; each state has one. */
const maxCommittees = 512;

/** @spec 61 §13.6 */
function followedFloors({ config, executor, store }: FollowedParts): FollowedConsensus {
  const cache = new StoredFloorCache(store);
  const ruleSet = f1r3nodeRuleSetOf(config);
  const committees = new Map<string, readonly Bond[]>();
  const putBonds = (root: Uint8Array, bonds: readonly Bond[]) => {
    committees.set(hashKey(root), bonds);
    dropOldest(committees, maxCommittees);
  };
  let judging: F1r3nodeJudging | undefined;
  let isPrepared = false;
  return {
    execution: statedExecution(() => undefined),
    chain: {
      firstMessage: genesisFirst,
      consensus(parts) {
        judging = statedFloors(parts, {
          ...{ ruleSet, cache, tolerance: (stateHash) => executor.faultTolerance(stateHash) },
          epochLength: BigInt(config["casper.genesis-block-data.epoch-length"]),
          committee: (stateHash) => committees.get(hashKey(stateHash)),
        });
        return judging;
      },
    },
    putBonds,
    async prepare({ dag }) {
      await judging?.prepare();
      const last = dag.lastFinalized();
      if (isPrepared || last === undefined) return;
      isPrepared = true;
      // Takes the states of an earlier run.
      for (const { hash } of dag.blocksByHeight(last.number - maxBelowFinal, dag.nextBlockNumber())) {
        const root = dag.require(hash).postStateHash;
        if (await executor.hasRoot(root)) putBonds(root, await executor.bonds(root));
      }
    },
    close: () => cache.flush(),
  };
}

/** Floors of the next blocks lie no deeper, as a rule; the bonds of those that do are believed. */
const maxBelowFinal = 32n;

/** @spec 61 §17.1 */
function heartbeatCaps(config: Config): HeartbeatCaps {
  return {
    selfProposeCooldownMs: config["casper.heartbeat.self-propose-cooldown"],
    staleRecoveryMinIntervalMs: config["casper.heartbeat.stale-recovery-min-interval"],
    finalityProgressTimeoutMs: config["casper.heartbeat.finality-progress-timeout"],
    deployFinalizationGraceMs: config["casper.heartbeat.deploy-finalization-grace"],
    frontierChaseMaxLag: config["casper.heartbeat.advanced.frontier-chase-max-lag"],
    pendingDeployMaxLag: config["casper.heartbeat.advanced.pending-deploy-max-lag"],
    deployRecoveryMaxLag: config["casper.heartbeat.advanced.deploy-recovery-max-lag"],
    emptyFrontierMaxUnfinalizedBlocks: config["casper.heartbeat.advanced.empty-frontier-max-unfinalized-blocks"],
  };
}

/** @spec 61 §16.4 */
function horizonDepths(config: Config): HorizonDepths {
  const depth = config["casper.max-parent-depth"] ?? unlimitedDepth;
  return {
    parentDepth: depth === unlimitedDepth ? undefined : BigInt(depth),
    depthBuffer: BigInt(config["casper.mergeable-channels-gc-depth-buffer"]),
  };
}

const unlimitedDepth = 2_147_483_647;

/** Blocks are made with what the chain is made with, and the chain is made first. */
function proposingWhenMade(find: () => ProposeRules | undefined): ProposeRules {
  const made = (): ProposeRules => {
    const rules = find();
    if (rules === undefined) throw new TypeError("there is no chain yet to make blocks on");
    return rules;
  };
  return {
    ready: async () => made().ready?.(),
    takeSnapshot: (view) => made().takeSnapshot(view),
    activeOn: (snapshot) => made().activeOn(snapshot),
    prepare: (snapshot, timestamp, view) => made().prepare(snapshot, timestamp, view),
    isSettled: (chain, deploy) => made().isSettled(chain, deploy),
  };
}

/** The configured rule set of an f1r3node network. @throws {ConfigError} for an unknown name @spec 61 §24 */
export function f1r3nodeRuleSetOf(config: Config): F1r3nodeRuleSet {
  const key = "casper.rule-set";
  const name = config[key] ?? f1r3node0445.name;
  const ruleSet = f1r3nodeRuleSetNamed(name);
  if (ruleSet !== undefined) return ruleSet;
  const known = f1r3nodeRuleSets.map((one) => one.name).join(", ");
  throw new ConfigError({
    code: "unusable",
    problems: [{ code: "outOfRange", key, text: `there is no rule set "${name}"; known: ${known}` }],
  });
}
