import {
  BlockTable,
  type FloorConsensus,
  floorConsensus,
  genesisFirst,
  type ProposeRules,
  StoredFloorCache,
} from "@vedette/chain";
import type { Config } from "@vedette/config";
import { rustGenesis } from "@vedette/execution";
import { rnodeRust } from "@vedette/protocol";
import { type HorizonDepths, rustJoin } from "@vedette/sync";
import {
  approvedBlockOf,
  floorExecutionOf,
  floorPortOf,
  genesisExecution,
  numberEntryPortOf,
  settledAdmissionOf,
  withBlockBytes,
} from "@vedette/workers";
import { checkNativeToken } from "../genesis/checkNativeToken.js";
import type { NodeDialect } from "./NodeDialect.js";

/** Networks of the newer node. @spec 61 §0 */
export const rustDialect: NodeDialect = {
  protocol: rnodeRust,
  hasBondsOfOwnState: false,
  asked: withBlockBytes,
  checkChain: checkNativeToken,
  genesis: {
    form: rustGenesis,
    judgesByEvidence: () => false,
    stakes: (executor, root) => executor.stakes(root),
  },
  consensus({ config, executor, store, provideState, listener }) {
    const blocks = new BlockTable(store, { form: rnodeRust.blockForm });
    const execution = floorExecutionOf(executor, blocks, provideState, listener);
    const cache = new StoredFloorCache(store);
    const tolerance = (stateHash: Uint8Array) => executor.faultTolerance(stateHash);
    const made: { consensus?: FloorConsensus } = {};
    return {
      execution: genesisExecution(execution, executor),
      proposing: proposingWhenMade(() => made.consensus?.proposing),
      chain: {
        firstMessage: genesisFirst,
        consensus(parts) {
          made.consensus = floorConsensus(parts, {
            ...{ execution, cache, tolerance },
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
          join: rustJoin({ ...horizonDepths(config), floors, entries }),
        };
      },
      prepare: async () => made.consensus?.prepare(),
      close: () => cache.flush(),
    };
  },
};

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
    isSettled: (dag, signature) => made().isSettled(dag, signature),
  };
}
