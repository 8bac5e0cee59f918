import { expect, test } from "vitest";
import { type AnswerReader, UnsentAnswers } from "./UnsentAnswers.js";

function made(maxBytes: number) {
  const clock = { nowMs: 0 };
  const unsent = new UnsentAnswers(maxBytes, () => clock.nowMs);
  const cut: string[] = [];
  const reader = (name: string): AnswerReader => ({ cutOff: () => void cut.push(name) });
  return { clock, unsent, cut, reader };
}

const answer = (length: number) => new Uint8Array(length);

test("those are cut off first who have taken nothing for longest", () => {
  const { unsent, cut, reader } = made(100);
  const [first, second, third] = [reader("first"), reader("second"), reader("third")];
  unsent.sending(answer(40), first);
  unsent.sending(answer(40), second);
  unsent.took(first);
  unsent.sending(answer(40), third);
  expect([cut, unsent.bytes]).toEqual([["second"], 80]);
});

test("who reads at a steady pace is not cut off by any number of others who do not", () => {
  const { clock, unsent, cut, reader } = made(100);
  const steady = reader("steady");
  unsent.sending(answer(50), steady);
  for (let second = 1; second <= 100; second += 1) {
    clock.nowMs = second * 1_000;
    if (second % 10 === 0) unsent.took(steady);
    if (second < 10) continue;
    for (let other = 0; other < 5; other += 1) unsent.sending(answer(30), reader("other"));
    expect(unsent.bytes).toBeLessThanOrEqual(100);
  }
  expect(new Set(cut)).toEqual(new Set(["other"]));
});

test("who took something once is cut off when it has taken nothing for long", () => {
  const { clock, unsent, cut, reader } = made(100);
  const once = reader("once");
  unsent.sending(answer(60), once);
  clock.nowMs = 2_000;
  unsent.took(once);
  clock.nowMs = 10_000;
  unsent.sending(answer(30), reader("before"));
  unsent.sending(answer(30), reader("then"));
  clock.nowMs = 33_000;
  unsent.sending(answer(30), reader("later"));
  expect(cut).toEqual(["before", "once"]);
});

test("what buffers of the system take is not read", () => {
  const { clock, unsent, cut, reader } = made(100);
  const [filling, reading] = [reader("filling"), reader("reading")];
  unsent.sending(answer(40), reading);
  clock.nowMs = 1_500;
  unsent.took(reading);
  unsent.sending(answer(40), filling);
  unsent.took(filling);
  unsent.sending(answer(40), reader("newest"));
  expect(cut).toEqual(["filling"]);
});

test("where all read, those are cut off who have taken nothing for longest, and never the newest alone", () => {
  const { clock, unsent, cut, reader } = made(100);
  const readers = ["a", "b", "c"].map(reader);
  for (const each of readers) unsent.sending(answer(30), each);
  clock.nowMs = 2_000;
  for (const each of readers) unsent.took(each);
  unsent.sending(answer(60), reader("newest"));
  expect([cut, unsent.bytes]).toEqual([["a", "b"], 90]);
  unsent.sending(answer(200), reader("larger than all"));
  expect([cut, unsent.bytes]).toEqual([["a", "b", "newest", "c"], 200]);
});

test("an answer counts once, until the last of those who were sent it has read it as often as it was sent", () => {
  const { unsent, reader } = made(100);
  const [one, other] = [reader("one"), reader("other")];
  const shared = answer(30);
  for (const each of [one, one, other]) unsent.sending(shared, each);
  expect(unsent.bytes).toBe(30);
  unsent.sent(shared, one);
  unsent.leave(other);
  expect(unsent.bytes).toBe(30);
  unsent.sent(shared, one);
  unsent.sent(shared, one);
  unsent.leave(one);
  expect(unsent.bytes).toBe(0);
});
