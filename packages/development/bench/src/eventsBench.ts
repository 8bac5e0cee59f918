import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { EventsNode } from "@vedette/server/testing";
import type { SubscribersAnswer, SubscribersCall } from "./eventSubscribers.js";
import type { Measurements } from "./Measurements.js";

const subscribers = 1_000;
/** A block with a deploy: added, included, final, and the deploy final. */
const eventsOfBlock = 4;
const blocksAtOnce = 50;
const blocksInTime = 60;
const rhythmMs = 50;

/**
 * Live events to many subscribers, which are in another process on the same machine.
 *
 * @spec 50 §4
 */
export async function benchEvents(measurements: Measurements): Promise<void> {
  await using node = await EventsNode.start();
  const made = new FakeEventChain();
  await node.take([made.genesis]);
  const others = fork(fileURLToPath(new URL("./eventSubscribers.js", import.meta.url)));
  try {
    await ask(others, { kind: "connect", port: node.port, count: subscribers });
    await oneAfterAnother(node, made, others, 10);
    const begunMs = performance.now();
    await oneAfterAnother(node, made, others, blocksAtOnce);
    const seconds = (performance.now() - begunMs) / 1000;
    const events = blocksAtOnce * eventsOfBlock;
    measurements.add(`events to ${subscribers} subscribers, as fast as they go`, events / seconds, "events/s");
    measurements.add("events delivered", (events * subscribers) / seconds, "deliveries/s");
    const { medianMs, p99Ms } = await inRhythm(node, made, others);
    measurements.add(`event to ${subscribers} subscribers, median`, medianMs, "ms");
    measurements.add(`event to ${subscribers} subscribers, p99`, p99Ms, "ms");
  } finally {
    const exited = once(others, "exit");
    others.kill();
    await exited;
  }
}

async function oneAfterAnother(
  node: EventsNode,
  made: FakeEventChain,
  others: ChildProcess,
  count: number,
): Promise<void> {
  const arrived = ask(others, { kind: "expect", messages: count * eventsOfBlock });
  for (let i = 0; i < count; i += 1) {
    await node.take(made.grow(1));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await arrived;
}

/** Blocks as they come on a busy network. */
async function inRhythm(
  node: EventsNode,
  made: FakeEventChain,
  others: ChildProcess,
): Promise<SubscribersAnswer & { readonly kind: "latencies" }> {
  const sentNs: string[] = [];
  const arrived = ask(others, { kind: "expect", messages: blocksInTime * eventsOfBlock });
  for (let i = 0; i < blocksInTime; i += 1) {
    const blocks = made.grow(1);
    const nowNs = String(process.hrtime.bigint());
    sentNs.push(...Array.from({ length: eventsOfBlock }, () => nowNs));
    await node.take(blocks);
    await sleep(rhythmMs);
  }
  await arrived;
  const answer = await ask(others, { kind: "latencies", sentNs });
  if (answer.kind !== "latencies") throw new TypeError(`the subscribers answer ${answer.kind}`);
  return answer;
}

async function ask(others: ChildProcess, call: SubscribersCall): Promise<SubscribersAnswer> {
  const answered = once(others, "message");
  others.send(call);
  return (await answered)[0] as SubscribersAnswer;
}
