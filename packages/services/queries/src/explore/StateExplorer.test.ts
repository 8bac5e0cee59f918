import type { QueryReaders } from "@vedette/executor/threads";
import { expect, test } from "vitest";
import type { StateRoots } from "../state/StateRoots.js";
import { FairScheduler } from "./FairScheduler.js";
import { Overload } from "./Overload.js";
import { stateExplorerOf, stateReadsOf } from "./StateExplorer.js";

const long = (name: string) => name.padEnd(1 << 20, " ");

/** Readers that work on a program until the test ends it. */
function readers() {
  const asked: string[] = [];
  const ends = new Map<string, () => void>();
  const call = (_method: string, source: string) =>
    new Promise<undefined>((resolve) => {
      const name = source.trim();
      asked.push(name);
      ends.set(name, () => resolve(undefined));
    });
  const reads = stateReadsOf(
    { call: call as QueryReaders["call"] },
    {
      ...{ timeoutMs: 1_000, turns: new FairScheduler(1) },
      roots: undefined as unknown as StateRoots,
    },
  );
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  return { asked, end, check: reads.checkTerm.bind(reads) };
}

test("a client with many long programs waits for them, and delays no other", async () => {
  const { asked, end, check } = readers();
  const checks = ["a", "b", "c"].map((name) => check(long(name), "10.0.0.1"));
  checks.push(check(long("other"), "10.0.0.2"), check("short", "10.0.0.1"));
  await new Promise(setImmediate);
  expect(asked.toSorted()).toEqual(["a", "short"]);
  await end("short");
  await end("a");
  expect(asked.slice(2)).toEqual(["other"]);
  for (const name of ["other", "b", "c"]) await end(name);
  expect(await Promise.all(checks)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test("no more long programs wait than there is room for", async () => {
  const { check } = readers();
  void check(long("running"), "10.0.0.1").catch(() => {});
  const answers = Array.from({ length: 40 }, (_, at) => check(long(`${at}`), `10.0.1.${at}`));
  const refused = answers.slice(32);
  for (const answer of answers.slice(0, 32)) void answer.catch(() => {});
  for (const answer of refused) await expect(answer).rejects.toBeInstanceOf(Overload);
});

test("an exploratory deploy has the phlo and the time that are configured", async () => {
  const asked: unknown[] = [];
  const call = async (method: string, { phloLimit }: { readonly phloLimit?: bigint }, timeoutMs: number) => {
    asked.push([method, phloLimit, timeoutMs]);
    return { kind: "stopped", reason: "deadline", afterMs: 3_001, memoryMb: undefined };
  };
  const explorer = stateExplorerOf(
    { call: call as unknown as QueryReaders["call"] },
    { timeoutMs: 3_000, phloLimit: 700n, turns: new FairScheduler(1), roots: undefined as unknown as StateRoots },
  );
  const client = { form: "json", client: "10.0.0.1" } as const;
  const answer = explorer.explore(new Uint8Array(32), "Nil", client, new AbortController().signal);
  await expect(answer).rejects.toThrow("it may run for 3000 ms");
  expect(asked).toEqual([["explore", 700n, 3_000]]);
});
