import { toHex } from "@vedette/crypto";
import { loadForms, StateReader } from "@vedette/executor";
import { type Block, decodeStoreItems, type StoreNodeKey } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import type { DiskNode } from "./DiskNode.js";
import { type DiskFixture, deploysAt, importedAt, lineLength } from "./diskWorld.js";

/** The work of a node. */
export type DiskStage = (typeof diskStages)[number];

const rnodeForms = await loadForms("rnode");

export const diskStages = ["replay", "propose", "merge", "state import"] as const;
/** On an f1r3node network: a state is imported there with all of its horizon, over sockets. */
export const f1r3nodeDiskStages: readonly DiskStage[] = ["replay", "propose", "merge"];

/** Receives what others may rely on from now on: `<kind> <what>`. */
export type OnDurable = (promise: string) => void;

/** Nodes of a page: few, so that there are many pages. */
const pageNodes = 20;

/** Does what is left of a stage's work, from whatever an earlier run left. The end is the same in every run. */
export async function work(stage: DiskStage, node: DiskNode, world: DiskFixture, promised: OnDurable): Promise<void> {
  promised(`node ${node.nodeId}`);
  if (stage === "state import") importState(node, world, promised);
  else await node.adoptGenesis({ candidate: { block: world.genesis, requiredSignatures: 0 }, signatures: [] });
  promised(`block ${toHex(node.chain.blocks.approvedBlock()!.candidate.block.hash)}`);
  if (stage === "propose") await propose(node, world, promised);
  else await take(node, stage === "merge" ? world.merging : world.line, promised);
  await node.index();
  promised("index");
  await node.deriveAll();
}

async function propose(node: DiskNode, { dialect }: DiskFixture, promised: OnDurable): Promise<void> {
  const { proposing } = node.validator;
  node.onAnnounced = ({ sequenceNumber, hash }) => promised(`own ${sequenceNumber} ${toHex(hash)}`);
  for (let height = node.height + 1; height <= lineLength; height += 1) {
    for (const deploy of deploysAt(height, "u1", dialect)) {
      const refusal = await proposing.submit(deploy);
      if (refusal !== undefined) throw new TypeError(`deploy of height ${height} is refused: ${refusal}`);
      promised(`deploy ${toHex(deploy.signature)}`);
    }
    const block = await node.validator.make();
    promised(`block ${toHex(block.hash)}`);
  }
}

async function take(node: DiskNode, blocks: readonly Block[], promised: OnDurable): Promise<void> {
  for (const [index, block] of blocks.entries()) {
    if (node.chain.dag.has(block.hash)) continue;
    const { status } = await node.chain.process(block, false);
    if (status.status !== "Valid")
      throw new TypeError(`block ${block.number} is ${"message" in status ? status.message : status.status}`);
    promised(`block ${toHex(block.hash)}`);
    if (index % 3 === 2) await node.index();
  }
}

/** Imports a state like a node that begins at the state of a block amid the line; present pieces are not requested. */
function importState(node: DiskNode, world: DiskFixture, promised: OnDurable): void {
  if (node.chain.blocks.approvedBlock() !== undefined) return;
  const block = world.line[importedAt - 1]!;
  const root = block.body.state.postStateHash;
  for (let missing = node.executor.missing(root); missing.length > 0; missing = node.executor.missing(root))
    for (const hash of missing) importSubtree(node, world, hash, promised);
  node.executor.recordRoot(root);
  promised(`root ${toHex(root)}`);
  const before = [world.genesis, ...world.line.slice(0, importedAt - 1)].reverse();
  for (const one of before) if (!node.chain.blocks.has(one.hash)) node.chain.blocks.put(one);
  const approved = { candidate: { block, requiredSignatures: 0 }, signatures: [] };
  node.chain.adoptImported(
    approved,
    before.map(({ hash }) => ({ hash, isInvalid: false })),
  );
}

function importSubtree(node: DiskNode, world: DiskFixture, hash: Uint8Array, promised: OnDurable): void {
  const server = serverOf(world);
  let startPath: readonly StoreNodeKey[] | undefined = [{ hash, index: undefined }];
  while (startPath !== undefined) {
    const page = server.exportPage({ startPath, skip: 0, take: pageNodes });
    if (page === undefined) throw new TypeError("a page is not there");
    ({ nextPath: startPath } = node.executor.importPage({ startPath, take: pageNodes, page }));
    for (const { key } of decodeStoreItems(page).historyItems) promised(`state ${toHex(key)}`);
  }
}

const servers = new Map<DiskFixture, StateReader>();

/** A node that has the state and serves it. */
function serverOf(world: DiskFixture): StateReader {
  const known = servers.get(world);
  if (known !== undefined) return known;
  const states = new MemoryStore(tablesOf("state"));
  states.write((tables) => {
    for (const [name, entries] of Object.entries(world.states))
      for (const [key, value] of entries) tables(name as keyof DiskFixture["states"]).put(key, value);
  });
  const server = new StateReader(states, { isCancelled: () => false, nowMs: () => 0 }, { forms: rnodeForms });
  servers.set(world, server);
  return server;
}
