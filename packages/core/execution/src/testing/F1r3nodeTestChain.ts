import { toHex } from "@vedette/crypto";
import { type Block, type Bond, decodeBlock, encodeBlock, f1r3node } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import type { Par } from "@vedette/terms";
import { f1r3nodeSpace, StateStore } from "@vedette/tuplespace";
import { f1r3nodeTrial } from "../contractTest/ContractTestDialect.js";
import { f1r3nodeTestParameters } from "../contractTest/f1r3nodeGenesisState.js";
import { testKey } from "../contractTest/genesisState.js";
import { F1r3nodeStates } from "../f1r3node/F1r3nodeStates.js";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import type { F1r3nodeGenesisParameters } from "../genesis/F1r3nodeGenesisParameters.js";
import { f1r3nodeGenesis } from "../genesis/f1r3nodeGenesis.js";
import { genesisDeploys } from "../genesis/genesisDeploys.js";
import { mergeableIdOf } from "../merge/mergeableStore.js";
import { findOutcome } from "../outcome/outcomeRecord.js";
import type { GenesisPlay } from "../play/playBlock.js";
import type { BlockPlay } from "../play/playContent.js";
import { playGenesisState } from "../play/playGenesisState.js";
import { exploreDeploy } from "../query/exploreDeploy.js";
import { printReplayFailure } from "../replay/ReplayFailure.js";
import type { InvalidBlock } from "../runtime/Runtime.js";
import type { BlockSystemDeploy } from "../systemDeploy/blockSystemDeploy.js";
import { f1r3nodeShared, genesisTime } from "./SharedGenesis.js";
import {
  blockOf,
  type ChainOrigin,
  type LedgerBlock,
  signTestDeploy,
  type TestBlock,
  type TestLedger,
} from "./TestChain.js";

/** The contracts of genesis that do not depend on what tests change; chains with other parameters begin with them. */
let onContracts: ChainOrigin | undefined;

function makeContracts(): ChainOrigin {
  const deploys = genesisDeploys(f1r3nodeTestParameters(), f1r3nodeGenesis).slice(
    0,
    f1r3nodeGenesis.contracts.length - 1,
  );
  const { store, states } = f1r3nodeShared;
  return { store, states, contracts: f1r3nodeShared.stateAfter(deploys) };
}

/** The first chain with the usual parameters: the others of the process begin with its genesis. */
let usual: F1r3nodeTestChain | undefined;

/**
 * A chain of f1r3node that begins with our own genesis: every block is played, goes over the wire, is replayed, and
 * must lead to the same state. Programs name contracts as on f1r3node networks.
 */
export class F1r3nodeTestChain implements TestLedger {
  readonly store: Store;
  readonly states: StateStore;
  readonly floor: F1r3nodeStates;
  readonly genesis: Block;
  private latest: Block;
  private deploysSigned = 0n;

  /**
   * @param parameters the usual ones without
   * @param origin a chain with these parameters, so that genesis need not be played again; or the contracts, on which
   *   genesis has the vaults and proof of stake alone
   */
  constructor(
    parameters?: Partial<F1r3nodeGenesisParameters>,
    origin: (ChainOrigin & { readonly floor?: F1r3nodeStates }) | undefined = parameters === undefined
      ? usual
      : undefined,
  ) {
    this.store = origin?.store ?? new MemoryStore(tablesOf("state"));
    this.states = origin?.states ?? new StateStore(this.store, { form: f1r3nodeSpace });
    this.floor = origin?.floor ?? new F1r3nodeStates(this.store, this.states);
    this.genesis = origin?.genesis ?? this.begin({ ...f1r3nodeTestParameters(), ...parameters }, origin?.contracts);
    this.latest = this.genesis;
    if (parameters === undefined) usual ??= this;
  }

  /** A chain with a short genesis of its own, upon contracts that the process has played once. */
  static onContracts(parameters: Partial<F1r3nodeGenesisParameters>): F1r3nodeTestChain {
    onContracts ??= makeContracts();
    return new F1r3nodeTestChain(parameters, onContracts);
  }

  get root(): Uint8Array {
    return this.latest.body.state.postStateHash;
  }

  get number(): number {
    return Number(this.latest.number);
  }

