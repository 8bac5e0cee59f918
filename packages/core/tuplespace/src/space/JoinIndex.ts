import { placeOf } from "./placeOf.js";

/** One of the groups of a channel. */
class Member<Group> {
  isReady = true;
  isGone = false;

  constructor(
    readonly group: Group,
    /** The newer, the greater. */
    readonly number: number,
    readonly index: JoinIndex<Group>,
  ) {}

  get isOver(): boolean {
    return this.isGone || this.index.isOver;
  }

  wake(): void {
    this.index.wake(this);
  }
}

/** A group that lacks data. */
type Sleeper = Pick<Member<unknown>, "isOver" | "wake">;

/** Groups that lack data on a channel. They are looked at again when a datum comes. */
export class Sleepers {
  #members: Sleeper[] = [];
  #most = 32;

  add(member: Sleeper): void {
    if (this.#members.length >= this.#most) {
      this.#members = this.#members.filter(({ isOver }) => !isOver);
      this.#most = 2 * this.#members.length + 32;
    }
    this.#members.push(member);
  }

  wake(): void {
    if (this.#members.length === 0) return;
    for (const member of this.#members) member.wake();
    this.#members = [];
  }
}

/**
 * Finds, among the many groups of one channel, those that may have data on all other channels.
 *
 * PERF: each group that lacks something is noted where it lacks it, so that a produce does not check all of them.
 *
 * @cost of a produce: it grows with the groups that lack nothing, and those that lacked nothing since the last one
 */
export class JoinIndex<Group> {
  /** Another one is made where lists went back to what they were. */
  isOver = false;
  /** Parallel to the channel's list, in which items change their places. */
  readonly #numbers: number[] = [];
  readonly #members = new Map<Group, Member<Group>>();
  /** The newest last. */
  readonly #ready: Member<Group>[] = [];
  #nextNumber = 0;

  /** @param reverts of the journal, when it was made */
  constructor(
    groups: readonly Group[],
    readonly reverts: number,
  ) {
    for (const group of groups) this.push(group);
  }

  has(group: Group): boolean {
    return this.#members.has(group);
  }

  push(group: Group): void {
    const member = new Member(group, this.#nextNumber++, this);
    this.#numbers.push(member.number);
    this.#members.set(group, member);
    this.#ready.push(member);
  }

  /** @returns the place in the list of the channel; -1 where it is not there */
  remove(group: Group): number {
    const member = this.#members.get(group);
    if (member === undefined) return -1;
    member.isGone = true;
    this.#members.delete(group);
    if (member.isReady) this.#ready.splice(this.#placeOfReady(member), 1);
    const place = placeOf(this.#numbers, member.number);
    this.#numbers.splice(place, 1);
    return place;
  }

  /** Those that may lack nothing but a datum on this channel, the newest last. */
  get awake(): readonly Group[] {
    return this.#ready.map(({ group }) => group);
  }

  /**
   * Calls with the groups that lack nothing but a datum on this channel, the newest first, until something is found. A
   * group that lacks other data is not checked again before these come. The list must not change meanwhile.
   */
  find<Found>(
    lackOf: (group: Group) => { readonly sleepers: Sleepers } | undefined,
    at: (group: Group) => Found | undefined,
  ): Found | undefined {
    const ready = this.#ready;
    let found: Found | undefined;
    let place = ready.length - 1;
    for (; place >= 0 && found === undefined; place -= 1) {
      const member = ready[place]!;
      const lack = lackOf(member.group);
      if (lack === undefined) found = at(member.group);
      else {
        member.isReady = false;
        lack.sleepers.add(member);
      }
    }
    let end = place + 1;
    for (let from = end; from < ready.length; from += 1) if (ready[from]!.isReady) ready[end++] = ready[from]!;
    ready.length = end;
    return found;
  }

  wake(member: Member<Group>): void {
    if (member.isReady || member.isOver) return;
    member.isReady = true;
    this.#ready.splice(this.#placeOfReady(member), 0, member);
  }

  #placeOfReady({ number }: Member<Group>): number {
    let low = 0;
    let high = this.#ready.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ready[middle]!.number < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
