import type { OutgoingHttpHeaders } from "node:http";
import { ask } from "./requests.js";

/** A page's request to a server of the operator. */
export interface PageRequest {
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST";
  readonly path: string;
  readonly body?: string;
}

const strange = "http://evil.example";
const json = { "content-type": "application/json" };

/**
 * The headers of a browser with a page of a stranger; in the last ones its name was made to resolve to this machine.
 */
function pageHeaders(port: number): OutgoingHttpHeaders[] {
  const host = `127.0.0.1:${port}`;
  const rebound = `evil.example:${port}`;
  return [
    { host, origin: strange, ...json },
    { host, origin: "null", ...json },
    { host, origin: `http://127.0.0.1.evil.example:${port}`, ...json },
    { host, origin: strange, "content-type": "text/plain" },
    { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
    { host, referer: `${strange}/page`, "content-type": "application/x-www-form-urlencoded" },
    { host: rebound, ...json },
    { host: rebound, origin: `http://${rebound}`, "sec-fetch-site": "same-origin", ...json },
    { host: `localhost.evil.example:${port}`, ...json },
  ];
}

/** Sends requests as pages of strangers in each way. @returns the answers to them */
export async function requestAsPages(port: number, requests: readonly PageRequest[]): Promise<string[]> {
  const gains: string[] = [];
  for (const headers of pageHeaders(port))
    for (const { method, path, body } of requests) {
      const answer = await ask({ port, path, method, headers, ...(body === undefined ? {} : { body }) });
      const isOpen = answer.headers["access-control-allow-origin"] !== undefined;
      if (answer.status < 400 || isOpen)
        gains.push(`${answer.status} for ${method} ${path} ${JSON.stringify(headers)}`);
    }
  return gains;
}

/** Requests changes in the way of an image or a link of any page: browsers add no `Origin` to them. */
export async function changeByGet(port: number, paths: readonly string[]): Promise<string[]> {
  const gains: string[] = [];
  for (const method of ["GET", "HEAD"])
    for (const path of paths) {
      const { status } = await ask({ port, path, method, headers: { host: `127.0.0.1:${port}` } });
      if (status < 400) gains.push(`${status} for ${method} ${path}`);
    }
  return gains;
}
