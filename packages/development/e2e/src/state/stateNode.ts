// Run as a program of its own by `states.test.ts`: threads run compiled modules only.
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  emptyBytes,
  fromHex,
  SplittableRandom,
  secp256k1PublicKeyOf,
  toHex,
  vaultAddressOfPublicKey,
} from "@vedette/crypto";
import { genesisDeploys, mergeableTag, rnodeGenesis } from "@vedette/execution";
import { RnodeExecutor } from "@vedette/executor";
import { openStateStore, ReaderPool } from "@vedette/executor/threads";
import { Block, decodeBlock, hashBlock, rnode } from "@vedette/protocol";
import { TestQueries } from "@vedette/queries/testing";
import { evaluate, installSystemProcesses, matchDatum } from "@vedette/rholang";
import { createHttpServer } from "@vedette/server";
import { PlaySpace, StateStore } from "@vedette/tuplespace";

const publicKey = secp256k1PublicKeyOf(fromHex("67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530"));
const address = vaultAddressOfPublicKey(publicKey)!;

/** The content of the last state beside genesis. */
const program = `
  @"greeting"!("hello", 1) | @"greeting"!!({"to": "world"}) |
  for (@x <- @"left" & @y <- @"right") { @"sum"!(x + y) } |
  contract @"twice"(@n, return) = { return!(2 * n) } |
  @[1, 2]!(Nil)`;

/** A state after genesis, and one with what a program left. */
function makeStates(stateDirectory: string): readonly [Uint8Array, Uint8Array, Uint8Array] {
  const store = openStateStore({ stateDirectory });
  const executor = new RnodeExecutor(store);
  const empty = executor.makeEmptyState();
  const parameters = {
    shardId: "root",
    bonds: [{ validator: publicKey, stake: 100n }],
    wallets: [{ address, balance: 12_345n }],
    minimumBond: 1n,
    maximumBond: 1_000n,
    epochLength: 10,
    quarantineLength: 10,
    numberOfActiveValidators: 10,
    posMultiSigPublicKeys: [toHex(publicKey)],
    posMultiSigQuorum: 1,
  };
  const deploys = genesisDeploys(parameters, rnodeGenesis);
  const genesis = executor.playGenesis({ timestamp: 1_700_000_000_000n, blockNumber: 0n, deploys });
  if (genesis.kind === "failed") throw new Error(genesis.message);
  const root = decodeBlock(genesis.block, rnode.blockForm).body.state.postStateHash.slice();
  const space = new PlaySpace(new StateStore(store), matchDatum, root);
  installSystemProcesses(space);
  const random = SplittableRandom.fromSeed(emptyBytes);
  evaluate({
    ...{ program: { source: program, environment: new Map() }, space, random, mergeableTag },
    phloLimit: 1_000_000n,
    replay: false,
  });
  return [empty, root, space.checkpoint().root];
}

function blockAt(
  number: bigint,
  parent: Block | undefined,
  preStateHash: Uint8Array,
  postStateHash: Uint8Array,
): Block {
  const fields = {
    hash: emptyBytes,
    header: {
      parents: parent === undefined ? [] : [parent.hash],
      timestamp: 1_700_000_000_000n + number,
      version: 1n,
      extraBytes: emptyBytes,
    },
    body: {
      state: { preStateHash, postStateHash, bonds: [{ validator: publicKey, stake: 100n }], blockNumber: number },
      deploys: [],
      systemDeploys: [],
      extraBytes: emptyBytes,
      rejectedDeploys: [],
    },
    justifications: parent === undefined ? [] : [{ validator: publicKey, latestBlockHash: parent.hash }],
    sender: parent === undefined ? emptyBytes : publicKey,
    sequenceNumber: Number(number),
    signature: emptyBytes,
    signatureAlgorithm: "secp256k1",
    shardId: "root",
    extraBytes: emptyBytes,
  };
  return new Block({ ...fields, hash: hashBlock(new Block(fields), rnode) });
}

const path = mkdtempSync(join(tmpdir(), "vedette-states-"));
const [empty, genesisRoot, lastRoot] = makeStates(path);
// The first block's states are not here, as on a node that began with a snapshot.
const first = blockAt(0n, undefined, empty, new Uint8Array(32).fill(0xee));
const second = blockAt(1n, first, first.body.state.postStateHash, genesisRoot);
const third = blockAt(2n, second, genesisRoot, lastRoot);
{
  await using pool = new ReaderPool({ stateDirectory: path, threads: 2, dialect: rnode.name, maxWaiting: 100 });
  const node = TestQueries.over(pool);
  node.chain.insertTrusted(first, false);
  node.chain.insertApproved(second);
  node.chain.insertTrusted(third, false);
  const server = createHttpServer({ queries: node.queries(), metrics: async () => "" });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const blocks = [first, second, third].map(({ hash, body: { state } }) => ({
    hash: toHex(hash),
    root: toHex(state.postStateHash),
  }));
  process.stdout.write(`${JSON.stringify({ port, blocks, address, publicKey: toHex(publicKey) })}\n`);
  // Until the test that started it closes its end.
  for await (const _ of process.stdin);
  await server.close();
}
rmSync(path, { recursive: true, force: true });
