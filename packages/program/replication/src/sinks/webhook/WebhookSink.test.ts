import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, expect, test } from "vitest";
import type { SinkEvent } from "../Sink.js";
import { WebhookSink } from "./WebhookSink.js";
import { readOrMakeSecrets } from "./webhookSecrets.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-webhook-"));
afterAll(() => rmSync(folder, { recursive: true }));
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const event: SinkEvent = { id: "log-7", kind: "transfer", key: "chain", body: '{"kind":"transfer","amount":"12"}' };
const never = new AbortController().signal;

/** A receiver on loopback. */
async function listening(answer: (request: IncomingMessage, body: string, response: ServerResponse) => void) {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => answer(request, Buffer.concat(parts).toString(), response));
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

function secretsIn(name: string, text: string) {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return readOrMakeSecrets(path);
}

test("a call is signed so that what receivers use finds it right, by each of several secrets", async () => {
  const path = join(folder, "made");
  const made = readOrMakeSecrets(path);
  expect(made.isNew).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const first = readFileSync(path, "utf8").trim();
  const second = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const { keys, isNew } = secretsIn("two", `# old and new\n${first}\n\n${second}\n`);
  expect([keys.length, isNew]).toEqual([2, false]);
  const verified: unknown[] = [];
  const url = await listening((request, body, response) => {
    const headers = request.headers as Record<string, string>;
    for (const secret of [first, second]) verified.push(new Webhook(secret).verify(body, headers));
    const stranger = new Webhook(`whsec_${Buffer.alloc(24, 8).toString("base64")}`);
    expect(() => stranger.verify(body, headers)).toThrow();
    expect(() => new Webhook(first).verify(`${body} `, headers)).toThrow();
    expect(headers["content-type"]).toBe("application/json");
    response.writeHead(204).end();
  });
  const sink = new WebhookSink({ url, keys });
  await sink.open();
  await sink.deliver([event], never);
  expect(verified).toEqual([JSON.parse(event.body), JSON.parse(event.body)]);
  expect(sink.label).toMatch(/^127\.0\.0\.1:\d+\/hook$/);
});

test("a file without secrets is refused, and the error does not show its text", () => {
  const secret = Buffer.alloc(10, 1).toString("base64");
  for (const text of ["", "# none\n", "whsec_?", `whsec_${secret}`, `${"whsec_x\n".repeat(5)}`]) {
    const wrong = () => secretsIn("wrong", text);
    expect(wrong).toThrow(`no secrets in ${join(folder, "wrong")}: `);
    expect(wrong).not.toThrow(secret);
  }
  expect(() => readOrMakeSecrets(join(folder, "nowhere", "file"))).toThrow("ENOENT");
  expect(existsSync(join(folder, "nowhere"))).toBe(false);
});

/** A time in which every answer comes, on the slowest machine. */
const patientMs = 3_600_000;
const failures: [string, (response: ServerResponse) => void, string, number?][] = [
  ["an error of the server", (response) => response.writeHead(500).end("broken"), "status 500"],
  ["a refusal", (response) => response.writeHead(400).end(), "status 400 Bad Request"],
  ["a redirection", (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(), "status 302"],
  ["a connection that ends", (response) => response.destroy(), "did not accept the event: fetch failed ("],
  ["silence", () => undefined, "no answer within 50 ms", 50],
];

test.each(failures)("%s is a failure that may pass", async (_, fail, reason, timeoutMs = patientMs) => {
  const url = await listening((_request, _body, response) => fail(response));
  const sink = new WebhookSink({ url, keys: [], timeoutMs });
  const delivered = sink.deliver([event], never);
  await expect(delivered).rejects.toThrow(reason);
  await expect(delivered).rejects.toMatchObject({ failure: { code: "notTaken" } });
});

test("an answer without an end counts by its status", async () => {
  const url = await listening((_request, _body, response) => {
    response.writeHead(200).write("and so on");
  });
  await new WebhookSink({ url, keys: [], timeoutMs: patientMs }).deliver([event], never);
});

test("410 is the end, and a signal ends the waiting", async () => {
  let status = 410;
  const stop = new AbortController();
  const url = await listening((_request, _body, response) => {
    if (status === 0) stop.abort();
    else response.writeHead(status).end();
  });
  const sink = new WebhookSink({ url, keys: [] });
  await expect(sink.deliver([event], never)).rejects.toMatchObject({ failure: { code: "refused" } });
  status = 0;
  const delivered = sink.deliver([event], stop.signal);
  await expect(delivered).rejects.toMatchObject({ failure: { code: "notTaken" } });
});

test("a server that is not there is reported with the reason", async () => {
  const sink = new WebhookSink({ url: "http://127.0.0.1:1/", keys: [] });
  await expect(sink.deliver([event], never)).rejects.toThrow(/did not accept the event: fetch failed \(.+\)/);
});
