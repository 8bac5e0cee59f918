import { cors } from "@connectrpc/connect";
import { headHeader, minBlockHeader } from "@vedette/api";
import type { CallChannel } from "./CallChannel.js";

const preflightSeconds = "86400";

/**
 * Lets scripts of any web page call, as on the HTTP API: there is nothing on this port that a session guards.
 *
 * @returns whether the request was a preflight, which is answered with this
 * @spec 50 §1.2, §3.1
 */
export function allowBrowsers({ request, response }: CallChannel): boolean {
  const isOptions = request.method === "OPTIONS";
  if (request.headers["origin"] === undefined) return isOptions && answerOptions(response);
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-expose-headers", [...cors.exposedHeaders, headHeader].join(","));
  if (!isOptions) return false;
  response.setHeader("access-control-allow-methods", cors.allowedMethods.join(","));
  response.setHeader("access-control-allow-headers", [...cors.allowedHeaders, minBlockHeader].join(","));
  response.setHeader("access-control-max-age", preflightSeconds);
  return answerOptions(response);
}

function answerOptions(response: CallChannel["response"]): true {
  response.statusCode = 204;
  response.end();
  return true;
}
