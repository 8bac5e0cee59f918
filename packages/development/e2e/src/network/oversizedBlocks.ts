import { randomBytes } from "node:crypto";
import { emptyBytes } from "@vedette/crypto";
import { userDeploy } from "@vedette/node/testing";
import { Block, type BlockFields, type Body, type ChainState, ConsumeEvent, type Header } from "@vedette/protocol";
import { randomHashes, type Signer, signedAs, signerOf } from "./HostilePeer.js";

/** A fault of a block, the block, and whether it cannot even be read. */
export type Oversized = readonly [name: string, make: () => Block, isUnreadable?: boolean];

const links = 4096;

/** Blocks at the bounds of 40 §4.9, each wrong in one thing, made from a good one; others each time. */
export function oversizedBlocks(model: Block, signer: Signer): Oversized[] {
  const good = new Block({ ...model, body: { ...model.body, extraBytes: new Uint8Array(randomBytes(8)) } });
  const signed = (change: Partial<BlockFields>) => signedAs({ ...good, ...change }, signer);
  const withHeader = (change: Partial<Header>) => signed({ header: { ...good.header, ...change } });
  const withBody = (change: Partial<Body>) => signed({ body: { ...good.body, ...change } });
  const withState = (change: Partial<ChainState>) => withBody({ state: { ...good.body.state, ...change } });
  const { parents } = good.header;
  const { systemDeploys } = good.body;
  const bonds = (count: number) => randomHashes(count, 65).map((validator) => ({ validator, stake: 1n }));
  const rejectedDeploys = randomHashes(16_384, 72).map((signature) => ({ signature }));
  const blockNumber = 4_600_000_000_000_000_000n;
  return [
    ["4,096 unknown justifications", () => signed({ justifications: unknownJustifications(links) })],
    ["4,096 unknown parents", () => withHeader({ parents: randomHashes(links) })],
    ["4,096 times the same parent", () => withHeader({ parents: Array(links).fill(parents[0]) })],
    ["as often, without deploys", () => sameParents(good, signer)],
    ["4,096 bonds", () => withState({ bonds: bonds(links) })],
    ["2,000 bonds and an absurd height", () => withState({ bonds: bonds(2_000), blockNumber })],
    ["16,384 rejected deploys", () => withBody({ rejectedDeploys })],
    ["4,096 deploys", () => withBody({ deploys: tinyDeploys(4_096, good) })],
    ["200 deploys", () => withBody({ deploys: tinyDeploys(200, good) })],
    ["4,097 system deploys", () => withBody({ systemDeploys: [...slashes(links), systemDeploys.at(-1)!] })],
    ["320,000 events", () => withBody({ deploys: withEvents(good, 320_000) })],
    ["900,000 events", () => withBody({ deploys: withEvents(good, 900_000) }), true],
    ["20,000 events", () => withBody({ deploys: withEvents(good, 19_000) })],
    ["900,000 empty bonds", () => withState({ bonds: Array(900_000).fill({ validator: emptyBytes, stake: 0n }) })],
    ["16 MB of extra bytes", () => signed({ extraBytes: new Uint8Array(16 << 20) })],
    ["60 MB of extra bytes", () => signed({ extraBytes: new Uint8Array(60 << 20) })],
    ["30 MB that nothing makes smaller", () => signed({ extraBytes: new Uint8Array(randomBytes(30 << 20)) })],
    ["a shard of 16 MB", () => signed({ shardId: "r".repeat(16 << 20) })],
    ["a program of 16 MB", () => withBody({ deploys: [programOf(good, 16 << 20)] })],
    ["keys of 60,000 bytes", () => withState({ bonds: [{ validator: new Uint8Array(60_000), stake: 1n }] })],
    ["absurd numbers", () => signed({ sequenceNumber: 2 ** 31 - 1, header: { ...good.header, timestamp: 0n } })],
    ["one that nothing is wrong with but its signer's hurry", () => withHeader({ timestamp: 2n ** 62n })],
  ];
}

function unknownJustifications(count: number) {
  const keys = randomHashes(count, 65);
  return randomHashes(count).map((latestBlockHash, index) => ({ validator: keys[index]!, latestBlockHash }));
}

function sameParents(good: Block, signer: Signer): Block {
  const parents = Array(links).fill(good.parents[0]);
  const body = { ...good.body, deploys: [] };
  return signedAs({ ...good, header: { ...good.header, parents }, body }, signer);
}

function tinyDeploys(count: number, { number, shardId }: Block): Body["deploys"] {
  return Array.from({ length: count }, () => ({
    deploy: userDeploy("deployer", "Nil", { validAfterBlockNumber: number - 1n, shardId }),
    ...{ cost: 1n, log: [], failed: false, systemDeployError: "" },
  }));
}

function programOf({ number, shardId }: Block, bytes: number): Body["deploys"][number] {
  const deploy = userDeploy("deployer", `Nil${" ".repeat(bytes)}`, { validAfterBlockNumber: number - 1n, shardId });
  return { deploy, cost: 1n, log: [], failed: false, systemDeployError: "" };
}

function withEvents(good: Block, count: number): Body["deploys"] {
  const [deploy] = tinyDeploys(1, good);
  const log = Array(count).fill(new ConsumeEvent([emptyBytes], new Uint8Array(32), false));
  return [{ ...deploy!, log }];
}

function slashes(count: number): Body["systemDeploys"] {
  const issuerPublicKey = signerOf("v1").publicKey;
  return randomHashes(count).map((invalidBlockHash) => ({
    systemDeploy: { kind: "slash", invalidBlockHash, issuerPublicKey },
    ...{ log: [], error: "" },
  }));
}
