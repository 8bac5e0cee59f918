import type { Chain } from "@vedette/chain";
import {
  blockProcessorOf,
  blockStoreOf,
  dagViewOf,
  type PeerBlockDecoder,
  type SpeculativeReplay,
  stateExportOf,
  stateImportOf,
} from "@vedette/executor";
import type { Network, Peer } from "@vedette/network";
import { Engine, type SyncEvent } from "@vedette/sync";
import type { NetworkSync } from "../dialect/NodeDialect.js";
import { ceremonyRulesOf, genesisPortOf } from "../genesis/genesisPort.js";
import { machineClock } from "./DevChainHooks.js";
import type { NodeParts } from "./NodeParts.js";

/** The parts that an engine works on besides a node's parts. */
export interface EngineDependencies {
  readonly chain: Chain;
  /** How its network is joined, and given to others. */
  readonly sync: NetworkSync;
  /** Begins to replay blocks before they are requested. */
  readonly ahead: SpeculativeReplay;
  /** Reads the blocks of peers. */
  readonly reading: PeerBlockDecoder;
  readonly network: Network;
  /** `undefined` for a node without a bootstrap. */
  readonly bootstrap: Peer | undefined;
  readonly emit: (event: SyncEvent) => void;
}

/** Makes the engine that joins and follows the network, in the configured role. @spec 40 §2 */
export function engineOf(
  parts: NodeParts,
  { chain, sync, ahead, reading, network, bootstrap, emit }: EngineDependencies,
): Engine {
  const { config, dialect, store, executor, readers, emptyStateHash, validator, log } = parts;
  const { nowMs } = parts.development?.clock ?? machineClock;
  const { admission, ...joining } = sync;
  return new Engine({
    beginning: config["protocol-client.disable-lfs"] ? "replayAll" : "importState",
    bootstrap,
    shardName: config["casper.shard-name"],
    dialect: dialect.protocol,
    modes: {
      genesisValidator: config["casper.genesis-ceremony.genesis-validator-mode"],
      ceremonyMaster: config["casper.genesis-ceremony.ceremony-master-mode"],
    },
    ceremony: {
      genesis: genesisPortOf({ config, dialect, executor, emptyStateHash, identity: validator, log, nowMs }),
      rules: ceremonyRulesOf(config),
    },
    peers: network,
    questions: network,
    blocks: blockStoreOf(chain),
    dag: dagViewOf(chain),
    ...joining,
    validation: { ...blockProcessorOf(chain, ahead, reading), ...admission },
    checkChain(begun) {
      const { postStateHash } = begun.body.state;
      const last = chain.dag.lastFinalized()?.postStateHash ?? postStateHash;
      return dialect.checkChain(config, executor, [postStateHash, last]);
    },
    decodePeerBlock: (content) => reading.decode(content),
    store,
    stateImport: stateImportOf(executor),
    stateExport: config["protocol-server.disable-state-exporter"] ? undefined : stateExportOf(readers),
    emit,
    nowMs,
    times: {
      maintenanceMs: config["casper.casper-loop-interval"],
      staleCheckMs: config["casper.fork-choice-check-if-stale-interval"],
      staleThresholdMs: config["casper.fork-choice-stale-threshold"],
    },
    retriever: { requestTimeoutMs: config["casper.requested-blocks-timeout"] },
  });
}
