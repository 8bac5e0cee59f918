import { blake2b256, SplittableRandom, toHex } from "@vedette/crypto";
import { GDeployerId, nil, Par } from "@vedette/terms";
import { runs, vectorPrograms } from "@vedette/testing";
import { emptyRoot, memoryStateStore, PlaySpace, ReplaySpace, type Space } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { matchDatum } from "../match/matchPar.js";
import { installSystemProcesses } from "../system/install.js";
import { bootstrapRegistry } from "../system/registryBootstrap.js";
import { type EvaluateResult, evaluate } from "./evaluate.js";

const phloLimit = 200_000n;
const environment: ReadonlyMap<string, Par> = new Map([
  ["rho:rchain:deployerId", Par.of({ unforgeables: [new GDeployerId(new Uint8Array(65))] })],
]);

const states = memoryStateStore();
const start = bootstrapped();

function bootstrapped(): Uint8Array {
  const space = new PlaySpace(states, matchDatum, emptyRoot);
  bootstrapRegistry(space);
  return space.checkpoint().root;
}

function run(source: string, space: Space, replay: boolean): EvaluateResult {
  installSystemProcesses(space);
  return evaluate({
    program: { source, environment },
    space,
    phloLimit,
    random: SplittableRandom.fromSeed(blake2b256(new TextEncoder().encode(source))),
    mergeableTag: nil,
    replay,
    budget: { maxSteps: 100_000 },
  });
}

/** The parts of a result that play and replay must agree on. */
function summary(result: EvaluateResult): string {
  if (result.kind !== "evaluated") return result.kind;
  return `${result.cost} ${result.errors.map((error) => error.message).join("; ")}`;
}

/** Plays and replays a program; what differs, or how it ended. */
function disagreement(source: string): string | undefined {
  const space = new PlaySpace(states, matchDatum, start);
  const played = run(source, space, false);
  if (played.kind === "broken") return `broken: ${played.cause.stack}`;
  if (played.kind !== "evaluated") return undefined;
  const failed = played.errors.length > 0;
  const { log } = space.softCheckpoint();
  const again = new ReplaySpace(states, matchDatum, start);
  again.rig(log);
  const replayed = run(source, again, true);
  if (summary(replayed) !== summary(played)) return `played ${summary(played)}, replayed ${summary(replayed)}`;
  if (failed) return undefined;
  if (again.checkReplayData() !== undefined) return "the replay leaves a part of the log";
  const roots = [space.checkpoint(), again.checkpoint()].map(({ root }) => toHex(root));
  return roots[0] === roots[1] ? undefined : `roots ${roots.join(" and ")}`;
}

describe("a replay of our own log", () => {
  // Most programs that are only to be parsed do little when they run.
  test.each([
    ["parse", runs(40, 4)],
    ["eval", runs(8, 1)],
  ] as const)("gives the same cost, errors and state for the programs of %s vectors, each of %i", (kind, every) => {
    const programs = [...vectorPrograms("rnode", [kind])].filter((_, index) => index % every === 0);
    const failures = programs.flatMap((source) => {
      const found = disagreement(source);
      return found === undefined ? [] : [{ source: source.slice(0, 300), found }];
    });
    expect(failures).toEqual([]);
  });
});
