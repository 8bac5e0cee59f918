import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { collectGarbageWhenIdle, lowerPriority } from "@vedette/executor/threads";
import { openWholeDatabase, sumUp } from "../database/indexSum.js";
import type { IndexLocation } from "../database/openDatabase.js";
import { type IndexEvent, IndexFollower } from "./IndexFollower.js";
import { type CallFeed, PortCalls, PortFeed } from "./PortFeed.js";

/** The settings of the index's thread. */
export interface IndexThreadSettings {
  readonly place: IndexLocation;
  /** Where the node answers: `LocalFeed`. */
  readonly feed: MessagePort;
  /** Whether the file was found to be damaged. */
  readonly isSuspect: boolean;
}

lowerPriority("reader");

const { place, feed, isSuspect } = workerData as IndexThreadSettings;
const calls = new PortCalls(feed);
const ended = new AbortController();
let wake: () => void = () => {};
let isWoken = false;
/** Without a word the log is looked at so often. */
const lookMs = 5_000;
/** When it collects its garbage: how often is looked, and for how much. */
const restMs = 2_000;
const garbageBytes = 4 << 20;

/** Notifications that come before the wait count, too. */
function wait(signal: AbortSignal): Promise<void> {
  if (isWoken) {
    isWoken = false;
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      wake = () => {
        isWoken = true;
      };
      isWoken = false;
      resolve();
    };
    const timer = setTimeout(end, lookMs);
    signal.addEventListener("abort", end, { once: true });
    wake = end;
  });
}
wake = () => {
  isWoken = true;
};

parentPort!.on("message", (word: "wake" | "end") => {
  if (word === "wake") wake();
  else ended.abort();
});

const emit = (event: IndexEvent) => parentPort!.postMessage(event);
const database = await openWholeDatabase(place, isSuspect, () =>
  emit({ type: "indexAnew", reason: "its file was damaged" }),
);
const call = ((method: string, argument: unknown) => calls.call(method, argument)) as CallFeed;
const follower = new IndexFollower({
  database,
  feed: new PortFeed(call, wait, true),
  emit,
});
// Going through all blocks leaves much garbage, and afterwards there is little to do.
collectGarbageWhenIdle(ended.signal, { lookMs: restMs, garbageBytes });
await follower.run(ended.signal);
await sumUp(place, database);
await database[Symbol.asyncDispose]();
feed.close();
parentPort!.close();
