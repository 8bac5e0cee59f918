import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { encodingOf } from "./compress.js";
import type { Site, SiteFile } from "./Site.js";
import { isKnown } from "./sendAnswer.js";

/**
 * Nothing from elsewhere, no code in the page itself and no styles but its own sheet, and the browser refuses any text
 * that would become markup: terms and names of a chain are hostile.
 */
const policyOf = ({ files, validator, development }: Site) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    ["style-src 'self'", ...hashesOfStyles(files.get("/index.html")!)].join(" "),
    "font-src 'self'",
    // The editor draws its marks by images of a line or two in its sheets.
    "img-src 'self' data:",
    `connect-src ${["'self'", validator, development].filter((origin) => origin !== undefined).join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types vedette-worker",
  ].join("; ");

/** The page has its style sheet in itself, so that its first paint takes one answer. */
function hashesOfStyles({ plain }: SiteFile): string[] {
  const sheets = Buffer.from(plain)
    .toString()
    .matchAll(/<style>(.*?)<\/style>/gs);
  return Array.from(sheets, ([, sheet]) => `'sha256-${createHash("sha256").update(sheet!).digest("base64")}'`);
}

const guards = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Names below it change with the content. */
const assets = "/explorer/assets/";

/** Addresses of programs: what is unknown there is answered to browsers, too, as the references answer it. */
const programPath = /^\/+(api|v2|ws)(\/|$)/;

/**
 * Serves the explorer: its pages at `/` and below `/explorer`, its files below `/explorer/assets`. A browser that opens
 * a page without `/explorer` is redirected; one that opens an unknown address gets the explorer's page about that.
 * Programs get the answers of the references.
 *
 * @spec 50 §1.15
 */
export function serveSite(server: FastifyInstance, site: Site, runsPrograms: boolean): void {
  const handler = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const file = path.startsWith(assets)
      ? site.files.get(path)
      : site.isPage(path)
        ? site.files.get("/index.html")
        : undefined;
    if (file === undefined) {
      const isHelped = !path.startsWith(assets) && wantsPage(request);
      return isHelped ? sendHelp(reply) : request.server.conventions.answerNotFound(request, reply);
    }
    reply.header("content-security-policy", policy);
    return send(file, path.startsWith(assets), request, reply);
  };
  const policy = policyOf(site);
  const sendHelp = (reply: FastifyReply) => {
    const page = site.files.get("/index.html")!;
    return reply
      .code(404)
      .headers(guards)
      .header("content-security-policy", policy)
      .header("cache-control", "no-store")
      .type(page.type)
      .send(page.plain);
  };
  server.addHook("onRequest", (request, reply, done) => {
    const [path = "", query] = request.url.split("?", 2);
    const isPageOfNone = request.is404 && request.method === "GET" && wantsPage(request) && !programPath.test(path);
    if (!isPageOfNone) return done();
    if (path === "/explorer") return void reply.redirect("/");
    if (!site.isPage(`/explorer${path}`)) return void sendHelp(reply);
    return void reply.redirect(`/explorer${path}${query === undefined ? "" : `?${query}`}`);
  });
  // Others add their routes later.
  const hasIndex = () => server.hasRoute({ method: "POST", url: "/graphql" });
  server.get("/explorer/settings.json", (_request, reply) =>
    reply
      .headers(guards)
      .header("cache-control", "no-cache")
      .type("application/json")
      .send(
        JSON.stringify({
          validator: site.validator ?? null,
          development: site.development ?? null,
          hasIndex: hasIndex(),
          runsPrograms,
          labels: site.labels ?? {},
        }),
      ),
  );
  for (const url of ["/", "/explorer/*"]) server.route({ method: "GET", url, handler });
}

/** Whether the client is a browser: other programs do not accept HTML. */
function wantsPage({ headers: { accept = "" } }: FastifyRequest): boolean {
  return accept.includes("text/html");
}

function send(file: SiteFile, isAsset: boolean, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .headers(guards)
    .header("content-type", file.type)
    .header("etag", file.tag)
    .header("vary", "Accept-Encoding")
    .header("cache-control", isAsset ? "public, max-age=31536000, immutable" : "no-cache");
  if (isKnown(request.headers["if-none-match"], file.tag)) return reply.code(304).send();
  const accepted = encodingOf(request.headers["accept-encoding"]);
  // The client may accept brotli for a file that is stored in gzip only, or uncompressed only.
  const encoded = accepted === undefined ? undefined : file[accepted];
  if (encoded !== undefined) reply.header("content-encoding", accepted);
  return reply.send(encoded ?? file.plain);
}
