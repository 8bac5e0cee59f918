import { createConnection } from "node:net";
import type { Flood } from "./Flood.js";

/** Some bodies never end: such a client goes away. */
const answerMs = 500;
const longHash = "ab".repeat(32);
const head = (line: string, more = "") => `${line} HTTP/1.1\r\nhost: x\r\n${more}connection: close\r\n\r\n`;
const post = (path: string, body: string) =>
  `${head(`POST ${path}`, `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`)}${body}`;

/** Requests that are none, and some that are only wrong. */
const requests: readonly string[] = [
  "\u0000\u0001\u0002\u00ff\r\n\r\n",
  "GET\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
  `GET /${"a".repeat(30_000)} HTTP/1.1\r\n\r\n`,
  head("GET /status", `x: ${"y".repeat(41_000)}\r\n`),
  head("GET /status", "y: z\r\n".repeat(3_000)),
  head("POST /api/explore-deploy", "content-length: -1\r\n"),
  head("POST /api/explore-deploy", "content-length: 5\r\ncontent-length: 6\r\n"),
  head("POST /api/explore-deploy", "content-length: 99999999999\r\n"),
  `${head("POST /api/explore-deploy", "transfer-encoding: chunked\r\n")}zz\r\n`,
  `${head("POST /api/explore-deploy", "transfer-encoding: chunked\r\n")}ffffffffffffffff\r\n`,
  head("GET /api/block/%zz"),
  head(`GET /api/block/${"00".repeat(1_000)}`),
  head(`GET /api/deploy/${longHash}00`),
  head("GET /api/blocks/-99999999999999999999"),
  head("GET /docs/..%2f..%2fpackage.json"),
  head("OPTIONS *"),
  head("TRACE /status"),
  head(`GET /v2/state/${longHash}/data?name=${"%5B".repeat(1_000)}`),
  head("GET /v2/events?after=%00&kind=x"),
  post("/api/deploy", "{"),
  post("/api/deploy", `{"data":{"term":"${"x".repeat(50_000)}"},"deployer":"zz"}`),
  post("/api/explore-deploy", "new x in {"),
  post("/api/explore-deploy", `${"(".repeat(20_000)}`),
  post("/api/explore-deploy-by-block-hash", '{"term":1,"blockHash":[],"usePreStateHash":"true"}'),
  post("/api/data-at-name", `${"[".repeat(100_000)}`),
  post("/api/prepare-deploy", `{"a":${"[".repeat(300)}${"]".repeat(300)}}`),
  post("/v2/explore", '{"__proto__":{"term":"Nil"},"constructor":1}'),
  post("/v2/balances", `{"addresses":[${'"1111",'.repeat(5_000)}"x"]}`),
];

/** Sends malformed requests over sockets of their own, `atOnce` at a time. @returns how many were answered at all */
export async function sendMalformedRequests(port: number, { count, atOnce }: Flood): Promise<number> {
  let begun = 0;
  let answered = 0;
  const client = async () => {
    while (begun < count) {
      const request = requests[begun % requests.length]!;
      begun += 1;
      if (await exchange(port, request)) answered += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return answered;
}

function exchange(port: number, request: string): Promise<boolean> {
  return new Promise((resolve) => {
    let isAnswered = false;
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.setTimeout(answerMs, () => socket.destroy());
    socket.on("data", () => {
      isAnswered = true;
      // Some servers wait for the rest of what can never come.
      socket.end();
    });
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(isAnswered));
    socket.write(request, "latin1");
  });
}
