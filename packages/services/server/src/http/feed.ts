import { feedRoute } from "@vedette/api";
import { type FeedMethods, feedJson, IndexError, parseFeedJson } from "@vedette/indexer";
import { Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { describeRoute } from "./serve.js";

/** `POST /v2/feed`. @spec 60 §8 */
export function registerFeed(server: FastifyInstance, feed: FeedMethods): void {
  describeRoute(server, feedRoute);
  server.route({
    method: "POST",
    url: feedRoute.paths[0],
    config: { contract: feedRoute },
    handler: async (request, reply) => {
      const { method, argument } = callOf(String(request.body));
      const result = await reportingWhen(() => (feed[method] as (argument: unknown) => Promise<unknown>)(argument));
      return reply
        .header("content-type", "application/json")
        .header("cache-control", "no-store")
        .send(Buffer.from(feedJson({ result })));
    },
  });
}

/** @throws {Problem} where the answer is to be had later */
async function reportingWhen<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof IndexError && error.failure.code === "notYet")) throw error;
    throw new Problem(`${error.message}.`, { status: 503, retryAfterSeconds: 1, cause: error });
  }
}

type Checks = { readonly [K in keyof FeedMethods]: (argument: unknown) => boolean };

/** The maximum that an index requests at once. */
const maxVerdicts = 1_000;

function isJudged(value: unknown): boolean {
  const { id, validAfterBlockNumber } = (value ?? {}) as {
    readonly id?: unknown;
    readonly validAfterBlockNumber?: unknown;
  };
  return typeof id === "string" && /^([0-9a-f]{2})+$/.test(id) && typeof validAfterBlockNumber === "bigint";
}

const isBytes = (value: unknown) => value instanceof Uint8Array;
const checks: Checks = {
  about: (argument) => argument === undefined,
  top: (argument) => argument === undefined,
  blocks: (argument) => typeof argument === "bigint" && argument >= 0n,
  changes: (argument) => typeof argument === "string",
  balances: (argument) => {
    const { root, addresses } = (argument ?? {}) as { readonly root?: unknown; readonly addresses?: unknown };
    return isBytes(root) && Array.isArray(addresses) && addresses.every((one) => typeof one === "string");
  },
  notes: isBytes,
  registrations: isBytes,
  verdicts: (argument) => Array.isArray(argument) && argument.length <= maxVerdicts && argument.every(isJudged),
};

/** @throws {Problem} */
function callOf(body: string): { readonly method: keyof FeedMethods; readonly argument: unknown } {
  let read: unknown;
  try {
    read = parseFeedJson(body);
  } catch {
    throw new Problem("body must be a JSON object with the member method.", { field: "body" });
  }
  const { method, argument } = (read ?? {}) as { readonly method?: unknown; readonly argument?: unknown };
  if (typeof method !== "string" || !Object.hasOwn(checks, method))
    throw new Problem(`body.method must be one of ${Object.keys(checks).join(", ")}.`, { field: "body.method" });
  const name = method as keyof FeedMethods;
  if (!checks[name](argument)) throw new Problem(`body.argument does not fit ${name}.`, { field: "body.argument" });
  return { method: name, argument };
}
