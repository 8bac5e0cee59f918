import { expect, test } from "vitest";
import { SeededRandom } from "../random/SeededRandom.js";
import { Trace } from "../time/Trace.js";
import { VirtualTime } from "../time/VirtualTime.js";
import { type Participant, SimulatedNetwork } from "./SimulatedNetwork.js";

const conditions = {
  latencyMs: 1,
  reorderDelayMs: 0,
  reorderProbability: 0,
  dropProbability: 0,
  duplicateProbability: 0,
};

function participant(name: string, received: string[]): Participant {
  const peer = { id: Buffer.from(name.padEnd(20)).toString("hex"), host: name, protocolPort: 1, discoveryPort: 2 };
  const receive = async (_: unknown, typeId: string) => void received.push(`${name} ${typeId}`);
  return { name, peer, receive, slowness: 1, isAlive: true };
}

test("strangers of a poisoned discovery take what they are sent and answer nothing, until it ends", async () => {
  const time = new VirtualTime(new SeededRandom(1, "time"), new Trace());
  const network = new SimulatedNetwork(time, new SeededRandom(1, "network"), conditions);
  const received: string[] = [];
  const [one, other] = [participant("one", received), participant("other", received)];
  for (const each of [one, other]) network.join(each);
  const end = network.poison(one.peer.id, 3);
  expect(network.reachableFrom(one)).toHaveLength(4);
  expect(network.reachableFrom(other)).toEqual([one.peer]);
  const sent = Promise.all(network.reachableFrom(one).map((to) => network.send(one, to, "HasBlock", new Uint8Array())));
  while (await time.step());
  await sent;
  expect(received).toEqual(["other HasBlock"]);
  end();
  expect(network.reachableFrom(one)).toEqual([other.peer]);
});
