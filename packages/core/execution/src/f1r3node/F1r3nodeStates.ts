import { emptyBytes } from "@vedette/crypto";
import type { Block, Bond } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { type StateStore, StoredItems } from "@vedette/tuplespace";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { readGivenEntry } from "../merge/f1r3node/givenNumberEntry.js";
import { numberDifferences } from "../merge/f1r3node/numberDifferences.js";
import { findNumberEntry, findNumberEntryBytes, writeNumberEntry } from "../merge/f1r3node/numberEntryStore.js";
import {
  type MergedBlocks,
  type MergedScopeState,
  type ScopeLimits,
  ScopeMerger,
} from "../merge/f1r3node/ScopeMerger.js";
import { type MergeableId, mergeableIdOf } from "../merge/mergeableStore.js";
import { writeOutcome } from "../outcome/outcomeRecord.js";
import type { GenesisPlay } from "../play/playBlock.js";
import type { BlockPlay } from "../play/playContent.js";
import { type PlayedGenesis, playGenesisState } from "../play/playGenesisState.js";
import { type PlayedState, playState, type StatePlay } from "../play/playState.js";
import { committeeOf } from "../query/committee.js";
import { activeValidators, bonds, faultTolerancePpm } from "../query/proofOfStake.js";
import type { FailedReplay } from "../replay/ReplayFailure.js";
import { type ReplayedState, replayState, type StateReplay } from "../replay/replayState.js";
import { commitEmptyState } from "../runtime/emptyState.js";

/**
 * The states of an f1r3node network: executes and merges blocks on them, and reads which validators decide in them.
 *
 * @spec 61 §10, §12, §13.6
 */
export class F1r3nodeStates {
  private readonly store: Store;
  private readonly states: StateStore;
  private readonly merger: ScopeMerger;

  /**
   * @param store  the one below `states`; has the table of what blocks did to number channels
   * @param states of f1r3node's form
   */
  constructor(store: Store, states: StateStore, limits: ScopeLimits = {}) {
    this.store = store;
    this.states = states;
    this.merger = new ScopeMerger(states, (block) => findNumberEntry(store, mergeableIdOf(block)), limits);
  }

  /** Makes the state on which genesis is executed. @returns its root @spec 61 §2.3 */
  makeEmpty(): Uint8Array {
    return commitEmptyState(this.states, f1r3nodeExecution);
  }

  /** @throws as {@link ScopeMerger.merge} */
  merge(blocks: MergedBlocks): MergedScopeState {
    return this.merger.merge(blocks);
  }

  /**
   * Executes a block again and commits the state that it leads to. Stores its deploys' changes to number channels, for
   * merges and for other nodes, and their transfers and notes, for queries.
   *
   * @throws {ExecutionError} as {@link replayState}; {MergeError} `numberChannel`
   * @spec 61 §10, §12.2
   */
  replay(replay: Omit<StateReplay, "keep">): ReplayedState | FailedReplay {
    const { block, preState } = replay;
    const keep: StateReplay["keep"] = (tables, { postState, left, transfers, notes }) => {
      const id = { ...mergeableIdOf(block), postState };
      writeNumberEntry(tables, id, numberDifferences(new StoredItems(this.states, preState), left));
      writeOutcome(tables, id, { transfers, notes });
    };
    return replayState(this.states, { ...replay, keep }, f1r3nodeExecution);
  }

  /**
   * Returns the changes that the deploys of a block made to number channels, in the form that other nodes receive.
   * @spec 61 §12.2, §16.2
   */
  findNumberEntry(id: MergeableId): Uint8Array | undefined {
    return findNumberEntryBytes(this.store, id);
  }

  /**
   * Stores another node's data on the changes that a block's deploys made to number channels, if it fits the block's
   * states.
   *
   * @throws {MergeError} `mergeableMalformed`, `numberChannel`; {HistoryError} if the states are not stored
   * @spec 61 §16.4
   */
  takeNumberEntry(block: Block, entry: Uint8Array): void {
    const { preStateHash, postStateHash } = block.body.state;
    const before = new StoredItems(this.states, preStateHash);
    const after = new StoredItems(this.states, postStateHash);
    const changes = readGivenEntry(block, entry, { before, after });
    this.store.write((tables) => writeNumberEntry(tables, mergeableIdOf(block), changes));
  }

  /**
   * Executes the deploys of a new block and commits the resulting state. The same transaction stores the changes of
   * number channels, transfers and notes, since this node does not replay the block. Deploys that cannot be executed
   * are left out.
   *
   * @throws {ExecutionError} as {@link playState}; {MergeError} `numberChannel`
   * @spec 61 §10, §12.2, §17
   */
  play(play: BlockPlay): PlayedState {
    const before = new StoredItems(this.states, play.preState);
    const { sender, sequenceNumber } = play.blockData;
    const keep: StatePlay["keep"] = (tables, { postState, left, transfers, notes }) => {
      const id = { postState, sender, sequenceNumber };
      writeNumberEntry(tables, id, numberDifferences(before, left));
      writeOutcome(tables, id, { transfers, notes });
    };
    // A value in the state in place of a number would be an error of the whole block.
    const check: StatePlay["check"] = (left) => void numberDifferences(before, [left]);
    return playState(this.states, { ...play, check, keep }, f1r3nodeExecution);
  }

  /**
   * Executes the deploys of a first block on the empty state, and keeps what they did to number channels.
   *
   * @throws {ExecutionError} `numberChannel`, `fatal`
   * @spec 61 §11, §12.2
   */
  playGenesis(genesis: Omit<GenesisPlay, "preState">): PlayedGenesis & { readonly preState: Uint8Array } {
    const preState = this.makeEmpty();
    const before = new StoredItems(this.states, preState);
    const played = playGenesisState(
      this.states,
      { ...genesis, preState },
      f1r3nodeExecution,
      (tables, { postState, left }) =>
        writeNumberEntry(tables, { postState, sender: emptyBytes, sequenceNumber: 0 }, numberDifferences(before, left)),
    );
    return { ...played, preState };
  }

  /** All stakes in a state. @throws {ExecutionError} `query` @spec 61 §10 */
  bonds(root: Uint8Array): Bond[] {
    return bonds(this.states, root, { form: f1r3nodeExecution });
  }

  /**
   * The bonds of the active validators in a state.
   *
   * @throws {ExecutionError} `query`
   * @spec 61 §13.6
   */
  committee(root: Uint8Array): Bond[] {
    const query = { form: f1r3nodeExecution };
    return committeeOf(bonds(this.states, root, query), activeValidators(this.states, root, query));
  }

  /** The validators that may propose on a state. @throws {ExecutionError} `query` @spec 41 §7.3 */
  activeValidators(root: Uint8Array): Uint8Array[] {
    return activeValidators(this.states, root, { form: f1r3nodeExecution });
  }

  /** In parts per million, as {@link faultTolerancePpm}. @throws {ExecutionError} `query` @spec 61 §13.1 */
  faultTolerance(root: Uint8Array): bigint {
    return faultTolerancePpm(this.states, root, { form: f1r3nodeExecution });
  }

  /** Whether a block's effects can be merged: its states are here, and what it did to number channels. */
  isExecuted(block: Block): boolean {
    const { preStateHash, postStateHash } = block.body.state;
    const areHere = this.states.hasRoot(preStateHash) && this.states.hasRoot(postStateHash);
    return areHere && this.findNumberEntry(mergeableIdOf(block)) !== undefined;
  }
}
