import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { frameScript, GuidePages, guidePolicy, guideStyle } from "../guide/index.js";
import { isPageWanted } from "./graphqlPage.js";
import { JsonText } from "./JsonText.js";
import { sendAnswer } from "./sendAnswer.js";

/** The documents as pages, below `/guide`. */
export function registerGuide(server: FastifyInstance): void {
  let pages: GuidePages | undefined;
  server.get("/guide", (_request, reply) => reply.redirect("/guide/", 308));
  server.get("/guide/style.css", (request, reply) => sendText(request, reply, "text/css", guideStyle));
  server.get("/guide/frame.js", (request, reply) => sendText(request, reply, "text/javascript", frameScript));
  server.get("/guide/*", (request, reply) => {
    pages ??= new GuidePages();
    const { "*": name } = request.params as { readonly "*": string };
    const page = pages.page(name);
    if (page !== undefined) return sendText(request, reply, "text/html", page.html);
    if (!isPageWanted(request)) return reply.callNotFound();
    const path = request.url.split("?", 1)[0]!.slice("/guide/".length);
    const absent = pages.absent(path).html;
    return reply.code(404).headers(guards).type("text/html; charset=UTF-8").send(Buffer.from(absent));
  });
}

const guards = {
  "content-security-policy": guidePolicy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  type: "text/html" | "text/css" | "text/javascript",
  text: string,
): FastifyReply {
  reply.headers(guards);
  return sendAnswer({ method: "GET", answer: { type }, changes: "withChain" }, request, reply, new JsonText(text));
}
