import { randomBytes } from "node:crypto";
import { connect } from "node:http2";
import { toHex } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { callGrpc, encodeLookup, encodePing, kademliaService } from "@vedette/network/testing";
import { patienceMs } from "@vedette/testing";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { repeat } from "./requests.js";

const attackers = 4;
const maxAnswerBytes = 1_000_000;

interface ListedPeer {
  readonly nodeId: string;
  readonly host: string;
  readonly protocolPort: number;
}

/** Unsigned pings and lookups in the names of other peers, and of nodes that are nowhere, to change the table. */
export const pingsInAnothersName: Attack<AttackedNode> = {
  name: "peers: pings in another's name",
  async run(target, enough) {
    const { discovery } = target.ports;
    const { networkId } = target.network;
    // Only running nodes count: the node drops ended peers of earlier attacks by itself.
    const running = target.network.names.map((name) => target.network.node(name).plan.ports.protocol);
    const before = (await peersOf(target)).filter(({ protocolPort }) => running.includes(protocolPort));
    const deadlineMs = patienceMs();
    const session = connect(`http://127.0.0.1:${discovery}`);
    session.on("error", () => undefined);
    const call = (method: string, message: Uint8Array) =>
      callGrpc(session, {
        ...{ path: `/${kademliaService}/${method}`, scheme: "http", authority: "attacker", messages: [message] },
        ...{ deadlineMs, maxAnswerBytes, signal: enough },
      }).catch(() => undefined);
    await repeat(enough, attackers, async (index, round) => {
      const ids = [...before.map(({ nodeId }) => nodeId), toHex(randomBytes(20))];
      for (const id of ids) {
        const port = 1 + ((index + attackers * round) % 60_000);
        const named: Peer = { id, host: "127.0.0.1", protocolPort: port, discoveryPort: port };
        await call("SendPing", encodePing(named, networkId));
        await call("SendLookup", encodeLookup(randomBytes(20), named, networkId));
      }
    });
    session.destroy();
    return gainsOf(before, await peersOf(target));
  },
};

/** @returns peers that have another address than before, or have become unknown */
function gainsOf(before: readonly ListedPeer[], after: readonly ListedPeer[]): string[] {
  if (before.length === 0) return ["nothing was tried: the node knows of no peer"];
  return before.flatMap(({ nodeId, host, protocolPort }) => {
    const now = after.find((peer) => peer.nodeId === nodeId);
    const isSame = now?.host === host && now.protocolPort === protocolPort;
    return isSame ? [] : [`peer ${nodeId} is at ${now?.host}:${now?.protocolPort}`];
  });
}

async function peersOf(target: AttackedNode): Promise<readonly ListedPeer[]> {
  return ((await target.get("/status")) as { peerList: readonly ListedPeer[] }).peerList;
}
