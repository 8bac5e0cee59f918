import { equalBytes } from "@vedette/crypto";
import type { Par } from "@vedette/terms";
import { firstBits } from "../event/firstBits.js";
import type { StateView } from "../history/StateView.js";
import type { Datum } from "../leaf/Datum.js";
import type { Join } from "../leaf/Join.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import { ChannelCell, GroupCell } from "./cells.js";
import { JoinIndex } from "./JoinIndex.js";
import type { LookIndex } from "./LookIndex.js";
import type { Looks } from "./looks.js";
import { Journal } from "./Slot.js";
import { SpaceError } from "./SpaceError.js";

const noGroups: readonly GroupCell[] = [];

/** The number of joins above which an index pays. */
const manyJoins = 32;

/**
 * The overlay over one state that an evaluation works on.
 *
 * A channel is found by its hash once per operation; from there cells refer to each other. Channels are distinguished
 * by their encoding, which for channels of running programs comes to the same as rnode's
 * equality of terms (30 §1.10(4)).
 *
 * @spec 30 §1.2
 */
export class HotStore {
  readonly journal = new Journal();
  /** In the order in which they were met. */
  private readonly cells: ChannelCell[] = [];
  /** By the first bits of their hashes; those that begin alike hang on each other. */
  private readonly channelCells = new Map<number, ChannelCell>();
  private readonly groupCells = new Map<string, GroupCell>();

  /** @param channelHash of the dialect */
  constructor(
    readonly view: StateView,
    private readonly channelHash: (channel: Par) => Uint8Array,
    readonly looks: Looks,
  ) {}

  cell(channel: Par): ChannelCell {
    const hash = this.channelHash(channel);
    return this.find(hash) ?? this.addCell(new ChannelCell(hash, channel, this.journal));
  }

  group(channels: readonly Par[]): GroupCell {
    if (channels.length === 1) return this.ownGroup(this.cell(channels[0]!));
    return this.groupOf(channels.map((channel) => this.cell(channel)));
  }

  /** Cells of all channels that were touched, those that were only read among them. */
  get channels(): Iterable<ChannelCell> {
    return this.cells;
  }

  /** Groups of more than one channel; a group of one hangs on its channel. */
  get groups(): Iterable<GroupCell> {
    return this.groupCells.values();
  }

  /** The data of a channel, newest last. */
  data(cell: ChannelCell): readonly Datum[] {
    const { data } = cell;
    return data.own ?? data.history ?? data.read(this.view.data(cell.hash));
  }

  /** Whether a datum lies there that stays, and so can serve several binds. */
  hasPersistent(cell: ChannelCell): boolean {
    return this.data(cell).some(({ persist }) => persist);
  }

  /** `undefined` where few data lie. */
  dataIndex(cell: ChannelCell): LookIndex<Datum> | undefined {
    return cell.data.indexed(this.data(cell), this.looks.ofDatum);
  }

  putDatum(cell: ChannelCell, datum: Datum): void {
    this.data(cell);
    cell.data.push(datum);
    cell.wakeSleepers();
  }

  /** The stored continuations of a group, newest last; the installed one is separate and comes first. */
  continuations(group: GroupCell): readonly WaitingContinuation[] {
    if (group.cells.length > 1) group.continuations.markPopulated();
    return this.peekContinuations(group);
  }

  /** `undefined` where few continuations wait. */
  waitingIndex(group: GroupCell): LookIndex<WaitingContinuation> | undefined {
    return group.continuations.indexed(this.peekContinuations(group), this.looks.ofWaiting);
  }

  putContinuation(group: GroupCell, waiting: WaitingContinuation): void {
    this.continuations(group);
    group.continuations.push(waiting);
  }

  removeContinuation(group: GroupCell, waiting: WaitingContinuation, place: number): void {
    if (waiting === group.installed) throw new SpaceError({ code: "removeInstalled" });
    group.continuations.removeAt(place);
  }

  /**
   * Whether all that waits in a group has been tried with all data that lie on its channels, and was found not to fit.
   * Only a new datum can bring a match there then. States are not trusted in this: a merge can bring together what fits.
   */
  isTried(group: GroupCell): boolean {
    const { triedAt, continuations, cells } = group;
    if (this.isEmpty(group)) return true;
    if (continuations.arrivedAt > triedAt) return false;
    for (const cell of cells) if (this.data(cell).length > 0 && cell.data.arrivedAt > triedAt) return false;
    return true;
  }

  /** Whether nothing waits in a group. */
  isEmpty(group: GroupCell): boolean {
    return group.installed === undefined && this.peekContinuations(group).length === 0;
  }

  /** As {@link isTried}, and nothing has gone since: what passes data over for others would meet the same ones. */
  isStill(group: GroupCell): boolean {
    const { stillAt, continuations, cells } = group;
    if (continuations.arrivedAt > stillAt) return false;
    for (const { data } of cells) if (data.arrivedAt > stillAt || data.removedAt > stillAt) return false;
    return stillAt >= 0;
  }

  /** A channel of a group, this one aside, on which nothing lies: where there is one, nothing that waits can match. */
  lackOf({ cells }: GroupCell, aside: ChannelCell): ChannelCell | undefined {
    for (let i = 0; i < cells.length; i += 1) {
      const cell = cells[i]!;
      if (cell !== aside && this.data(cell).length === 0) return cell;
    }
    return undefined;
  }