  add(content: TestBlock = {}): LedgerBlock {
    const made = this.make(this.latest, content);
    this.latest = made.block;
    return made;
  }

  addUntil(number: number): void {
    while (this.number < number) this.add();
  }

  make(parent: Block, content: TestBlock): LedgerBlock {
    const { deploys = [], slashes = [], invalidBlocks = slashes, sender = "v1", ...rest } = content;
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
      deploys: deploys.map((deploy) => {
        this.deploysSigned += 1n;
        return signTestDeploy({ ...deploy, term: f1r3nodeTrial.programText(deploy.term) }, this.deploysSigned);
      }),
    };
    const played = this.floor.play(play);
    const { blockForm: form } = f1r3node;
    const block = blockOf({ parents: [parent.hash], sender, number, timestamp, preState, form }, played);
    const outcome = this.outcomeOf(block);
    const received = this.check(block, invalidBlocks);
    if (outcome !== this.outcomeOf(received))
      throw new Error(`Block ${number} has other transfers or notes in the replay`);
    return { block: received, played };
  }

  /** A chain of the same store that goes on from a state, as if a block with this number had led to it. */
  continueOn(root: Uint8Array, number: bigint): F1r3nodeTestChain {
    const chain = new F1r3nodeTestChain({}, this);
    const shape = { parents: [], sender: "v1", number, timestamp: genesisTime, form: f1r3node.blockForm };
    chain.latest = blockOf({ ...shape, preState: root }, { deploys: [], systemDeploys: [], postState: root });
    chain.deploysSigned = this.deploysSigned;
    return chain;
  }

  ask(source: string): readonly Par[] {
    const anonymousKey = new Uint8Array(65).fill(4);
    const asker = { deployer: anonymousKey, signature: anonymousKey, timestamp: 0n, form: f1r3nodeExecution };
    const result = exploreDeploy(this.states, { root: this.root, source: f1r3nodeTrial.programText(source), ...asker });
    if (result.kind === "failed") throw result.error;
    return result.pars;
  }

  bonds(): Bond[] {
    return this.floor.bonds(this.root);
  }

  activeValidators(): Uint8Array[] {
    return this.floor.activeValidators(this.root);
  }

  private outcomeOf(block: Block): string {
    const record = findOutcome(this.store, mergeableIdOf(block));
    if (record === undefined) throw new Error(`The transfers and notes of block ${block.number} are not stored`);
    return toHex(record);
  }

  private begin(parameters: F1r3nodeGenesisParameters, contracts: Uint8Array | undefined): Block {
    const all = genesisDeploys(parameters, f1r3nodeGenesis);
    const deploys = contracts === undefined ? all : all.slice(f1r3nodeGenesis.contracts.length - 1);
    const played = this.playFirst({ timestamp: genesisTime, blockNumber: 0n, deploys }, contracts);
    if (played.deploys.some(({ failed }) => failed)) throw new Error("A deploy of genesis failed");
    const shape = { parents: [], sender: "", number: 0n, timestamp: genesisTime, form: f1r3node.blockForm };
    return this.check(blockOf({ ...shape, preState: played.preState }, { ...played, systemDeploys: [] }), []);
  }

  private playFirst(genesis: Omit<GenesisPlay, "preState">, contracts: Uint8Array | undefined) {
    if (contracts === undefined) return this.floor.playGenesis(genesis);
    const play = { ...genesis, preState: contracts };
    return { ...play, ...playGenesisState(this.states, play, f1r3nodeExecution) };
  }

  /** @returns the block as it came over the wire */
  private check(block: Block, invalidBlocks: readonly InvalidBlock[]): Block {
    const received = decodeBlock(encodeBlock(block), f1r3node.blockForm);
    const { preStateHash, postStateHash } = received.body.state;
    const replayed = this.floor.replay({ block: received, preState: preStateHash, invalidBlocks });
    const name = `Block ${block.number}`;
    if ("failure" in replayed) throw new Error(`${name} is refused: ${printReplayFailure(replayed.failure)}`);
    if (toHex(replayed.postState) !== toHex(postStateHash)) throw new Error(`${name} leads to another state in replay`);
    return received;
  }
}
