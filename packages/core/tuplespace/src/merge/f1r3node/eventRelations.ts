import { hashKey } from "@vedette/protocol";
import { consumesLeft, type EventSets, producesLeft } from "../eventIndex.js";

/** The facts of events that decide dependency and conflict, made once for each set. */
interface EventFacts {
  /** Keys of produces that leave their data for others, number channels apart. */
  readonly made: readonly string[];
  readonly used: ReadonlySet<string>;
  /** Keys of consumes that are left waiting. */
  readonly waiting: readonly string[];
  readonly met: ReadonlySet<string>;
  /** The channels of remaining data and of remaining continuations. */
  readonly dataChannels: ReadonlySet<string>;
  readonly waitingChannels: ReadonlySet<string>;
  readonly touchesJoins: boolean;
}

const known = new WeakMap<EventSets, EventFacts>();

function factsOf(events: EventSets): EventFacts {
  let facts = known.get(events);
  if (facts === undefined) known.set(events, (facts = readFacts(events)));
  return facts;
}

function readFacts(events: EventSets): EventFacts {
  const data = producesLeft(events);
  const waiting = consumesLeft(events);
  const dataChannels = new Set<string>();
  for (const { channelsHash } of data.values()) dataChannels.add(hashKey(channelsHash));
  const waitingChannels = new Set<string>();
  for (const { channelsHashes } of waiting.values())
    for (const hash of channelsHashes) waitingChannels.add(hashKey(hash));
  return {
    made: [...data.keys()].filter((key) => !events.producesMergeable.has(key)),
    used: new Set(events.producesConsumed.keys()),
    waiting: [...waiting.keys()],
    met: new Set(events.consumesProduced.keys()),
    dataChannels,
    waitingChannels,
    touchesJoins: events.producesTouchingBaseJoins.size > 0,
  };
}

/** Whether `target` used up something that `source` made, so that it is not valid without it. @spec 30 §A.5 */
export function dependsOn(target: EventSets, source: EventSets): boolean {
  const [own, others] = [factsOf(target), factsOf(source)];
  return others.made.some((key) => own.used.has(key)) || others.waiting.some((key) => own.met.has(key));
}

/**
 * Classes of what depends on each other, in either direction; in the order of their first members.
 *
 * @spec 61 §12.6 (step 1)
 * @cost grows with the events, not with the square of the number of items
 */
export function dependencyClasses<Item>(items: readonly Item[], eventsOf: (item: Item) => EventSets): Item[][] {
  const classes = new Classes(items.length);
  const [made, waiting] = [new Map<string, number[]>(), new Map<string, number[]>()];
  items.forEach((item, index) => {
    const facts = factsOf(eventsOf(item));
    for (const key of facts.made) addTo(made, key, index);
    for (const key of facts.waiting) addTo(waiting, key, index);
  });
  items.forEach((item, index) => {
    const { used, met } = factsOf(eventsOf(item));
    for (const key of used) for (const source of made.get(key) ?? []) classes.join(index, source);
    for (const key of met) for (const source of waiting.get(key) ?? []) classes.join(index, source);
  });
  return classes.of(items);
}

/**
 * Which of several event sets conflict.
 *
 * @returns for each the indices of those that it conflicts with
 * @spec 30 §A.5, 61 §12.5
 * @cost grows with the events, and with the conflicts
 */
export function conflictsAmong(all: readonly EventSets[]): Map<number, Set<number>> {
  const conflicts = new Map<number, Set<number>>(all.map((_, index) => [index, new Set()]));
  const clash = (left: number, right: number): void => {
    if (left === right) return;
    conflicts.get(left)!.add(right);
    conflicts.get(right)!.add(left);
  };
  findRaces(all, clash);
  const waiting = new Map<string, number[]>();
  all.forEach((events, index) => {
    for (const channel of factsOf(events).waitingChannels) addTo(waiting, channel, index);
  });
  all.forEach((events, index) => {
    const { dataChannels, touchesJoins } = factsOf(events);
    for (const channel of dataChannels) for (const other of waiting.get(channel) ?? []) clash(index, other);
    if (touchesJoins) for (let other = 0; other < all.length; other += 1) clash(index, other);
  });
  return conflicts;
}

/** Whether two event sets conflict. @spec 30 §A.5 */
export function isConflict(left: EventSets, right: EventSets): boolean {
  const [one, other] = [factsOf(left), factsOf(right)];
  if (one.touchesJoins || other.touchesJoins) return true;
  return conflictsAmong([left, right]).get(0)!.size > 0;
}

/** Finds pairs that consumed the same datum or continuation, unless it is a mergeable number for both. */
function findRaces(all: readonly EventSets[], clash: (left: number, right: number) => void): void {
  const [produces, consumes] = [new Map<string, number[]>(), new Map<string, number[]>()];
  all.forEach(({ producesConsumed, consumesProduced }, index) => {
    for (const [key, { persistent }] of producesConsumed) if (!persistent) addTo(produces, key, index);
    for (const [key, { persistent }] of consumesProduced) if (!persistent) addTo(consumes, key, index);
  });
  forPairs(produces, (key, left, right) => {
    if (!all[left]!.producesMergeable.has(key) || !all[right]!.producesMergeable.has(key)) clash(left, right);
  });
  forPairs(consumes, (key, left, right) => {
    if (!all[left]!.consumesMergeable.has(key) || !all[right]!.consumesMergeable.has(key)) clash(left, right);
  });
}

function forPairs(
  users: ReadonlyMap<string, readonly number[]>,
  visit: (key: string, left: number, right: number) => void,
): void {
  for (const [key, indices] of users)
    for (let i = 1; i < indices.length; i += 1) for (let j = 0; j < i; j += 1) visit(key, indices[j]!, indices[i]!);
}

function addTo(map: Map<string, number[]>, key: string, index: number): void {
  const indices = map.get(key);
  if (indices === undefined) map.set(key, [index]);
  else indices.push(index);
}

/** Numbers in classes that are joined. */
class Classes {
  private readonly above: number[];

  constructor(size: number) {
    this.above = Array.from({ length: size }, (_, index) => index);
  }

  join(left: number, right: number): void {
    const [one, other] = [this.find(left), this.find(right)];
    this.above[Math.max(one, other)] = Math.min(one, other);
  }

  of<Item>(items: readonly Item[]): Item[][] {
    const classes = new Map<number, Item[]>();
    items.forEach((item, index) => {
      const root = this.find(index);
      const members = classes.get(root);
      if (members === undefined) classes.set(root, [item]);
      else members.push(item);
    });
    return [...classes.values()];
  }

  private find(index: number): number {
    let root = index;
    while (this.above[root] !== root) root = this.above[root]!;
    this.above[index] = root;
    return root;
  }
}
