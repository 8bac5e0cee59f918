import { blake2b256, SplittableRandom, toHex } from "@vedette/crypto";
import type { Event } from "@vedette/protocol";
import {
  BindPattern,
  encodePar,
  ListParWithRandom,
  nil,
  type Par,
  ParContinuation,
  ParWithRandom,
} from "@vedette/terms";
import {
  applyChanges,
  type DeployChain,
  deployChains,
  emptyRoot,
  MergeError,
  memoryStateStore,
  mergeBeside,
  PlaySpace,
  ReplaySpace,
  rejectDeploys,
  type Space,
  StateView,
} from "@vedette/tuplespace";
import { freePattern, int, name, simpleMatch } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must, refusedAs } from "../driver/Target.js";

/** In the order of their encodings (30 §1.10(1)). */
const channels: readonly Par[] = [int(5), name(1), name(2), name(3), name(9, 9)];
const patterns = [new BindPattern([freePattern], undefined, 1), new BindPattern([int(1)], undefined, 0)];
const anyChannel = fc.nat({ max: channels.length - 1 });

const anyStep = fc.oneof(
  fc.record({ send: anyChannel, value: fc.nat({ max: 1 }), persist: fc.constantFrom(false, false, true) }),
  fc.record({
    receive: fc.uniqueArray(anyChannel, { minLength: 1, maxLength: 2 }).map((list) => list.sort()),
    pattern: fc.nat({ max: 1 }),
    persist: fc.constantFrom(false, false, true),
  }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 3 });
const anyScene = fc.record({
  base: fc.array(anyStep, { maxLength: 6 }),
  blocks: fc.array(fc.array(anySteps, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 }),
  /** By evidence: what the merge of the first two has, and upon which of them, or upon neither, the third one stands. */
  own: fc.array(anySteps, { maxLength: 2 }),
  upon: fc.nat({ max: 2 }),
});

type Scene = typeof anyScene extends fc.Arbitrary<infer T> ? T : never;

/** One deploy of one block. */
interface Played {
  readonly id: Uint8Array;
  readonly cost: bigint;
  readonly seed: string;
  readonly steps: readonly Step[];
  readonly log: readonly Event[];
}

export const merging = propertyTarget({
  name: "merging",
  about: "blocks on one state merge to one state in any order of arrival, which is that of one deploy after the other",
  cost: "dear",
  files: ["tuplespace/merge/"],
  values: anyScene,
  check: ({ base, blocks, own, upon }) => {
    const store = memoryStateStore();
    const start = playAll(store, emptyRoot, [base], "base").root;
    checkByEvidence(store, start, { blocks, own, upon });
    const played = blocks.map((deploys, block) => playAll(store, start, deploys, `block ${block}`));
    // Quirk 30 §A.3: chains of equal post-states keep the order in which they come; a node merges by height and hash.
    if (new Set(played.map(({ root }) => toHex(root))).size < played.length) return;
    let chains: DeployChain[][];
    try {
      chains = played.map(({ root, deploys }) =>
        deployChains(
          deploys.map(({ id, cost, log }) => ({ id, cost, log, numberChannels: new Map() })),
          new StateView(store, start),
          new StateView(store, root),
        ),
      );
    } catch (error) {
      refusedAs(error, MergeError);
      return;
    }
    const resolved = permutations(chains).map((order) => rejectDeploys(order.flat(), () => 0n));
    const [first] = resolved;
    const root = applyChanges(store, start, first!.merged);
    for (const { merged, rejectedIds } of resolved) {
      must(textOf(rejectedIds) === textOf(first!.rejectedIds), "the same deploys are rejected in any order of arrival");
      must(
        toHex(applyChanges(store, start, merged)) === toHex(root),
        "the same state comes out in any order of arrival",
      );
    }
    if (played.some(({ deploys }, block) => sharesChannel(chains[block]!, deploys))) return;
    // Quirk 30 §A.5: who waits because another deploy of its block took a datum goes on waiting when that one is rejected.
    if (first!.rejected.length === 0) checkAtRest(store, root);
    const kept = new Set(first!.merged.flatMap(({ deploys }) => deploys.map(({ id }) => toHex(id))));
    const later = played.map(({ deploys }) => deploys.filter(({ id }) => kept.has(toHex(id))));
    for (const order of permutations(later)) {
      const sequential = replayAll(store, start, order.flat());
      must(sequential !== undefined, "what was merged can be replayed one after the other");
      must(toHex(sequential) === toHex(root), "the merged state is that of one deploy after the other");
    }
  },
});

