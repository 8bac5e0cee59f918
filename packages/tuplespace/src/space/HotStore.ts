import { hashKey } from "@vedette/protocol";
import { channelHash, type Par } from "@vedette/terms";
import type { StateView } from "../history/StateView.js";
import type { Datum } from "../leaf/Datum.js";
import type { Join } from "../leaf/Join.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import { ChannelCell, GroupCell } from "./cells.js";
import { Journal } from "./Slot.js";
import { SpaceError } from "./SpaceError.js";

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
  private readonly channelCells = new Map<string, ChannelCell>();
  private readonly groupCells = new Map<string, GroupCell>();

  constructor(readonly view: StateView) {}

  cell(channel: Par): ChannelCell {
    const hash = channelHash(channel);
    const key = hashKey(hash);
    const known = this.channelCells.get(key);
    return known ?? this.addCell(new ChannelCell(key, hash, channel, this.journal));
  }

  group(channels: readonly Par[]): GroupCell {
    if (channels.length === 1) return this.ownGroup(this.cell(channels[0]!));
    return this.groupOf(channels.map((channel) => this.cell(channel)));
  }

  /** Cells of all channels that were touched, those that were only read among them. */
  get channels(): Iterable<ChannelCell> {
    return this.channelCells.values();
  }

  /** Groups of more than one channel; a group of one hangs on its channel. */
  get groups(): Iterable<GroupCell> {
    return this.groupCells.values();
  }

  /** The data of a channel, newest last. */
  data(cell: ChannelCell): readonly Datum[] {
    return cell.data.items ?? cell.data.populate(this.historyData(cell));
  }

  putDatum(cell: ChannelCell, datum: Datum): void {
    this.data(cell);
    cell.data.push(datum);
  }

  /** The stored continuations of a group, newest last; the installed one stands apart and comes first. */
  continuations(group: GroupCell): readonly WaitingContinuation[] {
    return group.continuations.items ?? group.continuations.populate(this.historyContinuations(group));
  }

  putContinuation(group: GroupCell, waiting: WaitingContinuation): void {
    this.continuations(group);
    group.continuations.push(waiting);
  }

  removeContinuation(group: GroupCell, waiting: WaitingContinuation, place: number): void {
    if (waiting === group.installed) throw new SpaceError({ code: "removeInstalled" });
    group.continuations.removeAt(place);
  }

  /** The stored joins of a channel, newest last; the installed ones stand apart and come first. */
  joins(cell: ChannelCell): readonly GroupCell[] {
    return cell.joins.items ?? cell.joins.populate(this.historyJoins(cell));
  }

  putJoin(cell: ChannelCell, group: GroupCell): void {
    const present = cell.joins.items ?? this.historyJoins(cell);
    if (present.includes(group)) return;
    this.joins(cell);
    cell.joins.push(group);
  }

  /** Removes the join from the channel unless some continuation still waits on it. */
  removeJoin(cell: ChannelCell, group: GroupCell): void {
    const joins = this.joins(cell);
    if (group.installed !== undefined) return;
    const waiting = group.continuations.items ?? this.historyContinuations(group);
    if (waiting.length > 0) return;
    // The first one in list order is the last one of the array.
    const place = joins.lastIndexOf(group);
    if (place >= 0) cell.joins.removeAt(place);
  }

  installJoin(cell: ChannelCell, group: GroupCell): void {
    if (!cell.installedJoins.includes(group)) cell.installedJoins.push(group);
  }

  historyData(cell: ChannelCell): readonly Datum[] {
    return (cell.historyData ??= this.view.data(cell.hash));
  }

  historyContinuations(group: GroupCell): readonly WaitingContinuation[] {
    return (group.history ??= this.view.continuations(group.channelsHash));
  }

  historyJoins(cell: ChannelCell): readonly GroupCell[] {
    return (cell.historyJoins ??= this.view.joins(cell.hash).map((join) => this.groupOfJoin(join)));
  }

  private groupOfJoin(join: Join): GroupCell {
    const hashes = join.channelHashes;
    const keys = join.channelKeys;
    const cells = keys.map(
      (key, index) =>
        this.channelCells.get(key) ?? this.addCell(new ChannelCell(key, hashes[index]!, { join, index }, this.journal)),
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

  private addCell(cell: ChannelCell): ChannelCell {
    this.channelCells.set(cell.key, cell);
    return cell;
  }
}
