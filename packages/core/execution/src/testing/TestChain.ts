import { isDeepStrictEqual } from "node:util";
import { blake2b256, concatBytes, toHex } from "@vedette/crypto";
import {
  Block,
  type BlockCodec,
  type Bond,
  type Deploy,
  decodeBlock,
  encodeBlock,
  rnode,
  signDeploy,
} from "@vedette/protocol";
import type { OutputSink } from "@vedette/rholang";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import type { Par } from "@vedette/terms";
import { StateStore } from "@vedette/tuplespace";
import { testKey, testParameters } from "../contractTest/genesisState.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import type { GenesisParameters } from "../genesis/GenesisParameters.js";
import { genesisDeploys } from "../genesis/genesisDeploys.js";
import { rnodeGenesis } from "../genesis/rnodeGenesis.js";
import { mergeableIdOf, putMergeable } from "../merge/mergeableStore.js";
import { type BlockFromDeploys, type PlayedBlock, playBlock, playGenesis } from "../play/playBlock.js";
import type { BlockPlay } from "../play/playContent.js";
import { exploreDeploy } from "../query/exploreDeploy.js";
import { activeValidators, bonds } from "../query/proofOfStake.js";
import { replayBlock } from "../replay/replayBlock.js";
import { commitEmptyState } from "../runtime/emptyState.js";
import type { InvalidBlock } from "../runtime/Runtime.js";
import type { BlockSystemDeploy } from "../systemDeploy/blockSystemDeploy.js";
import { genesisTime, rnodeShared } from "./SharedGenesis.js";

/** A deploy of a test. */
export interface TestDeploy {
  /** A name for `testKey`. */
  readonly deployer: string;
  readonly term: string;
  readonly phloLimit?: bigint;
  readonly phloPrice?: bigint;
}

/** The content of a test's block besides the close of the block. */
export interface TestBlock {
  readonly deploys?: readonly TestDeploy[];
  /** Blocks for which their senders are slashed. */
  readonly slashes?: readonly InvalidBlock[];
  /** Known to be invalid; otherwise those of `slashes`. */
  readonly invalidBlocks?: readonly InvalidBlock[];
  /** A name for `testKey`. */
  readonly sender?: string;
  readonly output?: OutputSink;
  readonly tries?: BlockPlay["tries"];
  readonly limits?: BlockPlay["limits"];
}

/** A block and what was played for it, in any dialect. */
export interface LedgerBlock {
  readonly block: Block;
  readonly played: Pick<BlockFromDeploys, "deploys" | "systemDeploys" | "postState">;
}

/** A block and what was played for it. */
export interface MadeBlock extends LedgerBlock {
  readonly played: BlockFromDeploys;
}

/** A chain of a dialect, block by block, and questions to its latest state. */
export interface TestLedger {
  readonly genesis: Block;
  readonly root: Uint8Array;
  readonly number: number;
  add(content?: TestBlock): LedgerBlock;
  addUntil(number: number): void;
  make(parent: Block, content: TestBlock): LedgerBlock;
  /** Returns the messages that a program sends to the first name of its outermost `new`. */
  ask(source: string): readonly Par[];
  bonds(): Bond[];
  activeValidators(): Uint8Array[];
}

/** The start of a chain: the genesis of another one, or a state that has the contracts of genesis but the last. */
export interface ChainOrigin {
  readonly store: Store;
  readonly states: StateStore;
  readonly genesis?: Block;
  readonly contracts?: Uint8Array;
}

/** The contracts of genesis that do not depend on its parameters; chains with other parameters begin with them. */
let onContracts: ChainOrigin | undefined;

function makeContracts(): ChainOrigin {
  const deploys = genesisDeploys(testParameters(), rnodeGenesis).slice(0, rnodeGenesis.contracts.length - 1);
  const { store, states } = rnodeShared;
  return { store, states, contracts: rnodeShared.stateAfter(deploys) };
}

/** The first chain with the usual parameters: the others of the process begin with its genesis. */
let usual: TestChain | undefined;

/**
 * A chain that begins with our own genesis: every block is played, goes over the wire, is replayed, and must lead to
 * the same state.
 */
export class TestChain implements TestLedger {
  readonly store: Store;
  readonly states: StateStore;
  readonly genesis: Block;
  private latest: Block;
  private deploysSigned = 0n;

  /**
   * @param parameters the usual ones without
   * @param origin a chain with these parameters, so that genesis need not be played again; or the contracts, on which
   *   genesis has the vaults and proof of stake alone
   */
  constructor(
    parameters?: Partial<GenesisParameters>,
    origin: ChainOrigin | undefined = parameters === undefined ? usual : undefined,
  ) {
    this.store = origin?.store ?? new MemoryStore(tablesOf("state"));
    this.states = origin?.states ?? new StateStore(this.store);
    this.genesis = origin?.genesis ?? this.begin({ ...testParameters(), ...parameters }, origin?.contracts);
    this.latest = this.genesis;
    if (parameters === undefined) usual ??= this;
  }

  /** A chain with a short genesis of its own, upon contracts that the process has played once. */
  static onContracts(parameters: Partial<GenesisParameters>): TestChain {
    onContracts ??= makeContracts();
    return new TestChain(parameters, onContracts);
  }

  /** State after the latest block. */
  get root(): Uint8Array {
    return this.latest.body.state.postStateHash;
  }

  /** Number of the latest block. */
  get number(): number {
    return Number(this.latest.number);
  }

