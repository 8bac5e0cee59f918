import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packageFolders } from "./packageFolders.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * The places where an HTTP server is made, and their guards. A new one must be made by `bareServer`, which has a guard
 * that none can leave out.
 */
const places = [
  "packages/network/network/src/grpc/PeerGrpcServer.ts", // Peers: HTTP/2 alone, which no browser speaks without TLS; TLS in both directions.
  "packages/services/server/src/grpc/GrpcServer.ts", // Looks at names and pages by the parts of the guard.
  "packages/services/server/src/http/bareServer.ts", // Has the guard before all else.
];

test("every HTTP server of the program passes through the one guard", () => {
  const found = packageFolders(root).flatMap((folder) => {
    if (/\/(?:testing|e2e|bench|fuzz|simulation)$/.test(folder)) return [];
    const files = readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" });
    return files
      .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|(?:^|\/)testing\//.test(file))
      .map((file) => `${folder}/src/${file}`);
  });
  const from = /^import (?!type\b)[^;]*from "(?:node:https?|node:http2|fastify|ws)"/m;
  const makes = /(?:\bFastify|\bfastify|\bcreate(?:Http1|Secure)?Server|\bWebSocketServer)\(/;
  const servers = found.filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return from.test(text) && makes.test(text);
  });
  expect(servers.sort()).toEqual(places);
});
