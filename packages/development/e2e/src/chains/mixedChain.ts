import {
  BlockPacking,
  BlockTable,
  Chain,
  type ChainEvent,
  type ChainRules,
  noteMerge,
  referenceProposing,
} from "@vedette/chain";
import { addressOfKey, transferTerm } from "@vedette/client";
import { executionOf } from "@vedette/executor";
import { startExecutorThread } from "@vedette/executor/threads";
import { type ProposeSettings, Proposing } from "@vedette/node";
import { openDataDirectory } from "@vedette/node/machine";
import { testKey, userDeploy } from "@vedette/node/testing";
import { type Block, blockSignerOf, rnode } from "@vedette/protocol";
import { EventLog } from "@vedette/queries/events";
import { LmdbStore, tablesOf } from "@vedette/store";

const users = ["u1", "u2", "u3", "u4"];
/** One block in this many contains this. */
const contractCallEvery = 20;
const largeDeployEvery = 500;
const largeTextBytes = 100_000;

/** The content of a made chain's blocks. */
export type Mix = "transfers" | "mixed" | "busy";

const validators = ["v1", "v2", "v3"];
const rhythmMs = 2_000;
const rules: Omit<ChainRules, "emptyStateHash"> = {
  dialect: rnode,
  shardName: "root",
  maximumParents: 1,
  maximumParentDepth: undefined,
  minimumPhloPrice: 0n,
  faultToleranceThreshold: 0,
  finalizationRate: 1,
};
const settings: ProposeSettings = {
  constraints: { synchronyThreshold: 0, heightThreshold: 1_000n },
  autopropose: false,
  // It is not run: that there is one lets blocks be empty.
  heartbeat: { checkIntervalMs: rhythmMs, maximumLfbAgeMs: rhythmMs, wakesOnDeploy: false },
};

/** The parameters of a chain. */
export interface MixedChain {
  readonly blocks: number;
  /**
   * `transfers`: every block has one transfer and nothing else. `mixed`: as those of a quiet network. `busy`: every block
   * has a transfer of each of four users and calls a contract, which stores a value under a new name.
   */
  readonly mix: Mix;
  /** Receives each block when it is on disk; the next one is made when its promise settles. */
  readonly onBlock?: (block: Block) => void | Promise<void>;
}

/**
 * Makes a chain; the mixed one has blocks as those of a real one: half of them empty, the others with a transfer; every 20th calls
 * a contract, every 500th has a large deploy. The three validators of the genesis take turns every two seconds of the
 * chain's own time, all in one node.
 *
 * Its log of events begins with the genesis.
 */
export async function makeMixedChain(
  dataDir: string,
  genesis: Block,
  { blocks, mix, onBlock }: MixedChain,
): Promise<void> {
  await using directory = await openDataDirectory(dataDir, rnode.name);
  await using executor = startExecutorThread({ stateDirectory: directory.state, dialect: "rnode" });
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  const log = new EventLog({ store, newId: () => new Uint8Array(8), hasOneParent: false });
  let clockMs = Number(genesis.header.timestamp);
  const nowMs = () => clockMs;
  const execution = executionOf(executor, new BlockTable(store, { form: rnode.blockForm }), undefined, {
    onMerge: (block, scope, merged) => noteMerge(store, block, scope, merged),
  });
  const turns: Proposing[] = [];
  const emit = (event: ChainEvent) => {
    for (const one of turns) one.onChainEvent(event);
  };
  const emptyStateHash = await executor.makeEmptyState();
  const { record } = log;
  const chain = new Chain({ store, rules: { ...rules, emptyStateHash }, execution, nowMs, emit, record });
  log.open(chain.dag, rules.faultToleranceThreshold);
  const wrong = await chain.adoptGenesis({ candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] });
  if (wrong !== undefined) throw new Error(`the genesis is not adopted: ${wrong.status}`);
  for (const name of validators)
    turns.push(
      new Proposing({
        ...{ chain, store, nowMs, forbiddenKeys: [], settings, rules: referenceProposing(execution) },
        key: blockSignerOf(testKey(name).privateKey),
        whyNotYet: () => undefined,
        announce: () => undefined,
        emit: () => undefined,
        monotonicMs: () => performance.now(),
      }),
    );
  const packing = new BlockPacking(store, () => chain.dag.lastFinalized()?.number);
  for (let number = 1; number <= blocks; number += 1) {
    clockMs += rhythmMs;
    const one = turns[number % turns.length]!;
    const terms = termsOf(number, mix);
    for (const [at, term] of terms.entries()) {
      const change = { validAfterBlockNumber: chain.dag.nextBlockNumber() - 1n, phloLimit: 100_000_000n };
      const deploy = userDeploy(userOf(number + at), term, change);
      const refusal = await one.submit(deploy);
      if (refusal !== undefined) throw new Error(`the deploy of block ${number} is refused: ${refusal}`);
    }
    const result = await one.proposer.propose();
    if (result.status !== "Success") throw new Error(`block ${number}: ${result.status} ${result.reason ?? ""}`);
    const { deploys } = result.block.body;
    if (deploys.length !== terms.length || deploys.some(({ failed }) => failed))
      throw new Error(`block ${number} of the mixed chain has not what it should have`);
    await packing.step();
    await onBlock?.(result.block);
  }
}

/** Returns the terms that the users from `number` on put into a block, one each. */
function termsOf(number: number, mix: Mix): readonly string[] {
  if (mix === "transfers") return [transferOf(number)];
  if (number === 1) return [counterContract];
  if (mix === "busy") return [...users.map((_, at) => transferOf(number + at)), `@"counter"!(${number})`];
  if (number % largeDeployEvery === largeDeployEvery / 2) return [`@"large ${number}"!("${textOf(number)}")`];
  if (number % contractCallEvery === 0) return [`@"counter"!(${number})`];
  return number % 2 === 0 ? [] : [transferOf(number)];
}

function userOf(number: number): string {
  return users[number % users.length]!;
}

function transferOf(number: number): string {
  return transferTerm(addressOf(userOf(number)), addressOf(userOf(number + 1)), BigInt(number), "rnode");
}

const counterContract = `
  @"count"!(0) |
  contract @"counter"(@by) = {
    for (@count <- @"count") {
      @"count"!(count + by) | for (_ <- @["seen", by]) { Nil } | @["seen", by]!({"by": by, "count": count})
    }
  }`;

/** Makes random letters and digits, which compress badly. */
function textOf(seed: number): string {
  let state = seed;
  const parts: string[] = [];
  for (let length = 0; length < largeTextBytes; length += 5) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    parts.push((state % 60_466_176).toString(36).padStart(5, "0"));
  }
  return parts.join("");
}

function addressOf(user: string): string {
  return addressOfKey({ algorithm: "secp256k1", ...testKey(user) });
}