  /** Adds a block to the chain. */
  add(content: TestBlock = {}): MadeBlock {
    const made = this.make(this.latest, content);
    this.latest = made.block;
    return made;
  }

  /** Adds blocks without deploys until one has this number. */
  addUntil(number: number): void {
    while (this.number < number) this.add();
  }

  /** Makes a block on another one, and leaves the chain as it is. */
  make(
    parent: Block,
    { deploys = [], slashes = [], invalidBlocks = slashes, sender = "v1", ...rest }: TestBlock,
  ): MadeBlock {
    const number = parent.number + 1n;
    const timestamp = genesisTime + number * 1000n;
    const preState = parent.body.state.postStateHash;
    const issuerPublicKey = testKey(sender).publicKey;
    const systemDeploys: BlockSystemDeploy[] = [
      ...slashes.map(({ blockHash }) => ({ kind: "slash", issuerPublicKey, invalidBlockHash: blockHash }) as const),
      { kind: "closeBlock" },
    ];
    const play: BlockPlay = {
      ...{ preState, invalidBlocks, systemDeploys, ...rest },
      blockData: { timestamp, blockNumber: number, sender: issuerPublicKey, sequenceNumber: Number(number) },
      deploys: deploys.map((deploy) => this.sign(deploy)),
    };
    const played = playBlock(this.states, play);
    const block = blockOf({ parents: [parent.hash], sender, number, timestamp, preState }, played);
    return { block: this.check(block, played, invalidBlocks), played };
  }

  /** Returns the messages that a program sends to the first name of its outermost `new`. */
  ask(source: string): readonly Par[] {
    const anonymousKey = new Uint8Array(65).fill(4);
    const exploration = {
      form: rnodeExecution,
      root: this.root,
      source,
      deployer: anonymousKey,
      signature: anonymousKey,
      timestamp: 0n,
    };
    const result = exploreDeploy(this.states, exploration);
    if (result.kind === "failed") throw result.error;
    return result.pars;
  }

  bonds(): Bond[] {
    return bonds(this.states, this.root, { form: rnodeExecution });
  }

  activeValidators(): Uint8Array[] {
    return activeValidators(this.states, this.root, { form: rnodeExecution });
  }

  private begin(parameters: GenesisParameters, contracts: Uint8Array | undefined): Block {
    const all = genesisDeploys(parameters, rnodeGenesis);
    const deploys = contracts === undefined ? all : all.slice(rnodeGenesis.contracts.length - 1);
    const preState = contracts ?? commitEmptyState(this.states, rnodeExecution);
    const played = playGenesis(this.states, { preState, timestamp: genesisTime, blockNumber: 0n, deploys });
    if (played.deploys.length !== deploys.length) throw new Error("A deploy of genesis failed");
    const shape = { parents: [], sender: "", number: 0n, timestamp: genesisTime, preState };
    return this.check(blockOf(shape, played), played, []);
  }

  private sign(deploy: TestDeploy): Deploy {
    this.deploysSigned += 1n;
    return signTestDeploy(deploy, this.deploysSigned);
  }

  /** @returns the block as it came over the wire */
  private check(block: Block, played: PlayedBlock, invalidBlocks: readonly InvalidBlock[]): Block {
    const received = decodeBlock(encodeBlock(block), rnode.blockForm);
    const { preStateHash } = received.body.state;
    const replayed = replayBlock(this.states, { block: received, preState: preStateHash, invalidBlocks });
    const name = `Block ${block.number}`;
    if ("failure" in replayed) throw new Error(`${name} is refused: ${JSON.stringify(replayed.failure)}`);
    if (toHex(replayed.postState) !== toHex(played.postState))
      throw new Error(`${name} leads to another state in replay`);
    if (!isDeepStrictEqual(replayed.numberChannels, played.numberChannels))
      throw new Error(`${name} changes other numbers in replay`);
    putMergeable(this.store, mergeableIdOf(received), replayed.numberChannels);
    return received;
  }
}

/** @param count that no other deploy of the chain has */
export function signTestDeploy(
  { deployer, term, phloLimit = 10_000_000n, phloPrice = 1n }: TestDeploy,
  count: bigint,
): Deploy {
  const timestamp = genesisTime + count;
  const unsigned = { term, timestamp, phloLimit, phloPrice, validAfterBlockNumber: 0n, shardId: "root" };
  return signDeploy(unsigned, testKey(deployer));
}

/** The place of a test's block. */
export interface BlockShape {
  readonly parents: readonly Uint8Array[];
  readonly sender: string;
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly preState: Uint8Array;
  readonly form?: BlockCodec;
}

/** A block of what was played, with a hash of its own. */
export function blockOf(
  { parents, sender, number, timestamp, preState, form }: BlockShape,
  played: Pick<PlayedBlock, "deploys" | "systemDeploys" | "postState">,
): Block {
  const nothing = new Uint8Array(0);
  const { deploys, systemDeploys, postState } = played;
  const state = { preStateHash: preState, postStateHash: postState, bonds: [], blockNumber: number };
  const senderKey = sender === "" ? nothing : testKey(sender).publicKey;
  return new Block({
    hash: blake2b256(concatBytes(preState, postState, senderKey)),
    header: { parents, timestamp, version: 1n, extraBytes: nothing },
    body: { state, deploys, systemDeploys, extraBytes: nothing, rejectedDeploys: [] },
    ...{ justifications: [], sender: senderKey, sequenceNumber: Number(number), shardId: "root" },
    ...{ signature: nothing, signatureAlgorithm: "secp256k1", extraBytes: nothing },
    ...(form && { form }),
  });
}
