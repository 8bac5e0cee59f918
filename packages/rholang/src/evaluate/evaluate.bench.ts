import { SplittableRandom } from "@vedette/crypto";
import { nil } from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace, ReplaySpace, type Space } from "@vedette/tuplespace";
import { bench, describe } from "vitest";
import { compile } from "../compile.js";
import { matchDatum } from "../match/matchPar.js";
import { installSystemProcesses } from "../system/install.js";
import { evaluate } from "./evaluate.js";

const source = `
  new cell, account, result in {
    contract cell(@init, get, set) = {
      new state in {
        state!(init) |
        contract get(ret) = { for (@value <- state) { state!(value) | ret!(value) } } |
        contract set(@value, ret) = { for (_ <- state) { state!(value) | ret!(true) } }
      }
    } |
    contract account(@count) = {
      match count {
        0 => Nil
        _ => {
          new get, set, ret, done in {
            cell!(count, *get, *set) | get!(*ret) |
            for (@value <- ret) { set!(value + 1, *done) | for (_ <- done) { account!(count - 1) } }
          }
        }
      }
    } |
    account!(100)
  }`;

const states = memoryStateStore();
const par = compile(source, new Map());

function run(space: Space, replay: boolean): void {
  installSystemProcesses(space);
  const random = SplittableRandom.fromSeed(new Uint8Array(0));
  const result = evaluate({ program: { par }, space, phloLimit: 10_000_000n, random, mergeableTag: nil, replay });
  if (result.kind !== "evaluated" || result.errors.length > 0) throw result;
}

const recorded = new PlaySpace(states, matchDatum, emptyRoot);
run(recorded, false);
const { log } = recorded.softCheckpoint();

describe(`a hundred accounts, ${log.length} events`, () => {
  bench("play", () => run(new PlaySpace(states, matchDatum, emptyRoot), false));

  bench("replay", () => {
    const space = new ReplaySpace(states, matchDatum, emptyRoot);
    space.rig(log);
    run(space, true);
  });
});
