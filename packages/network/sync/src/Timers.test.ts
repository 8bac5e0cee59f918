import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { systemTimers, waitFor } from "./Timers.js";

test("waiting ends with the time or with any of the signals, and leaves nothing with them", async () => {
  const [ending, woken] = [new AbortController(), new AbortController()];
  const left = () => [ending, woken].flatMap(({ signal }) => getEventListeners(signal, "abort"));
  await waitFor(systemTimers, 1, ending.signal, woken.signal);
  expect(left()).toEqual([]);
  const waiting = waitFor(systemTimers, 600_000, ending.signal, woken.signal);
  expect(left()).toHaveLength(2);
  woken.abort();
  await waiting;
  expect(left()).toEqual([]);
  await waitFor(systemTimers, 600_000, ending.signal, woken.signal);
  expect(left()).toEqual([]);
});
