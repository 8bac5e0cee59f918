import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addressOfKey, transferTerm } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import { RnodeExecutor } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import { SoloValidator, testGenesis, testKey, userDeploy } from "@vedette/node/testing";
import { type Block, encodeApprovedBlock, encodeBlock, encodeStoreItems } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import type { MergedScope, RecordedBlockFacts } from "@vedette/testing";
import { exportItems, importItems, pageSize, StateStore } from "@vedette/tuplespace";

const rounds = 4;
const beginMs = 1_700_000_000_000;
const maximumParents = 10;
const faultToleranceThreshold = 0.1;
const wealth = 50_000_000_000_000_000n;
const bonds = { v1: 1000n, v2: 1100n, v3: 900n };
const wallets = { u1: wealth, u2: wealth, u3: wealth, u4: wealth, v1: wealth, v2: wealth, v3: wealth };
const epochs = { epochLength: 4, quarantineLength: 4 };

const addressOf = (user: string): string => addressOfKey({ algorithm: "secp256k1", ...testKey(user) });

/** The validators that make the blocks of each round, in this order. */
const makers = ["v1", "v2", "v3"] as const;

/** The deploys of each validator in a round: those of v1 and v2 conflict, as their blocks are made side by side. */
const deploysOf: Readonly<Record<(typeof makers)[number], (round: number) => readonly (readonly [string, string])[]>> =
  {
    v1: (round) => [
      ["u1", transferTerm(addressOf("u1"), addressOf("u2"), BigInt(1_000 + round), "rnode")],
      ["u3", `for (@n <- @"shared") { @"shared"!(n + 1) } | @"round ${round}"!("of v1")`],
    ],
    v2: (round) => [
      ["u2", `for (@n <- @"shared") { @"shared"!(n * 2) } | @"round ${round}"!("of v2")`],
      ["u4", transferTerm(addressOf("u4"), addressOf("zoe"), BigInt(7 * round + 1), "rnode")],
    ],
    v3: (round) => [
      ["u1", programs[round % programs.length]!],
      [
        "u2",
        `@"late ${round}"!([${round}, "${round}", { "a": ${round} }]) | for (@x <<- @"round ${round}") { @"seen"!(x) }`,
      ],
    ],
  };

/** One after another: a contract that stays, one that is called, one that fails, one that exceeds its limit. */
const programs = [
  `@"shared"!(0) | contract @"twice"(@x, ret) = { ret!(2 * x) } | new n in { n!(*n) | for (@y <- n) { @"held"!(y) } }`,
  `new ret in { @"twice"!(21, *ret) | for (@x <- ret) { @"answers"!(x) } } | @"keep"!!(Set(1, 2)) | for (@a <- @"x" & @b <= @"y") { Nil }`,
  `@"never"!(1 + "one")`,
  `new insert(\`rho:registry:insertArbitrary\`), uri in { insert!(bundle+{*uri}, *uri) | for (@it <- uri) { @"uri"!(it) } }`,
];

/**
 * Makes a chain of three validators with several parents and writes it down in the form of the recorded chains. The
 * clock and all deploys are fixed, so that it is the same chain whenever it is made.
 *
 * @param folder made where it is not there
 */
