import { emptyBytes, fromHex, toHex } from "@vedette/crypto";
import { Block, hashKey, type ProcessedDeploy } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { unlimitedParents } from "../ChainRules.js";
import { Dag } from "../dag/Dag.js";
import { genesisFirst } from "../dag/firstMessage.js";
import { BlockLineage } from "../finality/f1r3node/blockLineage.js";
import { MemoryFloorCache } from "../finality/f1r3node/FloorCache.js";
import { Floors } from "../finality/f1r3node/Floors.js";
import { StateLineage } from "../finality/f1r3node/StateLineage.js";
import { chooseF1r3nodeParents } from "../forkChoice/f1r3node/chooseF1r3nodeParents.js";
import { type TipLimits, TipRanking, type Vote } from "../forkChoice/f1r3node/TipRanking.js";
import { f1r3node0445 } from "../ruleSets/f1r3node0445.js";

/** One line of a `forkchoice*.jsonl` file: a DAG, and what f1r3node chose on it. Hashes and keys are hex. */
interface ForkChoiceVector {
  readonly id: number;
  readonly validators: readonly { readonly pk: string; readonly stake: number | null }[];
  readonly genesis: string;
  readonly approved: string;
  /** In the order of insertion. */
  readonly blocks: readonly VectorBlock[];
  readonly dagLatestMessages: Readonly<Record<string, string>>;
  /** Those that the choices were made with. */
  readonly latestMessages: Readonly<Record<string, string>>;
  /** The common ancestor of all latest messages. */
  readonly lca: string;
  /** Block → the stake behind it; blocks without an entry have no stake behind them. */
  readonly scores: Readonly<Record<string, number>>;
  readonly tips: readonly string[];
  /** Limit → the tips within it. */
  readonly tipsMaxParents: Readonly<Record<string, readonly string[]>>;
  readonly tipsMaxDepth: Readonly<Record<string, readonly string[]>>;
  /** Fault tolerance in parts of a million. */
  readonly ftPpm: number;
  /** Latest message → its frontier. */
  readonly frontiers: Readonly<Record<string, string>>;
  readonly parentChoice: readonly ParentChoice[];
}

interface VectorBlock {
  readonly hash: string;
  readonly number: number;
  readonly sender: string;
  readonly seqNum: number;
  readonly parents: readonly string[];
  readonly justifications: Readonly<Record<string, string>>;
  readonly bonds?: Readonly<Record<string, number>>;
  readonly invalid?: boolean;
  readonly hasDeploys?: boolean;
}

interface ParentChoice {
  /** -1 is unlimited. */
  readonly maxParents: number;
  /** `null` is unlimited. */
  readonly maxDepth: number | null;
  readonly own?: string;
  readonly parents: readonly string[];
}

/** Returns whether a file holds vectors of the fork choice, by its name alone. */
export function isForkChoiceFile(fileName: string): boolean {
  return /(^|\/)forkchoice[^/]*\.jsonl(\.gz)?$/.test(fileName);
}

/**
 * Builds the DAG of each line of a file of vectors, and compares latest messages, scores, tips, frontiers and the
 * parents of proposals with those of f1r3node.
 *
 * @spec 61 §13.2, 61 §13.7
 */
export function* checkForkChoice(text: string): Generator<{ readonly id: string; readonly differences: string[] }> {
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const vector = JSON.parse(line) as ForkChoiceVector;
    yield { id: `forkchoice/${vector.id}`, differences: differencesOf(vector) };
  }
}

function differencesOf(vector: ForkChoiceVector): string[] {
  const made = new VectorDag(vector);
  return [
    ...latestMessageDifferences(vector, made),
    ...attempted("tips", () => tipDifferences(vector, made)),
    ...attempted("frontiers", () => frontierDifferences(vector, made)),
    ...vector.parentChoice.flatMap((choice) =>
      attempted(nameOf(choice), () => parentDifferences(vector, made, choice)),
    ),
  ];
}

/** An exception is a difference too: no vector ends in an error. */
function attempted(what: string, compare: () => string[]): string[] {
  try {
    return compare();
  } catch (error) {
    return [`${what}: ${String(error)}`];
  }
}

function latestMessageDifferences({ dagLatestMessages }: ForkChoiceVector, { dag }: VectorDag): string[] {
  const ours = new Map(dag.latestMessages().map(({ validator, hash }) => [toHex(validator), toHex(hash)]));
  return Object.entries(dagLatestMessages)
    .filter(([validator, hash]) => ours.get(validator) !== hash)
    .map(
      ([validator, hash]) => `latest message of ${validator}: expected ${hash}, ours ${ours.get(validator) ?? "none"}`,
    );
}

function tipDifferences(vector: ForkChoiceVector, { dag, votes }: VectorDag): string[] {
  const ranking = new TipRanking(dag, votes, {
    approved: dag.require(fromHex(vector.approved)),
    rank: f1r3node0445.rankTips,
  });
  const tipsWithin = (limits: Partial<TipLimits>) =>
    ranking.tips({ maximumParents: unlimitedParents, ...limits }).map(({ hash }) => toHex(hash));
  const different = (what: string, expected: readonly string[], ours: readonly string[]) =>
    ours.join() === expected.join() ? [] : [`${what}: expected ${expected.join(", ")}; ours ${ours.join(", ")}`];
  const scored = vector.blocks.flatMap(({ hash }) => {
    const score = ranking.scoreOf(dag.require(fromHex(hash)));
    return score === undefined ? [] : [`${hash} ${score}`];
  });
  const expected = vector.blocks.flatMap(({ hash }) => {
    const score = vector.scores[hash];
    return score === undefined ? [] : [`${hash} ${score}`];
  });
  return [
    ...different("common ancestor", [vector.lca], [toHex(ranking.ancestor.hash)]),
    ...different("scores", expected, scored),
    ...different("tips", vector.tips, tipsWithin({})),
    ...Object.entries(vector.tipsMaxParents).flatMap(([most, tips]) =>
      different(`tips, at most ${most}`, tips, tipsWithin({ maximumParents: Number(most) })),
    ),
    ...Object.entries(vector.tipsMaxDepth).flatMap(([depth, tips]) =>
      different(`tips, depth ${depth}`, tips, tipsWithin({ maximumParentDepth: Number(depth) })),
    ),
  ];
}

