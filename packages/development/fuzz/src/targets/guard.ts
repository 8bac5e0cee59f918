import { isIP } from "node:net";
import { hostname } from "node:os";
import { MIMEType } from "node:util";
import { Problem } from "@vedette/queries";
import { guardRequests } from "@vedette/server";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";

const listedName = "node.example";
const page = "http://pages.example:8080";
const pathOfPage = "/dev";

const anyPiece = fc.oneof(
  { arbitrary: fc.constantFrom("localhost", "127.0.0.1", "[::1]", "evil.example", listedName, hostname()), weight: 4 },
  { arbitrary: fc.constantFrom(".", ":", "@", "/", "\\", "%", "#", "?", ",", ";", " ", "\t", "0", "1"), weight: 3 },
  { arbitrary: fc.constantFrom("http://", "https://", "file://", "null", ":40405", ":80", ".localhost"), weight: 3 },
  { arbitrary: fc.string({ maxLength: 4 }), weight: 1 },
);
const madeHost = fc.array(anyPiece, { maxLength: 4 }).map((pieces) => pieces.join(""));
const anyHost = fc.oneof(fc.constantFrom("localhost:40405", "127.0.0.1:40405", "[::1]", listedName), madeHost);
const anyOrigin = fc.oneof(
  { arbitrary: fc.constantFrom("null", page, `${page}/`, "http://localhost:40405", "http://evil.example"), weight: 2 },
  { arbitrary: anyHost.map((host) => `http://${host}`), weight: 2 },
  { arbitrary: anyHost, weight: 1 },
);
const madeType = fc
  .array(
    fc.oneof(
      fc.constantFrom("application/json", "application/x+json", "text/plain", "multipart/form-data", "json", "/", "+"),
      fc.constantFrom("application/x-www-form-urlencoded", ";", ",", " ", "\t", "charset=utf-8", '"', "="),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.join(""));
const simple = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"] as const;
const anyType = fc.oneof(fc.constantFrom(...simple, "application/json"), madeType);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });

const anyRequest = fc.record({
  audience: fc.constantFrom("operator" as const, "public" as const),
  method: fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"),
  url: fc.constantFrom("/status", "/v2/sql", `${pathOfPage}/mine`, `//${pathOfPage}`),
  host: maybe(anyHost),
  origin: maybe(anyOrigin),
  referer: maybe(anyOrigin),
  site: maybe(fc.constantFrom("same-origin", "same-site", "cross-site", "none", "", "none, cross-site")),
  type: maybe(anyType),
  length: maybe(fc.constantFrom("0", "5", "00", "-1", "x")),
  encoding: maybe(fc.constantFrom("chunked", "")),
});
type Request = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never;

/** Headers as a client on the network, or a browser for a page, can write them. */
export const guard = propertyTarget({
  name: "guard",
  about:
    "for any headers, a server accepts requests under its own names alone, and the operator's accepts none of other pages and no body that a page can send",
  cost: "cheap",
  files: ["server/http/guardRequests.js", "server/http/HostList.js"],
  values: anyRequest,
  check: (request) => {
    const answer = passes(request);
    if (answer !== "passed") return;
    must(isOwnName(request.host), "the name in Host is the server's");
    if (request.audience === "public") return;
    const isLetIn = request.origin === page && request.url.startsWith(pathOfPage);
    if (!isLetIn) {
      must(isSameOrigin(request.origin, request.host), "a page of another origin is refused by Origin");
      must(isSameOrigin(request.referer, request.host), "a page of another origin is refused by Referer");
      must(request.site !== "cross-site" && request.site !== "same-site", "so it is by Sec-Fetch-Site");
    }
    must(!isSentByPages(request), "a body that a page can send without a preflight is refused");
  },
});

const guards = {
  operator: guardRequests({
    audience: "operator",
    hosts: [listedName],
    pages: [{ origins: new Set([page]), path: /^\/dev/ }],
  }),
  public: guardRequests({ audience: "public", hosts: [listedName] }),
};

/** @throws errors that are not an answer to a request */
function passes({ audience, method, url, host, origin, referer, site, type, length, encoding }: Request) {
  const headers = {
    ...{ host, origin, referer, "sec-fetch-site": site },
    ...{ "content-type": type, "content-length": length, "transfer-encoding": encoding },
  };
  const request = { method, url, headers, raw: {}, is404: false, routeOptions: { config: {} } };
  let answer: "passed" | "refused" | "answered" | undefined;
  const reply = {
    header: () => reply,
    code: () => reply,
    send: () => {
      answer = "answered";
    },
  };
  const done = (error?: Error) => {
    if (error !== undefined && !(error instanceof Problem)) throw error;
    answer = error === undefined ? "passed" : "refused";
  };
  const call = [request, reply, done] as unknown as Parameters<(typeof guards)["public"]>;
  guards[audience].call(undefined as never, ...call);
  must(answer !== undefined, "a request is answered or goes on");
  return answer;
}

const ownNames: ReadonlySet<string> = new Set(["localhost", listedName, hostname().toLowerCase()]);

/** As the standard for addresses reads it. */
function isOwnName(host: string | undefined): boolean {
  const place = `http://${(host ?? "").replace(/:\d*$/, "")}`;
  if (!URL.canParse(place)) return false;
  const { hostname: name, username, pathname } = new URL(place);
  if (username !== "" || pathname !== "/") return false;
  const plain = name.replace(/\.$/, "");
  return isIP(plain.replace(/^\[|\]$/g, "")) !== 0 || plain.endsWith(".localhost") || ownNames.has(plain);
}

/** An absent header identifies no page. */
function isSameOrigin(page: string | undefined, host: string | undefined): boolean {
  if (page === undefined) return true;
  if (!URL.canParse(page)) return false;
  const { origin } = new URL(page);
  return ["http", "https"].some((scheme) => {
    const own = `${scheme}://${host}`;
    return URL.canParse(own) && new URL(own).origin === origin;
  });
}

const simpleTypes: ReadonlySet<string> = new Set(simple);

/** Whether browsers send it for any page without a preflight request. */
function isSentByPages({ method, type, length, encoding }: Request): boolean {
  const hasBody = Number(length) > 0 || (encoding ?? "") !== "";
  if (method !== "POST" || !hasBody) return false;
  if (type === undefined) return true;
  try {
    return simpleTypes.has(new MIMEType(type).essence);
  } catch {
    return false;
  }
}
