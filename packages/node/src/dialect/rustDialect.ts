import {
  BlockTable,
  type FloorConsensus,
  floorConsensus,
  genesisFirst,
  MemoryFloorCache,
  type ProposeRules,
} from "@vedette/chain";
import { rustGenesis } from "@vedette/execution";
import { rnodeRust } from "@vedette/protocol";
import { floorExecutionOf, genesisExecution, withBlockBytes } from "@vedette/workers";
import { checkNativeToken } from "../genesis/checkNativeToken.js";
import type { NodeDialect } from "./NodeDialect.js";

/** Networks of the newer node. @spec 61 */
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
  consensus({ config, executor, store, provideState }) {
    const blocks = new BlockTable(store, { form: rnodeRust.blockForm });
    const execution = floorExecutionOf(executor, blocks, provideState);
    const made: { consensus?: FloorConsensus } = {};
    return {
      execution: genesisExecution(execution, executor),
      proposing: proposingWhenMade(() => made.consensus?.proposing),
      chain: {
        firstMessage: genesisFirst,
        consensus(parts) {
          made.consensus = floorConsensus(parts, {
            ...{ execution, cache: new MemoryFloorCache() },
            epochLength: BigInt(config["casper.genesis-block-data.epoch-length"]),
            tolerance: (stateHash) => executor.faultTolerance(stateHash),
          });
          return made.consensus;
        },
      },
    };
  },
};

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
