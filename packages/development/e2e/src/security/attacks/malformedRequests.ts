import { connect } from "node:net";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { attackerOf, closed, getBytes, postBytes, repeat } from "./requests.js";

const clients = 16;
/** Some requests never end: such a client goes away. */
const waitMs = 1_000;
const hash = "ab".repeat(32);

/** The bytes of a POST request with this body. */
function posted(path: string, body: string, type = "application/json"): string {
  const length = Buffer.byteLength(body, "latin1");
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`;
}

/** The bytes of a POST request with these headers for its body. */
function announced(path: string, headers: string, body = ""): string {
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`;
}

const paths = ["/api/deploy", "/api/explore-deploy", "/api/data-at-name", "/v2/explore", "/v2/balances", "/graphql"];
const bodies = [
  "",
  "{",
  "null",
  "[]",
  '""',
  "\u0000",
  "\u00ff\u00fe",
  '{"data":{"term":{}},"deployer":[]}',
  '{"__proto__":{"term":"Nil"},"constructor":{"prototype":1}}',
  `{"term":"Nil","blockHash":"${"0".repeat(65)}","usePreStateHash":2}`,
  '{"depth":-9223372036854775809,"name":{"UnforgPrivate":{"data":"zz"}}}',
  '{"depth":1e400,"name":{"ExprInt":{"data":1.5}}}',
  `{"addresses":[${'"1111",'.repeat(5_000)}1]}`,
  `{"query":"query { blocks(limit: ${"9".repeat(400)}) { block_number } }","variables":[]}`,
  '{"query":"\\ud800{","variables":{"":null},"operationName":{}}',
  "[".repeat(100_000),
  `{"a":${"[".repeat(500)}${"]".repeat(500)}}`,
];
const wrong: readonly string[] = [
  ...paths.flatMap((path) => bodies.map((body) => posted(path, body))),
  ...paths.map((path) => posted(path, "a=b&c", "application/x-www-form-urlencoded")),
  ...paths.map((path) => posted(path, "{}", "\u0001; charset=\u00ff")),
  ...paths.map((path) => announced(path, "content-length: -1")),
  ...paths.map((path) => announced(path, "content-length: 5\r\ncontent-length: 6", "12345")),
  ...paths.map((path) => announced(path, "content-length: 99999999999")),
  ...paths.map((path) => announced(path, "transfer-encoding: chunked", "zz\r\n")),
  ...paths.map((path) => announced(path, "transfer-encoding: chunked", "ffffffffffffffff\r\n")),
  ...paths.map((path) => announced(path, "content-encoding: gzip\r\ncontent-length: 4", "\u001f\u008b\u0008\u0000")),
  ...paths.map((path) => announced(path, "expect: 200-ok\r\ncontent-length: 2", "{}")),
  getBytes("/api/block/%zz"),
  getBytes("/api/block/%00"),
  getBytes(`/api/block/${"0".repeat(3_000)}`),
  getBytes(`/api/deploy/${hash}00`),
  getBytes(`/api/transactions/${hash}`),
  getBytes(`/api/is-finalized/${hash}${hash}`),
  getBytes("/api/blocks/-99999999999999999999"),
  getBytes("/api/blocks/9223372036854775807/9223372036854775808"),
  getBytes("/api/blocks/NaN/1e3"),
  getBytes("/docs/..%2f..%2fpackage.json"),
  getBytes("/explorer/%2e%2e/%2e%2e/etc/passwd"),
  getBytes("//etc/passwd"),
  getBytes(`/v2/state/${hash}/data?name=${"%5B".repeat(1_000)}`),
  getBytes("/v2/events?after=%00&kind=x"),
  getBytes("/v2/blocks?limit=-1&cursor=%ff%fe"),
  getBytes("/graphql?query=%7B&variables=%7B"),
  getBytes("/graphql?query=%00&query=%01"),
  getBytes("/ws/events", "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 99\r\n"),
  getBytes("/graphql", "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n"),
  getBytes("/status", `x: ${"y".repeat(41_000)}\r\n`),
  getBytes("/status", "y: z\r\n".repeat(3_000)),
  getBytes("/status", "accept: \u00ff\u0001\r\naccept-encoding: ,,;q=x\r\nif-none-match: *,*\r\n"),
  getBytes("/api/blocks/1", "vedette-min-block: 1e99\r\n"),
  getBytes("/api/blocks/1?minBlock=-1"),
  "\u0000\u0001\u0002\u00ff\r\n\r\n",
  "GET\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "GET /status HTTP/1.1\r\n\r\n",
  "GET /status HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n",
  "TRACE /status HTTP/1.1\r\nhost: localhost\r\n\r\n",
  "CONNECT localhost:1 HTTP/1.1\r\nhost: localhost:1\r\n\r\n",
  "PUT /api/deploy HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
  postBytes("/v2/state-pieces", { hashes: Array.from({ length: 300 }, () => hash) }),
  postBytes("/v2/deploys/statuses", { deployIds: [hash, 1, null] }),
];

/** Requests that are none, or are wrong: each is answered as such, and none as a fault of the server. */
export const malformedRequests: Attack<AttackedNode> = {
  name: "HTTP: malformed requests",
  async run({ ports: { http } }, enough) {
    const gains = new Set<string>();
    await repeat(enough, clients, async (index, round) => {
      const bytes = wrong[(index + clients * round) % wrong.length]!;
      const answer = await exchange(http, { from: attackerOf(index), bytes }, enough);
      if (/^HTTP\/1\.1 500/.test(answer)) gains.add(`500 for ${JSON.stringify(bytes.slice(0, 120))}`);
    });
    return [...gains];
  },
};

/** @returns the beginning of the answer */
async function exchange(
  port: number,
  { from, bytes }: { readonly from: string; readonly bytes: string },
  enough: AbortSignal,
): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  let answer = "";
  socket.setTimeout(waitMs, () => socket.destroy());
  socket.on("data", (piece) => {
    answer += piece.toString("latin1");
    socket.end();
  });
  socket.write(bytes, "latin1");
  await closed(socket, enough);
  return answer;
}
