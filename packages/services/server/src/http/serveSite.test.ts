import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { TestQueries } from "@vedette/queries/testing";
import { afterAll, describe, expect, test } from "vitest";
import { readSite } from "./Site.js";
import { createHttpServer } from "./server.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-site-"));
const index = "<!doctype html><title>site</title><style>a{}</style>";
const script = "export {};".repeat(50);
mkdirSync(join(folder, "explorer/assets"), { recursive: true });
writeFileSync(join(folder, "index.html"), index);
writeFileSync(join(folder, "explorer/assets/a-1.js"), script);
writeFileSync(join(folder, "explorer/assets/a-1.js.br"), brotliCompressSync(script));
writeFileSync(join(folder, "explorer/assets/a-1.js.gz"), gzipSync(script));
writeFileSync(join(folder, "explorer/assets/plain.css"), "a{}");

const site = readSite(folder, (path) => ["/", "/explorer/blocks", "/explorer/transfers"].includes(path));
const reads = { queries: TestQueries.empty().queries(), metrics: async () => "" };
const server = createHttpServer({ ...reads, site });
const without = createHttpServer(reads);

afterAll(async () => {
  await server.close();
  await without.close();
  rmSync(folder, { recursive: true });
});

const ask = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" | "POST" = "GET") =>
  server.inject({ method, url, headers });

