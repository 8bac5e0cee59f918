import { hashKey } from "@vedette/protocol";
import type { Par } from "@vedette/terms";
import { channelsHash } from "../event/channelsHash.js";
import type { Datum } from "../leaf/Datum.js";
import type { Join } from "../leaf/Join.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import { type JoinIndex, Sleepers } from "./JoinIndex.js";
import { type Journal, Slot } from "./Slot.js";

const noGroups: readonly GroupCell[] = [];
const onlyBind: readonly number[] = [0];

/**
 * Everything that the hot store holds for one channel.
 *
 * @spec 30 §1.2
 */
export class ChannelCell {
  readonly hash: Uint8Array;
  readonly data: Slot<Datum>;
  readonly joins: Slot<GroupCell>;
  /** Newest last. */
  installedJoins: readonly GroupCell[];
  /** The list of this channel alone. */
  ownGroup: GroupCell | undefined;
  /** The earlier channel with a hash that begins like this one's. */
  next: ChannelCell | undefined;
  /** The index of its joins, if they are many. */
  joinIndex: JoinIndex<GroupCell> | undefined;
  /** Where this channel is what groups lack data on; made when it is first needed. */
  #sleepers: Sleepers | undefined = undefined;
  private cachedKey: string | undefined;
  private par: Par | undefined;
  private readonly join: Join | undefined;
  private readonly indexInJoin: number;

  constructor(hash: Uint8Array, channel: Par | { readonly join: Join; readonly index: number }, journal: Journal) {
    this.hash = hash;
    this.data = new Slot(journal);
    this.joins = new Slot(journal);
    this.installedJoins = noGroups;
    this.ownGroup = undefined;
    this.next = undefined;
    this.joinIndex = undefined;
    this.cachedKey = undefined;
    const isFromJoin = "join" in channel;
    this.par = isFromJoin ? undefined : channel;
    this.join = isFromJoin ? channel.join : undefined;
    this.indexInJoin = isFromJoin ? channel.index : 0;
  }

  /** The hash as a key for maps. */
  get key(): string {
    return (this.cachedKey ??= hashKey(this.hash));
  }

  /** Groups of other channels that lack data on this one. */
  get sleepers(): Sleepers {
    return (this.#sleepers ??= new Sleepers());
  }

  /** A datum has come. */
  wakeSleepers(): void {
    this.#sleepers?.wake();
  }

  /** The channel; one that only a stored join has is decoded at the first read. */
  get channel(): Par {
    return (this.par ??= this.join!.decodeChannel(this.indexInJoin));
  }
}

/**
 * Everything that the hot store holds for one ordered list of channels.
 *
 * Quirk 30 §1.10(2): `[a, b]` and `[b, a]` are two groups with one history key.
 *
 * @spec 30 §1.2
 */
export class GroupCell {
  readonly cells: readonly ChannelCell[];
  readonly continuations: Slot<WaitingContinuation>;
  /** Whether two of the channels are the same. */
  readonly hasRepeatedChannel: boolean;
  installed: WaitingContinuation | undefined;
  /** {@link Journal.changes} when all that waits here had been tried with all data that lay here; -1 for never. */
  triedAt: number;
  /** The same of data that were just those which lay here: before that, others may have been passed over for one. */
  stillAt: number;
  private cachedHash: Uint8Array | undefined;
  private cachedChannels: readonly Par[] | undefined;

  constructor(cells: readonly ChannelCell[], journal: Journal) {
    this.cells = cells;
    this.continuations = new Slot(journal);
    this.hasRepeatedChannel = cells.length > 1 && new Set(cells).size < cells.length;
    this.installed = undefined;
    this.triedAt = -1;
    this.stillAt = -1;
    this.cachedHash = undefined;
    this.cachedChannels = undefined;
  }

  /** The binds of a channel. */
  bindsOf(cell: ChannelCell): readonly number[] {
    if (this.cells.length === 1) return onlyBind;
    if (!this.hasRepeatedChannel) return [this.cells.indexOf(cell)];
    return [...this.cells.keys()].filter((bind) => this.cells[bind] === cell);
  }

  /** The channels in the group's order. */
  get channels(): readonly Par[] {
    return (this.cachedChannels ??= this.cells.map((cell) => cell.channel));
  }

  /** @spec 30 §2.2 */
  get channelsHash(): Uint8Array {
    return (this.cachedHash ??= channelsHash(this.cells.map((cell) => cell.hash)));
  }
}
