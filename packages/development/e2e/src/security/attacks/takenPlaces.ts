import { bystander } from "@vedette/testing";
import { WebSocket } from "ws";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { indexGoesOn } from "./indexGoesOn.js";
import { aliased } from "./manyAliases.js";
import { ask, attackerOf, post, repeat } from "./requests.js";

const askers = 120;
const sockets = 12;
const subscriptions = 50;
const explorers = 400;
const followers = 200;
/** The requests of another client, each of which must be answered. */
const honestQuestions = 10;
const endless = "new loop in { contract loop() = { loop!() } | loop!() }";

/** Clients of four addresses take as many questions, subscriptions, programs and followers as there may be. */
export const takenPlaces: Attack<AttackedNode> = {
  name: "clients that take all places of limited requests",
  async run(target, enough) {
    const { http: port } = target.ports;
    const gains = new Set<string>();
    await Promise.all([
      repeat(enough, askers, (index) =>
        post({ port, path: "/graphql", from: attackerOf(index), signal: enough }, { query: aliased(2, 1) }),
      ),
      repeat(enough, sockets, (index) => subscribe(port, index, enough)),
      repeat(enough, explorers, (index) =>
        post({ port, path: "/v2/explore", from: attackerOf(index), signal: enough }, { term: endless }),
      ),
      repeat(enough, followers, (index) => ask({ port, path: "/v2/events", from: attackerOf(index), signal: enough })),
      repeat(enough, 1, async () => {
        for (let at = 0; at < honestQuestions; at += 1) for (const gain of await honest(port)) gains.add(gain);
      }),
    ]);
    await indexGoesOn(target);
    return [...gains];
  },
};

/** Returns the refusals of another client's requests. */
async function honest(port: number): Promise<string[]> {
  const place = { port, from: bystander };
  const [graphql, explored, subscribed] = await Promise.all([
    post({ ...place, path: "/graphql" }, { query: "{ blocks(limit: 1) { block_number } }" }),
    post({ ...place, path: "/v2/explore" }, { term: "new return in { return!(1) }" }),
    firstAnswer(port),
  ]);
  return [
    ...(graphql.text.includes('"block_number"') ? [] : [`GraphQL: ${graphql.status} ${graphql.text.slice(0, 200)}`]),
    ...(explored.status === 200 ? [] : [`explore: ${explored.status} ${explored.text.slice(0, 200)}`]),
    ...(subscribed.includes('"next"') ? [] : [`subscription: ${subscribed.slice(0, 200)}`]),
  ];
}

function connectTo(port: number, localAddress: string): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, "graphql-transport-ws", {
    localAddress,
    headers: { host: "localhost" },
  });
  socket.once("open", () => socket.send(JSON.stringify({ type: "connection_init" })));
  return socket;
}

function say(socket: WebSocket, id: number, query: string): void {
  socket.send(JSON.stringify({ type: "subscribe", id: String(id), payload: { query } }));
}

/** The first message of a subscription. */
function firstAnswer(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTo(port, bystander);
    const end = (answer: string) => {
      socket.terminate();
      resolve(answer);
    };
    socket.once("error", ({ message }) => end(message));
    socket.once("close", () => end("the connection was closed"));
    socket.once("message", () => {
      say(socket, 0, "subscription { blocks(limit: 1) { block_hash } }");
      socket.once("message", (message: Buffer) => end(message.toString()));
    });
  });
}

/** Subscribes to queries that differ from all others; resolves when the connection has ended, or there is enough. */
function subscribe(port: number, index: number, enough: AbortSignal): Promise<void> {
  const socket = connectTo(port, attackerOf(index));
  socket.once("message", () => {
    for (let id = 0; id < subscriptions; id += 1)
      say(socket, id, `subscription { blocks(limit: ${1 + index}, offset: ${id}) { block_hash } }`);
  });
  return new Promise((resolve) => {
    const end = () => {
      enough.removeEventListener("abort", end);
      socket.terminate();
      resolve();
    };
    socket.on("error", end);
    socket.once("close", end);
    enough.addEventListener("abort", end);
    if (enough.aborted) end();
  });
}