/**
 * By evidence: a second block is merged upon a first one, and upon that merge and its own deploys a third one, which
 * stands upon what the scene says. What comes out is always what the deploys that are kept leave one after the other.
 *
 * @spec 40 §16.7
 */
function checkByEvidence(
  store: ReturnType<typeof memoryStateStore>,
  start: Uint8Array,
  { blocks, own, upon }: Omit<Scene, "base">,
): void {
  const [first, second, third] = blocks.map((deploys, at) => ({ deploys, name: `block ${at}` }));
  const begun = { key: "start", root: start };
  const play = (before: MadeBlock, { deploys, name }: { deploys: Scene["own"]; name: string }): MadeBlock => {
    const { root, deploys: played } = playAll(store, before.root, deploys, name);
    return { key: name, root, before: before.root, deploys: played };
  };
  const a = play(begun, first!);
  const b = play(begun, second!);
  const c = third === undefined ? undefined : play([begun, a, b][upon]!, third);
  try {
    const [besideA, besideB] = [beside(store, a, ["start"]), beside(store, b, ["start"])];
    const merge = mergeBeside([besideA], [besideB], new StateView(store, a.root));
    const root = applyChanges(store, a.root, merge.kept, true);
    const fromB = keptOf(b, merge.kept);
    checkSequence(store, start, [...a.deploys!, ...fromB], root);
    if (c === undefined) return;
    const m = play({ key: "merge", root }, { deploys: own, name: "merge" });
    const besideM = { ...beside(store, m, [a.key, b.key]), rejectedIds: merge.rejectedIds };
    const besideC = beside(store, c, [[begun, a, b][upon]!.key]);
    const all = mergeBeside([besideA, besideB, besideM], [besideC], new StateView(store, m.root));
    const whole = applyChanges(store, m.root, all.kept, true);
    checkSequence(store, start, [...a.deploys!, ...fromB, ...m.deploys!, ...keptOf(c, all.kept)], whole);
  } catch (error) {
    refusedAs(error, MergeError);
  }
}

/** A block, or what stands for one. */
interface MadeBlock {
  readonly key: string;
  readonly root: Uint8Array;
  readonly before?: Uint8Array;
  readonly deploys?: readonly Played[];
}

function beside(store: ReturnType<typeof memoryStateStore>, block: MadeBlock, parents: readonly string[]) {
  const deploys = block.deploys!.map(({ id, cost, log }) => ({ id, cost, log, numberChannels: new Map() }));
  const chains = deployChains(deploys, new StateView(store, block.before!), new StateView(store, block.root), true);
  return { key: block.key, parents, chains, rejectedIds: new Set<string>() };
}

function keptOf({ deploys }: MadeBlock, chains: readonly DeployChain[]): Played[] {
  const kept = new Set(chains.flatMap((chain) => chain.deploys.map(({ id }) => toHex(id))));
  return deploys!.filter(({ id }) => kept.has(toHex(id)));
}

function checkSequence(
  store: ReturnType<typeof memoryStateStore>,
  start: Uint8Array,
  deploys: readonly Played[],
  root: Uint8Array,
): void {
  checkAtRest(store, root);
  const sequential = replayAll(store, start, deploys);
  must(sequential !== undefined, "what is merged by evidence can be replayed one after the other");
  must(toHex(sequential) === toHex(root), "what is merged by evidence is the state of one deploy after the other");
}

