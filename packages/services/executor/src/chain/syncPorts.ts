import { type Chain, type ProcessedBlock, replaceFloors, type StoredFloorCache } from "@vedette/chain";
import { decodeStoreItems, encodeStoreItems, hashKey } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import type {
  ApprovedBlockPort,
  BlockOutcome,
  BlockStoreView,
  BlockValidationPort,
  StateExportPort,
  StateImportPort,
  SyncDagView,
} from "@vedette/sync";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import type { ReaderPool } from "../reader/ReaderPool.js";
import type { PeerBlockDecoder } from "./PeerBlockDecoder.js";
import type { SpeculativeReplay } from "./SpeculativeReplay.js";

/** A page of state items must be read within this time. */
const exportTimeoutMs = 20_000;

/** The chain's blocks as the synchronization sees them. */
export function blockStoreOf(chain: Chain): BlockStoreView {
  return {
    has: (hash) => chain.blocks.has(hash),
    get: (hash) => chain.blocks.find(hash),
    bytes: (hash) => chain.blocks.findBytes(hash),
    prepare: (block) => chain.blocks.prepare(block),
    put: (block) => chain.blocks.put(block),
    forget: (hash) => chain.blocks.forget(hash),
  };
}

const noStakes: ReadonlyMap<string, bigint> = new Map();

/** The chain's DAG as the synchronization sees it. */
export function dagViewOf(chain: Chain): SyncDagView {
  const { dag, equivocations } = chain;
  return {
    has: (hash) => dag.has(hash),
    latestMessages: () => dag.latestBlocks().map(({ hash }) => hash),
    latestTimes: () => dag.latestBlocks().flatMap(({ invalid, timestamp }) => (invalid ? [] : [timestamp])),
    unpunishedProofs: () => dag.unpunishedProofs(),
    lastFinalized: () => dag.lastFinalized()?.hash,
    slashedDependencies: (block) => chain.slashedDependencies(block),
    changes: () => dag.changes,
    revisions: () => dag.revisedCount,
    isDetectedEquivocation: (hash) => equivocations.isDetectedAnywhere(hash),
    knowsValidator: (publicKey) => dag.latestMessage(hashKey(publicKey)) !== undefined,
    isBonded: (publicKey) => dag.isBonded(hashKey(publicKey)),
    stakes: () => dag.lastFinalized()?.bonds.stakes ?? noStakes,
    hasSpoken: (validatorKey) => dag.hasSpoken(validatorKey),
    postState: (hash) => chain.stateToFetch(hash),
    height: () => dag.nextBlockNumber() - 1n,
    blocksByHeight: (from, to) => dag.blocksByHeight(from, to),
  };
}

/** Has the chain judge blocks, and the executor begin with the next one meanwhile. */
export function blockProcessorOf(
  chain: Chain,
  ahead: Pick<SpeculativeReplay, "announce">,
  reading: Pick<PeerBlockDecoder, "formOf">,
): BlockValidationPort {
  return {
    checkForm: (block) => reading.formOf(block) ?? chain.checkReferences(block),
    announceNext: (block, parent) => ahead.announce(block, parent),
    process: async (ready) => (await chain.processTogether(ready)).map(outcomeOf),
  };
}

function outcomeOf({ status, inserted }: ProcessedBlock): BlockOutcome {
  if (status.status === "Valid") return { kind: "valid" };
  if (status.status === "BlockException") {
    const { message, isLimit = false, isOfMachine = false } = status;
    return { kind: "failed", reason: message, isOfMachine: isLimit || isOfMachine };
  }
  return { kind: "invalid", status: status.status, inDag: inserted };
}

/** On f1r3node networks: blocks below what the node began with are taken in unjudged. @spec 61 §16.5 */
export function settledAdmissionOf(chain: Chain): Pick<BlockValidationPort, "admitSettled"> {
  return { admitSettled: (block) => chain.admitSettled(block) };
}

/** Where the chain begins. @param floors of an f1r3node network */
export function approvedBlockOf(chain: Chain, floors?: StoredFloorCache): ApprovedBlockPort {
  return {
    get: () => chain.blocks.approvedBlock(),
    async adoptGenesis(approved): Promise<BlockOutcome> {
      const wrong = await chain.adoptGenesis(approved);
      if (wrong === undefined) return { kind: "valid" };
      if (wrong.status === "BlockException") return { kind: "failed", reason: wrong.message };
      return { kind: "invalid", status: wrong.status, inDag: false };
    },
    async adoptImported(approved, blocks, known = []) {
      const also = floors && ((tables: WritableTables) => replaceFloors(tables, known));
      chain.adoptImported(approved, blocks, also);
      floors?.reload();
    },
  };
}

/** Has the executor take a state from a peer. */
export function stateImportOf(executor: ExecutorClient): StateImportPort {
  return {
    hasRoot: (root) => executor.hasRoot(root),
    missing: (root) => executor.missing(root),
    importPage: (startPath, take, page) => executor.importPage({ startPath, take, page: encodeStoreItems(page) }),
    recordRoot: (root) => executor.recordRoot(root),
  };
}

/** Has the readers give a state to peers. */
export function stateExportOf(readers: ReaderPool): StateExportPort {
  return {
    async exportPage(startPath, skip, take) {
      const bytes = await readers.call("exportPage", { startPath, skip, take }, exportTimeoutMs);
      return bytes === undefined ? undefined : decodeStoreItems(bytes);
    },
  };
}
