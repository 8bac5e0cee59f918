import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeededNumbers } from "@vedette/devtools/devnet";
import type { NetworkProcesses } from "@vedette/e2e";
import { hostileTerms } from "@vedette/executor/testing";
import { type Block, blockSignerOf, rnode, signBlock } from "@vedette/protocol";
import { HostilePeer } from "../memory/HostilePeer.js";
import { sendHostileDeploy } from "../memory/hostileDeploys.js";
import { exploreHostileTerms } from "../memory/hostileExplorations.js";
import { sendMalformedRequests } from "../memory/malformedRequests.js";
import type { AdjustableClock } from "./AdjustableClock.js";

/**
 * The network that is disturbed, and the nodes to disturb: some are left running, so that their memory can be compared.
 */
export interface ChaosTarget {
  readonly network: NetworkProcesses;
  /** The validator that is killed, stopped and has its clock moved. */
  readonly victim: string;
  readonly clock: AdjustableClock | undefined;
  readonly signal: AbortSignal;
}

type Disturbance = (disturbed: ChaosTarget, numbers: SeededNumbers) => Promise<void>;

const pausedMs = 20_000;
const movedMs = 40_000;
const visitMs = 30_000;
const followedMs = 20_000;

const upgrade =
  "GET /v2/events HTTP/1.1\r\nHost: soak\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/** Everything that is done, by what it is. */
export const disturbances: Readonly<Record<string, Disturbance>> = {
  "a validator is killed and started again": async ({ network, victim, signal }) => {
    await network.kill(victim);
    await sleep(5_000, undefined, { signal });
    network.restart(victim);
  },
  "a validator ends in order and is started again": async ({ network, victim, signal }) => {
    await network.stop(victim);
    await sleep(1_000, undefined, { signal });
    network.restart(victim);
  },
  "a validator stands still for 20 s": async ({ network, victim, signal }) => {
    const { pid } = network.node(victim).process;
    if (pid === undefined) return;
    process.kill(pid, "SIGSTOP");
    try {
      await sleep(pausedMs, undefined, { signal });
    } finally {
      process.kill(pid, "SIGCONT");
    }
  },
  "the clock of a validator jumps for 40 s": async ({ clock, signal }, numbers) => {
    clock?.moveTo(Math.round((numbers.share() - 0.5) * 240_000));
    try {
      await sleep(movedMs, undefined, { signal });
    } finally {
      clock?.moveTo(0);
    }
  },
  "a peer comes and goes": async ({ network, signal }) => {
    for (const name of network.names) {
      await using peer = new HostilePeer(await addressOf(network, name), network.networkId);
      await peer.join();
      await sleep(visitMs / network.names.length, undefined, { signal });
    }
  },
  "500 malformed requests at each node": async ({ network }) => {
    for (const name of network.names)
      await sendMalformedRequests(network.node(name).plan.ports.http, { count: 500, atOnce: 16 });
  },
  "hostile explorations at the observer": async ({ network }) => {
    await exploreHostileTerms(network.node("observer").plan.ports.http, { count: 12, atOnce: 6 });
  },
  "500 mutated messages of a peer": async ({ network }, numbers) => {
    await using peer = new HostilePeer(await addressOf(network, "observer"), network.networkId);
    await peer.join();
    await peer.sendMutations([strangersBlock(numbers), strangersBlock(numbers)], { count: 500, atOnce: 8 });
  },
  "hostile deploys": async ({ network }, numbers) => {
    const terms = Object.values(hostileTerms);
    for (const [at, wallet] of network.wallets.slice(-2).entries()) {
      const name = network.validators[at % network.validators.length]!;
      await sendHostileDeploy(network, name, { wallet, term: terms[Math.floor(numbers.share() * terms.length)]! });
    }
  },
  "200 followers of events come and go": async ({ network, signal }) => {
    const { http } = network.node("observer").plan.ports;
    const sockets = Array.from({ length: 200 }, (_, at) => {
      const socket = connect(http, "127.0.0.1", () => socket.write(upgrade));
      socket.on("error", () => undefined);
      // Half of them never read.
      if (at % 2 === 0) socket.resume();
      return socket;
    });
    await sleep(followedMs, undefined, { signal });
    for (const socket of sockets) socket.destroy();
  },
};

/** A block that is signed as it should be, by a key that has no stake. */
function strangersBlock(numbers: SeededNumbers): Block {
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => numbers.below(256));
  const nothing = new Uint8Array(0);
  const key = blockSignerOf(bytes(32).fill(1, 0, 1));
  const state = { preStateHash: bytes(32), postStateHash: bytes(32), bonds: [], blockNumber: 1n };
  const body = { state, deploys: [], rejectedDeploys: [], systemDeploys: [], extraBytes: bytes(200) };
  const header = { parents: [bytes(32)], timestamp: BigInt(Date.now()), version: 1n, extraBytes: nothing };
  const fields = { hash: nothing, header, body, justifications: [], sender: nothing, sequenceNumber: 1 };
  const rest = { signature: nothing, signatureAlgorithm: "", shardId: "root", extraBytes: nothing };
  return signBlock({ ...fields, ...rest }, key, rnode);
}

async function addressOf(network: NetworkProcesses, name: string): Promise<string> {
  const { address } = (await network.get(name, "/api/status")) as { address: string };
  return address;
}
