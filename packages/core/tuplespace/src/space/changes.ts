import type { SpaceDialect } from "../form/SpaceDialect.js";
import { HistoryError } from "../history/HistoryError.js";
import type { StateStore } from "../history/StateStore.js";
import { type HistoryAction, updateTree } from "../history/updateTree.js";
import type { WriteWithState } from "../history/WriteWithState.js";
import { continuationsKey, dataKey, joinsKey } from "../leaf/historyKey.js";
import type { EncodedLeaf } from "../leaf/Leaf.js";
import type { ChannelCell, GroupCell } from "./cells.js";
import type { HotStore } from "./HotStore.js";

/** The hot store's changes as they go to the history. */
interface Changes {
  readonly form: SpaceDialect;
  readonly actions: HistoryAction[];
  readonly leaves: EncodedLeaf[];
}

/**
 * Writes what an evaluation changed as a new state.
 *
 * Entries that hold what the history holds are left out: to insert an equal value changes nothing.
 *
 * @spec 30 §4.1, §4.2, §5.5
 * @returns the root of the new state, which is recorded
 * @throws {HistoryError} `duplicateAction`
 * @cost grows with the number of touched channels and with the size of the lists that changed
 */
export function commitChanges(store: StateStore, hot: HotStore, also?: WriteWithState): Uint8Array {
  checkPermutations(hot);
  const changes: Changes = { form: store.form, actions: [], leaves: [] };
  for (const cell of hot.channels) {
    collectData(changes, cell);
    collectJoins(changes, cell);
    if (cell.ownGroup !== undefined) collectContinuations(changes, cell.ownGroup);
  }
  for (const group of hot.groups) collectContinuations(changes, group);
  const { root, newNodes } = updateTree(store, hot.view.root, changes.actions);
  store.commit({ root, newNodes, newLeaves: changes.leaves, also });
  return root;
}

function collectData(changes: Changes, cell: ChannelCell): void {
  const { data } = cell;
  if (data.own === undefined || data.isUnchanged) return;
  addChange(changes, dataKey(cell.hash), data.own.length === 0 ? undefined : changes.form.leafOfData(data.own));
}

function collectJoins(changes: Changes, cell: ChannelCell): void {
  const { joins } = cell;
  if (joins.own === undefined || joins.isUnchanged) return;
  const lists = joins.own.map((group) => group.channels);
  addChange(changes, joinsKey(cell.hash), lists.length === 0 ? undefined : changes.form.leafOfJoins(lists));
}

function collectContinuations(changes: Changes, group: GroupCell): void {
  const { continuations } = group;
  if (continuations.own === undefined || continuations.isUnchanged) return;
  const leaf = continuations.own.length === 0 ? undefined : changes.form.leafOfContinuations(continuations.own);
  addChange(changes, continuationsKey(group.channelsHash), leaf);
}

function addChange({ actions, leaves }: Changes, key: Uint8Array, made: EncodedLeaf | undefined): void {
  actions.push({ key, value: made?.leaf.hash });
  if (made !== undefined) leaves.push(made);
}

/**
 * Quirk 30 §1.10(2): two orders of the same channels are one key of the history, and rnode refuses to
 * change one key twice, even where one of the two was only read.
 */
export function checkPermutations(hot: HotStore): void {
  const seen = new Set<string>();
  for (const group of hot.groups) {
    if (!group.continuations.isPopulated) continue;
    const keys = group.cells.map((cell) => cell.key).sort();
    const name = keys.join("");
    if (seen.has(name)) {
      throw new HistoryError({ code: "duplicateAction", key: continuationsKey(group.channelsHash) });
    }
    seen.add(name);
  }
}