function frontierDifferences({ frontiers }: ForkChoiceVector, { dag, floors, votes }: VectorDag): string[] {
  const justifications = votes.map(({ validator, block }) => ({ validator, latestBlockHash: block.hash }));
  const blocks = Object.keys(frontiers).map((hash) => dag.require(fromHex(hash)));
  const found = floors.frontiersUnder(justifications, blocks);
  return Object.entries(frontiers).flatMap(([hash, frontier], index) => {
    const ours = toHex(found[index]!.hash);
    return ours === frontier ? [] : [`frontier of ${hash}: expected ${frontier}, ours ${ours}`];
  });
}

function parentDifferences(vector: ForkChoiceVector, made: VectorDag, choice: ParentChoice): string[] {
  const { dag, floors, facts, votes } = made;
  const maximumParentDepth = choice.maxDepth ?? unlimitedParents;
  const rules = { maximumParents: choice.maxParents, maximumParentDepth };
  const ownKey = choice.own === undefined ? "" : hashKey(fromHex(choice.own));
  const approved = dag.require(fromHex(vector.approved));
  const sources = { dag, floors, facts, rules, ruleSet: f1r3node0445 };
  const parents = chooseF1r3nodeParents(sources, approved, { votes, ownKey });
  const ours = parents.map(({ hash }) => toHex(hash));
  return ours.join() === choice.parents.join()
    ? []
    : [`${nameOf(choice)}: expected ${choice.parents.join(", ")}; ours ${ours.join(", ")}`];
}

function nameOf({ maxParents, maxDepth, own }: ParentChoice): string {
  const proposer = own === undefined ? "" : ` of ${own.slice(0, 8)}`;
  return `parents${proposer} (at most ${maxParents}, depth ${maxDepth ?? "unlimited"})`;
}

/** The DAG of a vector, in memory. */
class VectorDag {
  readonly dag = new Dag(new MemoryStore(tablesOf("chain")), undefined, genesisFirst);
  readonly facts = new BlockLineage({ find: (hash) => this.#blocks.get(hashKey(hash)) });
  readonly floors: Floors;
  /** Latest messages that are valid. */
  readonly votes: readonly Vote[];
  readonly #blocks = new Map<string, Block>();

  constructor(vector: ForkChoiceVector) {
    const { dag, facts } = this;
    const lineage = new StateLineage(dag, facts);
    const tolerance = () => BigInt(vector.ftPpm);
    this.floors = new Floors({ dag, lineage, cache: new MemoryFloorCache(), tolerance });
    for (const one of vector.blocks) {
      const block = blockOf(one, vector);
      this.#blocks.set(hashKey(block.hash), block);
      dag.insert(block, { invalid: one.invalid === true, approved: one.hash === vector.genesis });
    }
    this.votes = Object.entries(vector.latestMessages)
      .map(([validator, hash]) => ({ validator: fromHex(validator), block: dag.require(fromHex(hash)) }))
      .filter(({ block }) => !dag.isInvalid(block.hash));
  }
}

/** Only whether a block has deploys of users counts. */
const anyDeploy: ProcessedDeploy = {
  deploy: {
    deployer: new Uint8Array(65),
    term: "Nil",
    timestamp: 0n,
    signature: Uint8Array.of(1),
    algorithm: "secp256k1",
    phloPrice: 1n,
    phloLimit: 10n,
    validAfterBlockNumber: 0n,
    shardId: "root",
  },
  cost: 1n,
  log: [],
  failed: false,
  systemDeployError: "",
};

function blockOf(one: VectorBlock, { validators }: ForkChoiceVector): Block {
  const genesisBonds = validators.flatMap(({ pk, stake }) => (stake === null ? [] : [[pk, stake] as const]));
  const bonds = one.bonds === undefined ? genesisBonds : Object.entries(one.bonds);
  const [mainParent] = one.parents;
  return new Block({
    hash: fromHex(one.hash),
    header: {
      parents: one.parents.map((hash) => fromHex(hash)),
      timestamp: BigInt(one.number),
      version: 1n,
      extraBytes: emptyBytes,
    },
    body: {
      state: {
        preStateHash: new Uint8Array(32),
        postStateHash: new Uint8Array(32),
        bonds: bonds.map(([pk, stake]) => ({ validator: fromHex(pk), stake: BigInt(stake) })),
        blockNumber: BigInt(one.number),
      },
      deploys: one.hasDeploys === true ? [anyDeploy] : [],
      systemDeploys: [],
      extraBytes: emptyBytes,
      rejectedDeploys: [],
      ...(mainParent === undefined ? {} : { mergeBase: fromHex(mainParent) }),
    },
    justifications: Object.entries(one.justifications).map(([validator, hash]) => ({
      validator: fromHex(validator),
      latestBlockHash: fromHex(hash),
    })),
    sender: fromHex(one.sender),
    sequenceNumber: one.seqNum,
    signature: emptyBytes,
    signatureAlgorithm: one.sender === "" ? "" : "secp256k1",
    shardId: "root",
    extraBytes: emptyBytes,
  });
}
