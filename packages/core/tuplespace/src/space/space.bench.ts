import { SplittableRandom } from "@vedette/crypto";
import { BindPattern, GPrivate, ListParWithRandom, nil, Par, ParContinuation, ParWithRandom } from "@vedette/terms";
import { bench, describe } from "vitest";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { ReplaySpace } from "../replay/ReplaySpace.js";
import { freePattern, int, simpleMatch } from "../testing/simpleMatch.js";
import { PlaySpace } from "./PlaySpace.js";
import type { Space } from "./Space.js";

const variable = new BindPattern([freePattern], undefined, 1);
const meetings = 950;
const left = 150;

/** About the mix of a busy block: 2,850 events of new names that meet, and some data that stay. */
function work(space: Space, random: SplittableRandom): void {
  for (let i = 0; i < meetings; i += 1) {
    const channel = Par.of({ unforgeables: [new GPrivate(random.next())] });
    space.consume([channel], [variable], new ParContinuation(new ParWithRandom(nil, random.next())), false, []);
    space.produce(channel, new ListParWithRandom([int(i)], random.next()), false);
  }
  for (let i = 0; i < left; i += 1) {
    const channel = Par.of({ unforgeables: [new GPrivate(random.next())] });
    space.produce(channel, new ListParWithRandom([int(i)], random.next()), false);
  }
}

const random = () => SplittableRandom.fromSeed(Uint8Array.of(7));

/** A state of 20,000 data, so that the tree has its usual depth. */
const store = memoryStateStore();
const base = new PlaySpace(store, simpleMatch, emptyRoot);
const baseRandom = SplittableRandom.fromSeed(Uint8Array.of(1));
for (let i = 0; i < 20_000 / left; i += 1) work(base, baseRandom);
const { root } = base.checkpoint();
const recorded = new PlaySpace(store, simpleMatch, root);
work(recorded, random());
const { log } = recorded.checkpoint();

describe("a block of 3,000 events on a state of 20,000 data, matcher and terms trivial", () => {
  bench("play and commit", () => {
    const space = new PlaySpace(store, simpleMatch, root);
    work(space, random());
    space.checkpoint();
  });

  bench("replay and commit", () => {
    const space = new ReplaySpace(store, simpleMatch, root);
    space.rig(log);
    work(space, random());
    space.checkpoint();
  });
});
