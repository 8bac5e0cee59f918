import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { systemTimers } from "../Timers.js";
import { withinTime } from "./withinTime.js";

const timers = systemTimers;

/** Ends with the signal, like requests to peers. */
function untilAborted(limit: AbortSignal): Promise<void> {
  return new Promise((_, reject) => limit.addEventListener("abort", () => reject(new Error("no peer answered"))));
}

test("what is not done in time is reported with the step that it was at", async () => {
  const { signal } = new AbortController();
  const failed = withinTime(1, { timers, signal }, untilAborted);
  await expect(failed).rejects.toMatchObject({
    failure: { code: "stateUnobtainable", reason: "no peer gives it in time" },
    cause: new Error("no peer answered"),
  });
  const ended = withinTime(1, { timers, signal }, async (limit) => {
    await untilAborted(limit).catch(() => undefined);
    limit.throwIfAborted();
  });
  const late = await ended.catch((error: unknown) => error);
  expect(late).toMatchObject({ failure: { code: "stateUnobtainable" } });
  expect(late).not.toHaveProperty("cause");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an abort rejects with the work's own error, and finished work leaves nothing", async () => {
  const ending = new AbortController();
  const ended = withinTime(600_000, { timers, signal: ending.signal }, untilAborted);
  ending.abort();
  await expect(ended).rejects.toThrow("no peer answered");
  await expect(withinTime(600_000, { timers, signal: ending.signal }, untilNoticed)).rejects.toThrow("aborted");
  const { signal } = new AbortController();
  await withinTime(600_000, { timers, signal }, () => Promise.resolve());
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

function untilNoticed(limit: AbortSignal): Promise<void> {
  limit.throwIfAborted();
  return Promise.resolve();
}
