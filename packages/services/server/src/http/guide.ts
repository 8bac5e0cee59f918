import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { GuidePages, guidePolicy, guideStyle, themeScript } from "../guide/index.js";
import { JsonText } from "./JsonText.js";
import { sendAnswer } from "./sendAnswer.js";

/** The documents as pages, below `/guide`. */
export function registerGuide(server: FastifyInstance): void {
  let pages: GuidePages | undefined;
  server.get("/guide", (_request, reply) => reply.redirect("/guide/", 308));
  server.get("/guide/style.css", (request, reply) => sendText(request, reply, "text/css", guideStyle));
  server.get("/guide/theme.js", (request, reply) => sendText(request, reply, "text/javascript", themeScript));
  server.get("/guide/*", (request, reply) => {
    pages ??= new GuidePages();
    const { "*": name } = request.params as { readonly "*": string };
    const page = pages.page(name);
    return page === undefined ? reply.callNotFound() : sendText(request, reply, "text/html", page.html);
  });
}

function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  type: "text/html" | "text/css" | "text/javascript",
  text: string,
): FastifyReply {
  reply.headers({
    "content-security-policy": guidePolicy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  return sendAnswer({ method: "GET", answer: { type }, changes: "withChain" }, request, reply, new JsonText(text));
}
