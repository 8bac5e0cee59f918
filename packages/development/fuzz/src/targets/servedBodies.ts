import { testKey } from "@vedette/chain/testing";
import { insertBlocks, type TestQueries } from "@vedette/queries/testing";
import { createAdminServer, createHttpServer } from "@vedette/server";
import { must, type Target } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";

/** Nothing to propose, no state to read. */
const meant = new Set([501, 503]);

/** The hashes of two blocks that a node has. */
export type Hashes = ReturnType<typeof insertBlocks>["hashes"];

/** The differences between kinds of nodes. */
export interface ServedNode extends Pick<Target, "name" | "about" | "files"> {
  /** Without any block yet. */
  readonly node: TestQueries;
  /** Parts of paths and bodies beside those that all nodes know. */
  readonly words: readonly string[];
  readonly texts: (hashes: Hashes) => Iterable<string>;
  /** Whether its versioned routes answer a client's errors with 500. @spec 50 §1.10 */
  readonly failsVersioned?: boolean;
}

/**
 * The first line is role, method and path, the second what kind of body it is; the rest is the body. Handed to the real
 * servers without a socket.
 */
export function httpBodiesOf({ node, words, texts, failsVersioned = false, ...facts }: ServedNode): Target {
  const { hashes } = insertBlocks(node.chain);
  /** Unexpected errors of the servers: they are logged with their stack, and answered with less. */
  const unexpected: string[] = [];
  const log = ({ text, more = [] }: { readonly text: string; readonly more?: readonly string[] }) => {
    if (more.length > 0) unexpected.push([text, ...more].join("\n"));
  };
  const metrics = async () => "";
  const queries = node.queries({ publicKey: testKey("v1").publicKey, isReporting: true });
  const servers = {
    validator: createHttpServer({ queries, metrics, isReporting: true }, { log }),
    admin: createAdminServer(queries, { log }),
    observer: createHttpServer({ queries: node.queries({ isReporting: true }), metrics, isReporting: true }, { log }),
  };
  return textTarget({
    ...{ ...facts, cost: "expensive", maxBytes: 1_200 },
    words: [
      ...["GET ", "POST ", "ADMIN ", "OBSERVER ", "/api/v1", "/api", "/v2", "?", "&", "=", "%2F", "\n", "null", "../"],
      ...["\napplication/json\n", '"', "{", "}", "[", "]", ":", ",", "1e400", "-1", "9223372036854775808"],
      ...["/status", "/blocks/", "/block/", "/deploy", "/explore-deploy", "/prepare-deploy", "/propose", "/states/"],
      ...["/balances/", "/transfers", "/deploys", "/explorations", "limit=", "cursor=", "from=", "to="],
      ...['"data":', '"term":', '"deployer":', "\\u0000", '"\\ud800"', '"__proto__":', '"ExprInt":', '"ExprMap":'],
      ...[hashes.genesis, hashes.top, ...words],
    ],
    texts: () => texts(hashes),
    check: async (text) => {
      const [head = "", contentType = "", ...rest] = text.split("\n");
      const [, role = "", method, path] = /^(OBSERVER )?(GET|POST|ADMIN) *(\S*)/.exec(head) ?? [];
      if (method === undefined) return;
      const server = method === "ADMIN" ? servers.admin : role === "" ? servers.validator : servers.observer;
      const body = rest.join("\n");
      const url = `/${(path ?? "").replace(/^\/+/, "")}`;
      // A request that the client of the test cannot send.
      if (!URL.canParse(url, "http://localhost")) return;
      const request = {
        method: method === "GET" ? ("GET" as const) : ("POST" as const),
        url,
        headers: /^[\w/;= +.-]+$/.test(contentType) ? { "content-type": contentType } : {},
      };
      const hasBody = method !== "GET" && body !== "";
      const answer = await server.inject(hasBody ? { ...request, payload: body } : request);
      const { statusCode, payload } = answer;
      const [failure] = unexpected.splice(0);
      must(failure === undefined, () => `a handler failed: ${failure}`);
      const isOfClient = failsVersioned && statusCode === 500 && url.includes("v1/");
      const isMeant = statusCode < 500 || meant.has(statusCode) || isOfClient;
      must(isMeant, () => `status ${statusCode}: ${payload.slice(0, 300)}`);
      must(!/\n\s+at .*:\d+/.test(payload), "no stack trace is shown");
      const type = String(answer.headers["content-type"] ?? "");
      if (type.includes("json") && payload !== "") JSON.parse(payload);
    },
  });
}
