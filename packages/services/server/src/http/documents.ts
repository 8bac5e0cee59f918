import { openApiDocument, type openApiRoute, printJson } from "@vedette/api";
import { version } from "@vedette/config";
import type { FastifyInstance } from "fastify";
import { pageMark } from "../guide/index.js";
import { docsHtml } from "./docs/docsHtml.js";
import { docsScript } from "./docs/docsScript.js";
import { docsStyle } from "./docs/docsStyle.js";
import type { OpenApi } from "./docs/OpenApi.js";
import { JsonText } from "./JsonText.js";
import { sendAnswer } from "./sendAnswer.js";
import { serve } from "./serve.js";

const facts = {
  title: "Vedette",
  version,
  description:
    "The HTTP API of a Vedette node. Routes below `/api`, and `/status`, follow rnode; on f1r3node networks they follow f1r3node. rnode refuses with status 400 and a JSON string (`/api/v1`: an array of strings), f1r3node with an object of `error` and `message`. Routes below `/v2` are Vedette extensions and refuse with `application/problem+json`. Amounts in answers of `/v2` are decimal strings; all other 64-bit integers are JSON numbers, which clients must parse without rounding. Requests accept both forms.",
};

/** The page sends requests to this node, loads its files, and leads to the explorer's search; nothing else. */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** `GET /openapi.json`, and the page that shows it at `/docs`. Must follow all other routes. */
export function registerDocuments(server: FastifyInstance, route: typeof openApiRoute): void {
  const text = once(() => new JsonText(printJson(openApiDocument(server.contracts, facts))));
  serve(server, route, text);
  const files = [
    ["/docs", "text/html", once(() => new JsonText(docsHtml(readDocument(text()))))],
    ["/docs/style.css", "text/css", once(() => new JsonText(docsStyle))],
    ["/docs/script.js", "text/javascript", once(() => new JsonText(docsScript))],
    ["/docs/mark.svg", "image/svg+xml", once(() => new JsonText(pageMark))],
  ] as const;
  for (const [url, type, content] of files)
    server.get(url, (request, reply) =>
      sendAnswer({ method: "GET", answer: { type }, changes: "withChain" }, request, reply.headers(headers), content()),
    );
  server.get("/docs/", (_request, reply) => reply.redirect("/docs", 308));
}

function readDocument({ printed }: JsonText): OpenApi {
  return JSON.parse(new TextDecoder().decode(printed.bytes)) as OpenApi;
}

/** Made at the first request: it is long, and most servers start and stop without one. */
function once(make: () => JsonText): () => JsonText {
  let made: JsonText | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
