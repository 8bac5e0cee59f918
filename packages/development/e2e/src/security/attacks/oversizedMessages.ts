import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectTls } from "node:tls";
import { create, toBinary } from "@bufbuild/protobuf";
import { createNodeCertificate, toHex } from "@vedette/crypto";
import { type Peer, peerOfUri } from "@vedette/network";
import { callGrpc, encodeRequest, nodeOfPeer } from "@vedette/network/testing";
import { ChunkSchema } from "@vedette/protocol";
import { patienceMs } from "@vedette/testing";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { ask, attackerOf, repeat } from "./requests.js";

const attackers = 8;
const piece = new Uint8Array(250_000);
/** Pieces of a stream that the node does not end earlier: more bytes than the largest block may have. */
const streamPieces = 1_200;
const transport = "/routing.TransportLayer";
const announcedLengths = [0x7fff_ffff, 250_000_000, 1, 0, -1];

/** Sends messages of peers and requests of clients above the limits, or longer than announced. */
export const oversizedMessages: Attack<AttackedNode> = {
  name: "peers and clients: oversized messages",
  async run(target, enough) {
    const { http, grpcExternal } = target.ports;
    const node = peerOfUri(await target.address())!;
    const { networkId } = target.network;
    await repeat(enough, attackers, async (index, round) => {
      const kind = (index + round) % 4;
      const from = attackerOf(index);
      const large = { method: "POST", body: new Uint8Array(40 << 20), from, signal: enough };
      if (kind === 0) await ask({ ...large, port: http, path: "/api/deploy" });
      else if (kind === 1) await ask({ ...large, port: grpcExternal, path: "/casper.v1.DeployService/doDeploy" });
      else await asPeer(node, networkId, { isStream: kind === 2, length: announcedLengths[round % 5]! }, enough);
    });
    return [];
  },
};

interface Oversized {
  readonly isStream: boolean;
  /** That is announced before the stream. */
  readonly length: number;
}

/** Sends one message as a new, unknown peer. */
async function asPeer(node: Peer, networkId: string, { isStream, length }: Oversized, enough: AbortSignal) {
  const { nodeId, certificatePem: cert, privateKeyPem: key } = createNodeCertificate(Date.now());
  const self: Peer = { id: toHex(nodeId), host: "127.0.0.1", protocolPort: 1, discoveryPort: 1 };
  const { id: authority, host, protocolPort: port } = node;
  const tls = { host, port, servername: authority, cert, key, ALPNProtocols: ["h2"], rejectUnauthorized: false };
  const session: ClientHttp2Session = connect(`https://${authority}`, { createConnection: () => connectTls(tls) });
  session.on("error", () => undefined);
  const packet = { type: "packet", typeId: "BlockMessage", content: new Uint8Array(16 << 20) } as const;
  const header = { sender: nodeOfPeer(self), typeId: "BlockMessage", networkId, contentLength: length };
  await callGrpc(session, {
    ...{ path: `${transport}/${isStream ? "Stream" : "Send"}`, scheme: "https", authority },
    messages: isStream ? endless(header, enough) : [encodeRequest(self, networkId, packet)],
    ...{ deadlineMs: patienceMs(), maxAnswerBytes: 100_000, signal: enough },
  }).catch(() => undefined);
  session.destroy();
}

function* endless(value: object, enough: AbortSignal): Generator<Uint8Array> {
  yield toBinary(ChunkSchema, create(ChunkSchema, { content: { case: "header", value: value as never } }));
  const data = create(ChunkSchema, { content: { case: "data", value: { contentData: piece } } as never });
  for (let sent = 0; sent < streamPieces && !enough.aborted; sent += 1) yield toBinary(ChunkSchema, data);
}
