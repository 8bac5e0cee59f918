import type { RefusalForm } from "@vedette/api";
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";

/** How a server treats requests, whatever their route; this differs between dialects. @spec 50 §1.1, §1.2, §10.2 */
export interface HttpConventions {
  /** Which pages elsewhere may read answers. */
  readonly allowOrigin: onRequestHookHandler;
  /** The form of refusals outside of any route. */
  formOfPath(path: string): RefusalForm;
  /** Whether a body of JSON has to be called so by its request. */
  wantsJsonType(path: string): boolean;
  /** There is no such route. */
  answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

declare module "fastify" {
  interface FastifyInstance {
    conventions: HttpConventions;
  }
}
