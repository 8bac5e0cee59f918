import { isDeepStrictEqual } from "node:util";
import { type FeedMethods, feedJson, parseFeedJson } from "@vedette/indexer";
import { bareServer, registerFeed, rnodeHttpConventions } from "@vedette/server";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";

const anyLeaf = fc.oneof(
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  fc.uint8Array({ maxLength: 8 }),
  fc.constantFrom(null, true, false, "", "$n", "12", 7),
  fc.string({ maxLength: 6 }),
);
/** The content of messages: no member is named as the two that represent integers and bytes. */
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    anyLeaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("root", "addresses", "id", "validAfterBlockNumber", "block"), tie("value"), {
      maxKeys: 3,
    }),
  ),
}));

const methods = ["about", "top", "blocks", "changes", "balances", "notes", "registrations", "verdicts"] as const;
const anyJudged = fc.record({ id: fc.constantFrom("ab", "abc", "", "AB"), validAfterBlockNumber: anyValue });
const anyArgument = fc.oneof(
  anyValue,
  fc.array(anyJudged, { maxLength: 3 }),
  fc.record({ root: fc.uint8Array({ maxLength: 4 }), addresses: fc.array(anyValue, { maxLength: 2 }) }),
);
const anyRequestBody = fc.oneof(
  fc
    .record({ method: fc.oneof(fc.constantFrom(...methods, "toString", "__proto__"), anyValue), argument: anyArgument })
    .map(feedJson),
  fc.constantFrom('{"$n":"1"}', '{"method":{"$b":"YQ=="}}', "[]", "null", '{"method":"blocks","argument":{"$n":"x"}}'),
  fc.string({ maxLength: 40 }),
);

/** Between a node and an index that keeps itself elsewhere. */
export const feedMessages = propertyTarget({
  name: "feed-messages",
  about:
    "values between a node and an index arrive as they were sent, and for any request to a feed, its methods get arguments of their form",
  cost: "expensive",
  files: ["indexer/follow/feedJson.js", "server/http/feed.js"],
  values: fc.record({ value: anyValue, body: anyRequestBody }),
  check: async ({ value, body }) => {
    must(isDeepStrictEqual(plain(parseFeedJson(feedJson(value))), plain(value)), "a value arrives as it was sent");
    const headers = { host: "localhost", "content-type": "application/json" };
    const { statusCode } = await server.inject({ method: "POST", url: "/v2/feed", headers, payload: body });
    must(fault === undefined, () => fault!);
    must(statusCode === 200 || statusCode === 400, () => `a question is answered or refused, not ${statusCode}`);
  },
});

/** Objects without a prototype are such as the others. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

let fault: string | undefined;

const isBytes = (value: unknown) => value instanceof Uint8Array;
const fits: Readonly<Record<(typeof methods)[number], (argument: never) => boolean>> = {
  about: (argument: unknown) => argument === undefined,
  top: (argument: unknown) => argument === undefined,
  blocks: (argument: unknown) => typeof argument === "bigint" && argument >= 0n,
  changes: (argument: unknown) => typeof argument === "string",
  balances: ({ root, addresses }: { readonly root: unknown; readonly addresses: readonly unknown[] }) =>
    isBytes(root) && addresses.every((one) => typeof one === "string"),
  notes: isBytes,
  registrations: isBytes,
  verdicts: (argument: readonly { readonly id: unknown; readonly validAfterBlockNumber: unknown }[]) =>
    argument.every(
      ({ id, validAfterBlockNumber }) =>
        typeof id === "string" && /^([0-9a-f]{2})+$/.test(id) && typeof validAfterBlockNumber === "bigint",
    ),
};

const server = bareServer("operator", rnodeHttpConventions);
registerFeed(
  server,
  Object.fromEntries(
    methods.map((name) => [
      name,
      async (argument: never) => {
        if (!fits[name](argument)) fault = `${name} gets an argument that does not fit it`;
        return null;
      },
    ]),
  ) as unknown as FeedMethods,
);