  /** Notes it of all groups of a channel; of those that lack data elsewhere where they are few. */
  noteAllTried(cell: ChannelCell): void {
    for (const group of cell.installedJoins) this.noteTried(group);
    for (const group of this.joinIndex(cell)?.awake ?? this.joins(cell)) this.noteTried(group);
  }

  /** Notes that all that waits in a group has been tried with all data there. @param isStill as of {@link isStill} */
  noteTried(group: GroupCell, isStill = true): void {
    group.triedAt = this.journal.changes;
    if (isStill) group.stillAt = group.triedAt;
  }

  /** The stored joins of a channel, newest last; the installed ones are separate and come first. */
  joins(cell: ChannelCell): readonly GroupCell[] {
    const { joins } = cell;
    return joins.own ?? joins.history ?? joins.read(this.readJoins(cell));
  }

  /** Whether something may wait on a channel. */
  hasJoins(cell: ChannelCell): boolean {
    return cell.installedJoins.length > 0 || this.joins(cell).length > 0;
  }

  /** `undefined` where they are few. */
  joinIndex(cell: ChannelCell): JoinIndex<GroupCell> | undefined {
    const { joinIndex } = cell;
    if (joinIndex?.reverts === this.journal.reverts) return joinIndex;
    const joins = this.joins(cell);
    if (joins.length <= manyJoins) return undefined;
    if (joinIndex !== undefined) joinIndex.isOver = true;
    // Two orders of one list of channels are one group where they come from the history (30 §1.10).
    if (new Set(joins).size < joins.length) return undefined;
    return (cell.joinIndex = new JoinIndex(joins, this.journal.reverts));
  }

  /**
   * Calls with the groups of a channel, in list order, until something is found; where they are many, not with those
   * that lack data on another channel.
   */
  findGroup<Found>(cell: ChannelCell, at: (group: GroupCell) => Found | undefined): Found | undefined {
    const { installedJoins } = cell;
    for (let place = installedJoins.length - 1; place >= 0; place -= 1) {
      const found = at(installedJoins[place]!);
      if (found !== undefined) return found;
    }
    const index = this.joinIndex(cell);
    if (index !== undefined) return index.find((group) => this.#lackBeside(group, cell), at);
    const joins = this.joins(cell);
    for (let place = joins.length - 1; place >= 0; place -= 1) {
      const found = at(joins[place]!);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  putJoin(cell: ChannelCell, group: GroupCell): void {
    const index = this.joinIndex(cell);
    if (index?.has(group) ?? this.joins(cell).includes(group)) return;
    cell.joins.push(group);
    index?.push(group);
  }

  /** Removes the join from the channel unless some continuation still waits on it. */
  removeJoin(cell: ChannelCell, group: GroupCell): void {
    if (!this.isEmpty(group)) return;
    // The first one in list order is the last one of the array.
    const index = this.joinIndex(cell);
    const place = index === undefined ? this.joins(cell).lastIndexOf(group) : index.remove(group);
    if (place >= 0) cell.joins.removeAt(place);
  }

  installJoin(cell: ChannelCell, group: GroupCell): void {
    if (!cell.installedJoins.includes(group)) cell.installedJoins = [...cell.installedJoins, group];
  }

  /** As {@link continuations}, without leaving the trace that rnode's overlay would have of it. */
  peekContinuations(group: GroupCell): readonly WaitingContinuation[] {
    const { continuations } = group;
    return (
      continuations.own ?? continuations.history ?? continuations.read(this.view.continuations(group.channelsHash))
    );
  }

  /** As {@link lackOf}, with the trace that a look into the group leaves. */
  #lackBeside(group: GroupCell, aside: ChannelCell): ChannelCell | undefined {
    this.continuations(group);
    return this.lackOf(group, aside);
  }

  private readJoins(cell: ChannelCell): readonly GroupCell[] {
    const stored = this.view.joins(cell.hash);
    return stored.length === 0 ? noGroups : stored.map((join) => this.groupOfJoin(join));
  }

  private groupOfJoin(join: Join): GroupCell {
    const cells = join.channelHashes.map(
      (hash, index) => this.find(hash) ?? this.addCell(new ChannelCell(hash, { join, index }, this.journal)),
    );
    return cells.length === 1 ? this.ownGroup(cells[0]!) : this.groupOf(cells);
  }

  private ownGroup(cell: ChannelCell): GroupCell {
    return (cell.ownGroup ??= new GroupCell([cell], this.journal));
  }

  private groupOf(cells: readonly ChannelCell[]): GroupCell {
    let key = "";
    for (const cell of cells) key += cell.key;
    let group = this.groupCells.get(key);
    if (group === undefined) {
      group = new GroupCell(cells, this.journal);
      this.groupCells.set(key, group);
    }
    return group;
  }

  private find(hash: Uint8Array): ChannelCell | undefined {
    let cell = this.channelCells.get(firstBits(hash));
    while (cell !== undefined && cell.hash !== hash && !equalBytes(cell.hash, hash)) cell = cell.next;
    return cell;
  }

  private addCell(cell: ChannelCell): ChannelCell {
    const key = firstBits(cell.hash);
    cell.next = this.channelCells.get(key);
    this.channelCells.set(key, cell);
    this.cells.push(cell);
    return cell;
  }
}
