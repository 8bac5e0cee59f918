import { BlockTable, floorConsensus, genesisFirst, MemoryFloorCache } from "@vedette/chain";
import { rnodeRust } from "@vedette/protocol";
import { floorExecutionOf, genesisExecution, withBlockBytes } from "@vedette/workers";
import type { NodeDialect } from "./NodeDialect.js";

/** Networks of the newer node. @spec 61 */
export const rustDialect: NodeDialect = {
  protocol: rnodeRust,
  hasBondsOfOwnState: false,
  asked: withBlockBytes,
  consensus({ config, executor, store, provideState }) {
    const blocks = new BlockTable(store, { form: rnodeRust.blockForm });
    const execution = floorExecutionOf(executor, blocks, provideState);
    return {
      execution: genesisExecution(execution),
      chain: {
        firstMessage: genesisFirst,
        consensus: (parts) =>
          floorConsensus(parts, {
            ...{ execution, cache: new MemoryFloorCache() },
            epochLength: BigInt(config["casper.genesis-block-data.epoch-length"]),
            tolerance: (stateHash) => executor.faultTolerance(stateHash),
          }),
      },
    };
  },
};