describe("the explorer", () => {
  test("is a page at its own addresses, whatever follows the question mark", async () => {
    for (const url of ["/", "/explorer/blocks", "/explorer/blocks?from=7", "/?x"]) {
      const { statusCode, body, headers } = await ask(url);
      expect([url, statusCode, body]).toEqual([url, 200, index]);
      expect(headers["content-type"]).toBe("text/html; charset=UTF-8");
      expect(headers["cache-control"]).toBe("no-cache");
    }
    expect((await ask("/", {}, "HEAD")).statusCode).toBe(200);
  });

  test("hides no route of the API, and no answer that there is none", async () => {
    expect((await ask("/version")).headers["content-type"]).toMatch("text/plain");
    expect((await ask("/blocks")).headers["content-type"]).toBe("application/json");
    for (const url of [
      "/nothing",
      "/block",
      "/explorer",
      "/explorer/none",
      "/explorer/assets/none.js",
      "/explorer/assets/",
      "/index.html",
    ]) {
      const { statusCode, body } = await ask(url);
      expect([url, statusCode, body]).toEqual([url, 404, "Not found"]);
    }
    const looked = await ask("/explorer/none", { accept: "text/html,*/*" });
    expect([looked.statusCode, looked.headers["cache-control"]]).toEqual([404, "no-store"]);
    expect([looked.body, looked.headers["content-security-policy"]]).toEqual([
      (await ask("/")).body,
      (await ask("/")).headers["content-security-policy"],
    ]);
    expect((await ask("/explorer/assets/none.js", { accept: "text/html" })).body).toBe("Not found");
    const versioned = await ask("/v2/nothing");
    expect([versioned.statusCode, versioned.headers["content-type"]]).toEqual([404, "application/problem+json"]);
    expect((await ask("/explorer/blocks", {}, "POST")).statusCode).toBe(404);
  });

  test("sends browsers that leave /explorer out to the page, and helps where there is none; programs see no difference", async () => {
    const browse = (url: string) => ask(url, { accept: "text/html,*/*;q=0.8" });
    const transfers = await browse("/transfers?least=5");
    expect([transfers.statusCode, transfers.headers["location"]]).toEqual([302, "/explorer/transfers?least=5"]);
    expect((await browse("/explorer")).headers["location"]).toBe("/");
    const help = await browse("/nothing/at/all");
    expect([help.statusCode, help.body, help.headers["cache-control"]]).toEqual([404, index, "no-store"]);
    expect(help.headers["content-security-policy"]).toBe((await ask("/")).headers["content-security-policy"]);
    // The routes of the API stay the API's, and so do its missing ones.
    expect((await browse("/blocks")).headers["content-type"]).toBe("application/json");
    for (const url of ["/api/nothing", "/api/v1/nothing"])
      expect([url, (await browse(url)).body]).toEqual([url, (await ask(url)).body]);
    expect((await browse("/v2/nothing")).headers["content-type"]).toBe("application/problem+json");
    for (const url of ["/transfers", "/nothing"]) expect([url, (await ask(url)).body]).toEqual([url, "Not found"]);
    expect((await ask("/transfers", { accept: "text/html" }, "POST")).statusCode).toBe(404);
    // It never leads off the node.
    expect((await browse("//example.org/transfers")).headers["location"]).toBeUndefined();
  });

  test("lets no file be reached but its own", async () => {
    for (const url of [
      "/explorer/assets/../../index.html",
      "/explorer/assets/%2e%2e/%2e%2e/index.html",
      "/explorer/assets/..%2f..%2fetc/passwd",
      "/explorer/assets/a-1.js.br",
      "//explorer/assets/a-1.js",
    ])
      expect([url, (await ask(url)).statusCode]).toEqual([url, 404]);
  });

  test("runs nothing, and loads nothing, that does not come from the node", async () => {
    const { headers } = await ask("/explorer/blocks");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/default-src 'none'.*script-src 'self'.*style-src 'self'.*frame-ancestors 'none'/);
    // The page's own sheet is allowed by its hash.
    const hash = createHash("sha256").update("a{}").digest("base64");
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}';`);
    expect(policy).not.toMatch(/unsafe|\*|https?:|(?:script|style|connect)-src[^;]*data:/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("sends what was compressed beforehand to clients that accept it", async () => {
    const url = "/explorer/assets/a-1.js";
    const sent = async (accepted: string) =>
      (await ask(url, { "accept-encoding": accepted })).headers["content-encoding"];
    expect([await sent("gzip, deflate, br"), await sent("gzip"), await sent("br;q=0, identity")]).toEqual([
      "br",
      "gzip",
      undefined,
    ]);
    const { rawPayload } = await ask(url, { "accept-encoding": "br" });
    expect(rawPayload.equals(brotliCompressSync(script))).toBe(true);
    expect((await ask("/explorer/assets/plain.css", { "accept-encoding": "br" })).body).toBe("a{}");
  });

  test("keeps files whose names change with their content for ever, and asks again for the page", async () => {
    const { headers } = await ask("/explorer/assets/a-1.js");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const { headers: page } = await ask("/");
    expect((await ask("/", { "if-none-match": String(page["etag"]) })).statusCode).toBe(304);
  });

  test("lists for its pages the nodes that take deploys, and lets them reach no others", async () => {
    expect((await ask("/explorer/settings.json")).json()).toEqual({
      ...{ validator: null, development: null, hasIndex: false, runsPrograms: true, labels: {} },
    });
    const validator = "http://127.0.0.1:40413";
    const labels = { "1111abc": "Treasury" };
    const development = "http://127.0.0.1:40405";
    const named = createHttpServer({ ...reads, site: { ...site!, validator, development, labels } });
    expect((await named.inject("/explorer/settings.json")).json()).toEqual({
      ...{ validator, development, hasIndex: false, runsPrograms: true, labels },
    });
    const policy = String((await named.inject("/")).headers["content-security-policy"]);
    expect(policy).toContain(`connect-src 'self' ${validator} ${development};`);
    await named.close();
  });

  test("is switched off by one setting", async () => {
    expect((await without.inject("/")).statusCode).toBe(404);
    expect((await without.inject("/explorer/blocks")).body).toBe("Not found");
  });
});

test("a site that was not built is none, and a file of an unknown type is refused", () => {
  expect(readSite(join(folder, "nowhere"), () => true)).toBeUndefined();
  const odd = mkdtempSync(join(tmpdir(), "vedette-site-"));
  writeFileSync(join(odd, "index.html"), index);
  writeFileSync(join(odd, "program.exe"), "");
  expect(() => readSite(odd, () => true)).toThrow("is of no type that a site may have");
  rmSync(odd, { recursive: true });
});
