import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { createNodeCertificate } from "@vedette/crypto";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { attackerOf, closed, repeat } from "./requests.js";

const connections = 800;
const dribbleMs = 500;
const http2Beginning = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/** Connections to all open ports that send nothing, a little at a time, or nothing any more. */
export const silentConnections: Attack<AttackedNode> = {
  name: "silent and endless connections to all open ports",
  async run({ ports }, enough) {
    const { certificatePem: cert, privateKeyPem: key } = createNodeCertificate(Date.now());
    const open = [ports.protocol, ports.protocol, ports.discovery, ports.http, ports.grpcExternal];
    await repeat(enough, connections, async (index) => {
      const place = { host: "127.0.0.1", port: open[index % open.length]!, localAddress: attackerOf(index) };
      const isPeer = index % open.length === 0;
      const socket = isPeer
        ? connectTls({ ...place, cert, key, ALPNProtocols: ["h2"], rejectUnauthorized: false })
        : connect(place);
      socket.resume();
      const kind = Math.floor(index / open.length) % 3;
      if (kind > 0) socket.write(place.port === ports.http ? "GET /status HTTP/1.1\r\nx: " : http2Beginning, "latin1");
      // One byte after the other, of a header that never ends.
      const dribble = setInterval(() => kind === 2 && socket.writable && socket.write("x"), dribbleMs);
      await closed(socket, enough);
      clearInterval(dribble);
    });
    return [];
  },
};
