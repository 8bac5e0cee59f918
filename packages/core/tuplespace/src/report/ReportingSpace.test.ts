import { blake2b256, toHex } from "@vedette/crypto";
import type { Event } from "@vedette/protocol";
import { BindPattern, encodePar, ListParWithRandom, nil, ParContinuation, ParWithRandom } from "@vedette/terms";
import { expect, test } from "vitest";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { PlaySpace } from "../space/PlaySpace.js";
import type { Space } from "../space/Space.js";
import { freePattern, int, name, simpleMatch } from "../testing/simpleMatch.js";
import { ReportingSpace } from "./ReportingSpace.js";

const variable = new BindPattern([freePattern], undefined, 1);
const random = blake2b256(Uint8Array.of(1));

/** @returns the log, newest first */
function run(space: Space): Event[] {
  space.consume([name(1)], [variable], new ParContinuation(new ParWithRandom(nil, random)), false, [0]);
  const first = space.softCheckpoint().log;
  const none = space.softCheckpoint().log;
  space.produce(name(1), new ListParWithRandom([int(5)], random), false);
  return [...none, ...first];
}

test("a report has a group for each part, oldest first, with the bound values in its COMMs", () => {
  const store = memoryStateStore();
  const play = new PlaySpace(store, simpleMatch, emptyRoot);
  const earlier = run(play);
  const recorded = [...play.softCheckpoint().log, ...earlier];

  const space = new ReportingSpace(store, simpleMatch, emptyRoot);
  space.rig(recorded);
  run(space);
  const { groups, isCut } = space.takeReport();
  expect(isCut).toBe(false);
  expect(groups.map((group) => group.map(({ kind }) => kind))).toEqual([["consume"], ["produce", "comm"]]);
  const [, comm] = groups[1]!;
  if (comm?.kind !== "comm") throw new TypeError("no COMM");
  expect(comm.consume.peeks).toEqual([0]);
  expect(comm.produces.map(({ data }) => data.pars.map((par) => toHex(encodePar(par))))).toEqual([
    [toHex(encodePar(int(5)))],
  ]);
  expect(space.takeReport().groups).toEqual([]);
  expect(space.checkReplayData()).toBeUndefined();
});
