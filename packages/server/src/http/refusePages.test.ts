import { Problem } from "@vedette/queries";
import { TestQueries } from "@vedette/queries/testing";
import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { createAdminServer } from "./adminServer.js";
import { refusePagesBut } from "./refusePages.js";
import { createHttpServer } from "./server.js";

const queries = TestQueries.empty().queries();
const admin = createAdminServer(queries);
const open = createHttpServer({ queries, metrics: async () => "" });

afterAll(() => Promise.all([admin.close(), open.close()]));

const local = "127.0.0.1:40405";
const ofPages: readonly (readonly [what: string, headers: Record<string, string>])[] = [
  ["an image of a page anywhere", { host: local, "sec-fetch-site": "cross-site" }],
  ["a form of a page anywhere", { host: local, "sec-fetch-site": "cross-site", origin: "http://a.example" }],
  ["a page on another port of this machine", { host: local, "sec-fetch-site": "same-site" }],
  ["a page in an old browser", { host: local, origin: "http://a.example" }],
  ["a page without an origin of its own", { host: local, origin: "null" }],
  ["a page whose name became this machine's", { host: "a.example:40405", "sec-fetch-site": "same-origin" }],
  ["the same in an old browser", { host: "a.example:40405", origin: "http://a.example:40405" }],
];
const ofPrograms: readonly (readonly [what: string, headers: Record<string, string>])[] = [
  ["a program", { host: local }],
  ["a program that knows the node by a name", { host: "node.example:40405" }],
  ["somebody who types the address", { host: local, "sec-fetch-site": "none" }],
  ["a page of this port", { host: "observer:40405", "sec-fetch-site": "same-origin" }],
  ["a page of this port by its address", { host: "[::1]:40405", origin: "http://[::1]:40405" }],
];

test.each(ofPages)("the operator's port does nothing for %s", async (_what, headers) => {
  for (const [method, url] of [
    ["POST", "/api/propose"],
    ["GET", "/api/v1/propose"],
  ] as const) {
    const { statusCode, body } = await admin.inject({ method, url, headers });
    expect([statusCode, body]).toEqual([403, expect.stringContaining("not for web pages")]);
  }
});

test.each(ofPrograms)("the operator's port answers %s", async (_what, headers) => {
  const { body } = await admin.inject({ method: "POST", url: "/api/propose", headers });
  expect(body).not.toContain("not for web pages");
});

test("the public port answers pages of everybody", async () => {
  for (const [, headers] of ofPages)
    expect((await open.inject({ method: "GET", url: "/api/status", headers })).statusCode).toBe(200);
});

test("pages of an origin that is let in may ask below one path, and nobody else's may", async () => {
  const own = "http://127.0.0.1:40403";
  const server = fastify();
  server.addHook("onRequest", refusePagesBut({ origins: new Set([own]), path: /^\/dev(?:[/?]|$)/ }));
  server.setErrorHandler((error, _request, reply) => reply.code(error instanceof Problem ? 403 : 500).send());
  server.post("/dev/mine", () => "made");
  server.post("/other", () => "done");
  const statusOf = async (url: string, headers: Record<string, string>) =>
    (await server.inject({ method: "POST", url, headers })).statusCode;
  const headers = { host: local, origin: own, "sec-fetch-site": "same-site" };
  const { statusCode, headers: told } = await server.inject({ method: "POST", url: "/dev/mine", headers });
  expect([statusCode, told["access-control-allow-origin"], told["vary"]]).toEqual([200, own, "Origin"]);
  const asked = await server.inject({ method: "OPTIONS", url: "/dev/mine", headers });
  expect([asked.statusCode, asked.headers["access-control-allow-headers"]]).toEqual([204, "content-type"]);
  expect(await statusOf("/dev/mine", { host: local })).toBe(200);
  expect(await statusOf("/other", headers)).toBe(403);
  expect(await statusOf("/development", headers)).toBe(403);
  expect(await statusOf("/dev/mine", { ...headers, host: "a.example:40405" })).toBe(403);
  for (const [, one] of ofPages) {
    expect(await statusOf("/dev/mine", one)).toBe(403);
    const preflight = await server.inject({ method: "OPTIONS", url: "/dev/mine", headers: one });
    expect([preflight.statusCode, preflight.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
  }
  await server.close();
});
