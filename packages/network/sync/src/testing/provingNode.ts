import { type BlockExecution, Chain } from "@vedette/chain";
import { rnodeJoin } from "../join/rnode/rnodeJoin.js";
import { HistoryVerifier } from "../verify/HistoryVerifier.js";
import { chainPorts, type Recording, readRecording, TestDisk, TestSyncNode, TrustedExecution } from "./TestSyncNode.js";

const times = { lookMs: 10, standstillMs: 100, beginMs: 200, retryMs: 20 };

/** A node that began at a state, and the second chain of its proof. */
export function proofOf(recording: Recording, node: TestSyncNode, disk: TestDisk, execution: BlockExecution) {
  const nowMs = () => Date.now() + 10 * 365 * 86_400_000;
  const chain = new Chain({ store: disk.chain, rules: recording.rules, execution, nowMs });
  const ports = { ...chainPorts(chain), dialect: recording.rules.dialect, nowMs, store: disk.chain };
  const stateImport = {
    hasRoot: async () => true,
    missing: async () => [],
    importPage: async () => ({ nextPath: undefined, isNew: true }),
    recordRoot: async () => undefined,
  };
  const proof = new HistoryVerifier({
    target: node.engine.status().approved!,
    chain: { ...ports, join: rnodeJoin, shardName: recording.rules.shardName, stateImport },
    verdictOf: (hash) => {
      const block = chain.dag.find(hash);
      return block === undefined ? undefined : block.invalid ? "invalid" : "valid";
    },
    peers: node.network,
    questions: node.network,
    bootstrap: node.network.peers[0],
    ...{ times, syncTimes: { approvedRetryMs: 50, maintenanceMs: 200, retrieverMs: 100 } },
  });
  return { chain, proof };
}

/** Has a node take packets for a proof too. */
export async function proving(node: TestSyncNode, proof: HistoryVerifier, signal: AbortSignal) {
  node.also = (peer, typeId, content) => proof.handlePacket(peer, typeId, content);
  return proof.run(signal);
}

export async function joined(recording: Recording, server: TestSyncNode): Promise<TestSyncNode> {
  const node = await new TestSyncNode(recording, { bootstrap: server.peer }).start();
  await node.until(() => node.engine.status().state === "running");
  return node;
}

/** Returns the result of proving a chain's history, and the content of both chains of the node afterwards. */
export async function provenHistory(name: string) {
  const recording = readRecording(name);
  await using server = await (await new TestSyncNode(recording).load(recording)).start();
  await using node = await joined(recording, server);
  const heightBefore = node.chain.dag.nextBlockNumber();
  const { chain, proof } = proofOf(recording, node, new TestDisk(), new TrustedExecution());
  const outcome = await proving(node, proof, new AbortController().signal);
  const approved = node.engine.status().approved!;
  return {
    outcome,
    target: chain.dag.find(approved.hash),
    approvedNumber: approved.number,
    provenFrom: chain.blocks.approvedBlock()!.candidate.block.number,
    // The proof adds no blocks to the chain that the node follows.
    hasGenesis: [...node.chain.dag.blocksByHeight(0n, 0n)].length > 0,
    hasGoneBack: node.chain.dag.nextBlockNumber() < heightBefore,
  };
}

/** The result of {@link provenHistory} for a right history. */
export function rightHistory(approvedNumber: bigint) {
  return {
    outcome: { kind: "proven" },
    target: { invalid: false, number: approvedNumber },
    provenFrom: 0n,
    hasGenesis: approvedNumber <= 50n,
    hasGoneBack: false,
  };
}
