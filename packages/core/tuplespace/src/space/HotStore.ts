import { equalBytes } from "@vedette/crypto";
import type { Par } from "@vedette/terms";
import type { StateView } from "../history/StateView.js";
import type { Datum } from "../leaf/Datum.js";
import type { Join } from "../leaf/Join.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import { ChannelCell, GroupCell } from "./cells.js";
import type { LookIndex } from "./LookIndex.js";
import type { Looks } from "./looks.js";
import { Journal } from "./Slot.js";
import { SpaceError } from "./SpaceError.js";

const noGroups: readonly GroupCell[] = [];

/**
 * The overlay over one state that an evaluation works on.
 *
 * A channel is found by its hash once per operation; from there cells refer to each other. Channels are told
 * apart by their encoding, which for channels of running programs comes to the same as the reference's
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

  /** `undefined` where few data lie. */
  dataIndex(cell: ChannelCell): LookIndex<Datum> | undefined {
    return cell.data.indexed(this.data(cell), this.looks.ofDatum);
  }

  putDatum(cell: ChannelCell, datum: Datum): void {
    this.data(cell);
    cell.data.push(datum);
  }

  /** The stored continuations of a group, newest last; the installed one stands apart and comes first. */
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
    if (group.installed === undefined && this.peekContinuations(group).length === 0) return true;
    if (continuations.arrivedAt > triedAt) return false;
    for (const cell of cells) if (this.data(cell).length > 0 && cell.data.arrivedAt > triedAt) return false;
    return true;
  }

  /** Whether nothing lies on a channel of a group, this one aside: then nothing that waits there can match. */
  lacksData({ cells }: GroupCell, aside: ChannelCell): boolean {
    for (const cell of cells) if (cell !== aside && this.data(cell).length === 0) return true;
    return false;
  }

  /** Notes that all that waits in a group has been tried with all data there. */
  noteTried(group: GroupCell): void {
    group.triedAt = this.journal.arrivals;
  }

  /** The stored joins of a channel, newest last; the installed ones stand apart and come first. */
  joins(cell: ChannelCell): readonly GroupCell[] {
    const { joins } = cell;
    return joins.own ?? joins.history ?? joins.read(this.readJoins(cell));
  }

  putJoin(cell: ChannelCell, group: GroupCell): void {
    if (!this.joins(cell).includes(group)) cell.joins.push(group);
  }

  /** Removes the join from the channel unless some continuation still waits on it. */
  removeJoin(cell: ChannelCell, group: GroupCell): void {
    if (group.installed !== undefined || this.peekContinuations(group).length > 0) return;
    // The first one in list order is the last one of the array.
    const place = this.joins(cell).lastIndexOf(group);
    if (place >= 0) cell.joins.removeAt(place);
  }

  installJoin(cell: ChannelCell, group: GroupCell): void {
    if (!cell.installedJoins.includes(group)) cell.installedJoins = [...cell.installedJoins, group];
  }

  /** As {@link continuations}, without leaving the trace that the reference's overlay would have of it. */
  peekContinuations(group: GroupCell): readonly WaitingContinuation[] {
    const { continuations } = group;
    return (
      continuations.own ?? continuations.history ?? continuations.read(this.view.continuations(group.channelsHash))
    );
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

/** PERF: a small number, where a text of the whole hash would have to be made for each look. */
function firstBits(hash: Uint8Array): number {
  return hash[0]! | (hash[1]! << 8) | (hash[2]! << 16) | ((hash[3]! & 0x3f) << 24);
}
