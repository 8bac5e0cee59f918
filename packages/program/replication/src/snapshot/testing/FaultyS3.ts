import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The server's fault in an answer; `undefined` for none. */
export type Fault = "refuse" | "deny" | "reset" | "half" | "otherByte" | "slow" | "silent" | undefined;

/** A server that speaks as much S3 as snapshots need, about one bucket in memory, with faults that a test sets. */
export class FaultyS3 implements AsyncDisposable {
  readonly files = new Map<string, Uint8Array>();
  /** Requests as they came: method and key. */
  readonly asked: string[] = [];
  /** Called for each request. */
  fault: (method: string, key: string) => Fault = () => undefined;
  /** Names of a page of a listing. */
  pageSize = 3;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<FaultyS3> {
    const server = new FaultyS3();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, "http://here");
    const [, bucket, key = ""] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const parts: Uint8Array[] = [];
    try {
      for await (const part of request) parts.push(part as Uint8Array);
    } catch {
      return;
    }
    const method = request.method!;
    this.asked.push(`${method} ${key}`);
    const fault = this.fault(method, key);
    if (fault === "silent") return;
    if (fault === "reset") return void request.socket.destroy();
    if (fault === "refuse") return fail(response, 500, "InternalError");
    if (fault === "deny") return fail(response, 403, "AccessDenied");
    if (bucket !== "bucket") return fail(response, 404, "NoSuchBucket");
    if (method === "GET" && key === "") return this.#list(url, response);
    if (method === "PUT") {
      this.files.set(key, Buffer.concat(parts));
      return void response.end();
    }
    if (method === "DELETE") {
      this.files.delete(key);
      return void response.writeHead(204).end();
    }
    const bytes = this.files.get(key);
    if (bytes === undefined) return fail(response, 404, "NoSuchKey");
    response.writeHead(200, { "content-length": bytes.length });
    if (method === "HEAD") return void response.end();
    await send(response, bytes, fault);
  }

  #list(url: URL, response: ServerResponse): void {
    const prefix = url.searchParams.get("prefix") ?? "";
    const after = url.searchParams.get("continuation-token") ?? "";
    const names = [...this.files.keys()].filter((name) => name.startsWith(prefix) && name > after).toSorted();
    const page = names.slice(0, this.pageSize);
    const isCut = names.length > page.length;
    const contents = page.map(
      (name) =>
        `<Contents><Key>${name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>${this.files.get(name)!.length}</Size></Contents>`,
    );
    const more = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    response.end(
      `<?xml version="1.0"?><ListBucketResult><Name>bucket</Name><IsTruncated>${isCut}</IsTruncated>${more}${contents.join("")}</ListBucketResult>`,
    );
  }
}

async function send(response: ServerResponse, bytes: Uint8Array, fault: Fault): Promise<void> {
  switch (fault) {
    case "half":
      response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
      return;
    case "otherByte": {
      const changed = Uint8Array.from(bytes);
      changed[changed.length >> 1]! ^= 1;
      response.end(changed);
      return;
    }
    case "slow":
      for (let at = 0; at < bytes.length && !response.destroyed; at += 10) {
        response.write(bytes.subarray(at, at + 10));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      response.end();
      return;
    default:
      response.end(bytes);
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response.writeHead(status, { "content-type": "application/xml" }).end(text);
}
