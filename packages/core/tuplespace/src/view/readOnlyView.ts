import type { Par } from "@vedette/terms";
import { channelsHash } from "../event/channelsHash.js";
import type { StateStore } from "../history/StateStore.js";
import { type StateRead, StateView } from "../history/StateView.js";
import type { Datum } from "../leaf/Datum.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import type { GuardHolds } from "../rules/SpaceRules.js";
import { PlaySpace } from "../space/PlaySpace.js";
import type { MatchDatum, SpaceCheckpoint } from "../space/Space.js";
import { SpaceError } from "../space/SpaceError.js";

/** A state as queries see it; nothing can be written through it, and any number may be open. @spec 30 §1.11 */
export interface ReadOnlyView {
  readonly root: Uint8Array;
  /** In list order. */
  data(channel: Par): readonly Datum[];
  /** In list order; those of the built-in processes are not part of a state. */
  continuations(channels: readonly Par[]): readonly WaitingContinuation[];
  joins(channel: Par): readonly (readonly Par[])[];
}

/**
 * Opens a state for reading.
 *
 * @spec 30 §1.11
 * @throws {SpaceError} `unknownRoot`
 */
export function readOnlyView(store: StateStore, root: Uint8Array): ReadOnlyView {
  if (!store.hasRoot(root)) throw new SpaceError({ code: "unknownRoot", root });
  const view = new StateView(store, root);
  const { channelHash } = store.form;
  return {
    root,
    data: (channel) => view.data(channelHash(channel)),
    continuations: (channels) => view.continuations(channelsHash(channels.map(channelHash))),
    joins: (channel) => view.joins(channelHash(channel)).map((join) => join.channels),
  };
}

/**
 * A space for looking: evaluates over a state, and what it does there is thrown away. It keeps no log.
 *
 * @spec 30 §1.11 (exploratory evaluation)
 */
export class ExploreSpace extends PlaySpace {
  protected override keepsLog = false;

  /**
   * @param reads collects every read of the state
   * @param guard as of {@link TupleSpace}
   */
  constructor(store: StateStore, match: MatchDatum, root: Uint8Array, reads?: StateRead[], guard?: GuardHolds) {
    super(store, match, root, reads, guard);
  }

  /** @throws {SpaceError} `readOnly`, always */
  override checkpoint(): SpaceCheckpoint {
    throw new SpaceError({ code: "readOnly" });
  }
}
