import { connect } from "node:net";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { attackerOf, closed, repeat } from "./requests.js";

const connections = 128;
const bodyBytes = 16 << 20;
const piece = Buffer.alloc(1 << 20, "x");
/** Each of its bytes is a part of its own. */
const dust = Buffer.from("1\r\nx\r\n".repeat(100_000));

/** Requests with bodies of the maximum length that never come whole; some in parts of one byte. */
export const unfinishedBodies: Attack<AttackedNode> = {
  name: "HTTP: large bodies that never come whole",
  async run({ ports: { http, adminHttp } }, enough) {
    await repeat(enough, connections, async (index) => {
      const port = index % 4 === 3 ? adminHttp : http;
      const socket = connect({ port, host: "127.0.0.1", localAddress: attackerOf(index) });
      socket.resume();
      const isDust = index % 8 === 0;
      const length = isDust ? "transfer-encoding: chunked" : `content-length: ${bodyBytes}`;
      const head = "POST /v2/explore HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json";
      socket.write(`${head}\r\n${length}\r\n\r\n`);
      if (isDust) for (let sent = 0; sent < 20; sent += 1) socket.write(dust);
      else for (let sent = 1; sent < bodyBytes / piece.length; sent += 1) socket.write(piece);
      await closed(socket, enough);
    });
    return [];
  },
};