/** Nothing lies in a state that could meet: it would have met. */
function checkAtRest(store: ReturnType<typeof memoryStateStore>, root: Uint8Array): void {
  const space = new PlaySpace(store, simpleMatch, root);
  const groups = new Map(
    channels.flatMap((channel) => space.joins(channel).map((join) => [join.map(hexOf).join(), join])),
  );
  for (const join of groups.values()) {
    for (const { patterns: wanted } of space.continuations(join)) {
      const canMeet = join.every((channel, index) =>
        space.data(channel).some((datum) => simpleMatch(wanted[index]!, datum.a) !== undefined),
      );
      must(!canMeet, "no continuation waits in the merged state for what is there");
    }
  }
}

function hexOf(channel: Par): string {
  return toHex(encodePar(channel));
}

/**
 * Whether chains of one block touch one channel. Quirk 30 §A.8: each of them then carries all that the block changed
 * there, and merging adds it as often.
 */
function sharesChannel(chains: readonly DeployChain[], deploys: readonly Played[]): boolean {
  const touched = chains.map((chain) => {
    const ids = new Set(chain.deploys.map(({ id }) => toHex(id)));
    return new Set(deploys.filter(({ id }) => ids.has(toHex(id))).flatMap(({ log }) => log.flatMap(channelsOf)));
  });
  return touched.some((one, at) =>
    touched.slice(at + 1).some((other) => [...one].some((channel) => other.has(channel))),
  );
}

/** Also those of the data that a COMM takes. */
function channelsOf(event: Event): string[] {
  if (event.kind === "produce") return [toHex(event.channelsHash)];
  if (event.kind === "consume") return event.channelsHashes.map(toHex);
  return [...channelsOf(event.consume), ...event.produces.flatMap(channelsOf)];
}

function textOf(ids: readonly Uint8Array[]): string {
  return ids.map(toHex).join();
}

function playAll(
  store: ReturnType<typeof memoryStateStore>,
  root: Uint8Array,
  deploys: readonly (readonly Step[])[],
  block: string,
): { readonly root: Uint8Array; readonly deploys: readonly Played[] } {
  const space = new PlaySpace(store, simpleMatch, root);
  const played = deploys.map((steps, index): Played => {
    const seed = `${block}/${index}`;
    run(space, steps, seed);
    const id = blake2b256(new TextEncoder().encode(seed));
    return { id, cost: BigInt(index + 1), seed, steps, log: space.softCheckpoint().log };
  });
  return { root: space.checkpoint().root, deploys: played };
}

/** `undefined` where a log does not fit. */
function replayAll(
  store: ReturnType<typeof memoryStateStore>,
  root: Uint8Array,
  deploys: readonly Played[],
): Uint8Array | undefined {
  const space = new ReplaySpace(store, simpleMatch, root);
  for (const { log, steps, seed } of deploys) {
    space.softCheckpoint();
    space.rig(log);
    run(space, steps, seed);
    if (space.checkReplayData() !== undefined) return undefined;
  }
  return space.checkpoint().root;
}

function run(space: Space, steps: readonly Step[], seed: string): void {
  for (const [index, step] of steps.entries()) {
    const random = SplittableRandom.fromSeed(new TextEncoder().encode(`${seed}/${index}`)).toBytes();
    if ("send" in step) {
      space.produce(channels[step.send]!, new ListParWithRandom([int(step.value)], random), step.persist);
      continue;
    }
    const wanted = step.receive.map(() => patterns[step.pattern]!);
    const continuation = new ParContinuation(new ParWithRandom(nil, random));
    const names = step.receive.map((channel) => channels[channel]!);
    space.consume(names, wanted, continuation, step.persist, []);
  }
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [list.slice()];
  return list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}