export async function recordOwnChain(folder: string): Promise<void> {
  const genesis = await testGenesis({ bonds, wallets, ...epochs, judgesByEvidence: false });
  const merges = new Map<string, MergedScope>();
  const states = new MemoryStore(tablesOf("state"));
  let height = 0;
  const rules = { maximumParents, faultToleranceThreshold };
  const nowMs = () => beginMs + 1_000 * (height + 1);
  const begin = (name: string) => SoloValidator.begin(name, genesis, { rules, nowMs });
  const [v1, v2, v3] = [await begin("v1"), await begin("v2"), await begin("v3")];
  const follower = await SoloValidator.begin("v1", genesis, {
    ...{ rules, nowMs, executor: executorHere(new RnodeExecutor(states)) },
    onMerge: (block, { baseStateHash, blocks }) =>
      merges.set(toHex(block.hash), { baseState: toHex(baseStateHash), blocks: blocks.map(toHex) }),
  });
  const blocks = [genesis];
  const share = async (block: Block, maker: SoloValidator) => {
    for (const one of [v1, v2, v3, follower]) if (one !== maker) await taken(one, block);
    blocks.push(block);
  };
  for (let round = 0; round < rounds; round += 1) {
    height += 1;
    const ours = await madeWith(v1, deploysOf.v1(round), height);
    const theirs = await madeWith(v2, deploysOf.v2(round), height);
    await share(ours, v1);
    await share(theirs, v2);
    height += 1;
    await share(await madeWith(v3, deploysOf.v3(round), height), v3);
  }
  const lastFinalized = follower.chain.dag.lastFinalized()!;
  const facts = blocks.map((block) => factsOf(block, follower, merges.get(toHex(block.hash))));
  const files: Readonly<Record<string, string | Uint8Array>> = {
    "network.json": `${JSON.stringify(networkFacts(), undefined, 2)}\n`,
    "blocks.bin": lengthPrefixed(blocks.map(encodeBlock)),
    "blocks.jsonl": facts.map((line) => `${JSON.stringify(line)}\n`).join(""),
    "approved-block.bin": encodeApprovedBlock({ candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] }),
    "dag.json": `${JSON.stringify(dagFacts(follower, blocks.length), undefined, 2)}\n`,
    "state-genesis.bin": lengthPrefixed(pagesOf(states, genesis.body.state.postStateHash)),
    "state-lfb.bin": lengthPrefixed(pagesOf(states, lastFinalized.postStateHash)),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

async function madeWith(maker: SoloValidator, deploys: readonly (readonly [string, string])[], height: number) {
  for (const [place, [user, term]] of deploys.entries()) {
    const refusal = await maker.proposing.submit(
      userDeploy(user, term, {
        timestamp: BigInt(beginMs + 1_000 * height + place),
        validAfterBlockNumber: BigInt(height - 2),
      }),
    );
    if (refusal !== undefined) throw new TypeError(`a deploy is refused: ${refusal}`);
  }
  return maker.make();
}

async function taken(validator: SoloValidator, block: Block): Promise<void> {
  const status = await validator.take(block);
  if (status !== "Valid") throw new TypeError(`a block of the chain is ${status}`);
}

function factsOf(block: Block, { chain }: SoloValidator, merged: MergedScope | undefined): RecordedBlockFacts {
  const { state, deploys, rejectedDeploys } = block.body;
  const { invalid, finalized } = chain.dag.require(block.hash);
  return {
    hash: toHex(block.hash),
    number: Number(block.number),
    seqNum: block.sequenceNumber,
    sender: toHex(block.sender),
    parents: block.parents.map(toHex),
    timestamp: Number(block.header.timestamp),
    preState: toHex(state.preStateHash),
    postState: toHex(state.postStateHash),
    bonds: state.bonds.map(({ validator, stake }) => ({ validator: toHex(validator), stake: Number(stake) })),
    deploys: deploys.map(({ deploy, cost, failed, systemDeployError, log }) => ({
      id: toHex(deploy.signature),
      cost: Number(cost),
      failed,
      systemError: systemDeployError === "" ? null : systemDeployError,
      events: log.length,
    })),
    rejectedDeploys: rejectedDeploys.map(({ signature }) => toHex(signature)),
    merged,
    invalid,
    finalized,
  };
}

function networkFacts() {
  return {
    ...{ dialect: "rnode", shard: "root", networkId: "vedette-own" },
    nodes: "three validators of our own: v1 and v2 side by side, then v3",
    wallets: Object.entries(wallets).map(([name, balance]) => ({ address: addressOf(name), balance: String(balance) })),
    ...{ maxNumberOfParents: maximumParents, faultToleranceThreshold, synchronyConstraintThreshold: 0, ...epochs },
    bonds: Object.entries(bonds).map(([name, stake]) => ({
      validator: toHex(testKey(name).publicKey),
      stake: String(stake),
    })),
  };
}

function dagFacts({ chain: { dag } }: SoloValidator, blocks: number) {
  const { hash, number } = dag.lastFinalized()!;
  return {
    lastFinalizedBlock: toHex(hash),
    lastFinalizedNumber: Number(number),
    blocks,
    invalidBlocks: dag.invalidBlocks().map((block) => toHex(block.hash)),
    latestMessages: dag
      .latestMessages()
      .map((message) => ({ validator: toHex(message.validator), block: toHex(message.hash) })),
  };
}

/** The pages of a state, in the order in which an importing node receives them. */
function pagesOf(store: MemoryStore, root: Uint8Array): Uint8Array[] {
  const source = new StateStore(store);
  const target = new StateStore(new MemoryStore(tablesOf("state")));
  const pages: Uint8Array[] = [];
  for (
    let path: Parameters<typeof exportItems>[1] | undefined = [{ hash: root, index: undefined }];
    path !== undefined;
  ) {
    const page = exportItems(source, path, { skip: 0, take: pageSize });
    if (page === undefined) throw new TypeError("a page of the state is not given");
    pages.push(encodeStoreItems(page));
    path = importItems(target, { startPath: path, take: pageSize }, page).nextPath;
  }
  return pages;
}

function lengthPrefixed(messages: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    messages.flatMap((message) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(message.length);
      return [length, message];
    }),
  );
}
