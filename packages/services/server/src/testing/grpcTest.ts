import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { createConnection } from "node:net";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { DeployService, ProposeService } from "@vedette/api/grpc";
import type { ApiQueries } from "@vedette/queries";
import { externalGrpcServer, type GrpcServersOptions, internalGrpcServer } from "../grpc/grpcServers.js";
import { type GrpcLimits, ownLimits } from "../grpc/limits.js";
import { UnsentAnswers } from "../http/UnsentAnswers.js";

/** The limits of the default configuration. */
export const testLimits: GrpcLimits = {
  ...ownLimits,
  maxMessageBytes: 16_777_216,
  keepAliveMs: 7_200_000,
  keepAliveTimeoutMs: 20_000,
  tcpKeepAliveMs: 300_000,
  callMs: 3_600_000,
  permitKeepAliveMs: 300_000,
  maxIdleMs: 3_600_000,
  maxAgeMs: 3_600_000,
  ageGraceMs: 3_600_000,
};

type Optional = Pick<GrpcServersOptions, "workbench" | "keys" | "begin">;

/** Both servers of a node, with clients of another make than the servers. */
export class GrpcTest implements AsyncDisposable {
  readonly external;
  readonly internal;
  readonly failures: unknown[] = [];
  /** The unsent answers of both. */
  readonly unsent = new UnsentAnswers();
  ports = { external: 0, internal: 0 };

  private constructor(queries: ApiQueries, limits: Partial<GrpcLimits>, more: Optional) {
    const options = {
      queries,
      ...more,
      unsent: this.unsent,
      limits: { ...testLimits, ...limits },
      onFailure: (_service: string, error: unknown) => void this.failures.push(error),
      nowMs: () => performance.now(),
    };
    this.external = externalGrpcServer(options);
    this.internal = internalGrpcServer(options);
  }

  static async start(queries: ApiQueries, limits: Partial<GrpcLimits> = {}, more: Optional = {}): Promise<GrpcTest> {
    const started = new GrpcTest(queries, limits, more);
    const external = await started.external.listen(0, "127.0.0.1");
    const internal = await started.internal.listen(0, "127.0.0.1");
    started.ports = { external, internal };
    return started;
  }

  deploys(port: "external" | "internal" = "external"): Client<typeof DeployService> {
    return createClient(DeployService, createGrpcTransport({ baseUrl: `http://127.0.0.1:${this.ports[port]}` }));
  }

  proposals(port: "external" | "internal" = "internal"): Client<typeof ProposeService> {
    return createClient(ProposeService, createGrpcTransport({ baseUrl: `http://127.0.0.1:${this.ports[port]}` }));
  }

  /** A connection on which anything can be sent. */
  connect(port: "external" | "internal" = "external"): ClientHttp2Session {
    return rawConnection(this.ports[port]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.external[Symbol.asyncDispose](), this.internal[Symbol.asyncDispose]()]);
  }
}

/** A connection to a port of this machine on which anything can be sent. @param localAddress from which it comes */
export function rawConnection(port: number, localAddress = "127.0.0.1"): ClientHttp2Session {
  const host = "127.0.0.1";
  const session = connect(`http://${host}:${port}`, {
    createConnection: () => createConnection({ host, port, localAddress }),
  });
  session.on("error", () => {});
  return session;
}

/** How a call ended, as it was on the wire. */
export interface RawAnswer {
  /** `NaN` when the call was broken off. */
  readonly status: number;
  readonly text: string;
  readonly messages: readonly Uint8Array[];
}

/** Begins a call, without sending anything of its request. */
export function beginCall(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  const headers = { ":method": "POST", ":path": path, te: "trailers", "content-type": "application/grpc" };
  const stream = session.request(headers);
  stream.on("error", () => {});
  return stream;
}

/** Waits for the end of a call. */
export function answerOf(stream: ClientHttp2Stream): Promise<RawAnswer> {
  const pieces: Buffer[] = [];
  let received: Record<string, unknown> = {};
  stream.on("response", (headers) => (received = { ...received, ...headers }));
  stream.on("trailers", (headers) => (received = { ...received, ...headers }));
  stream.on("data", (piece: Buffer) => pieces.push(piece));
  // As clients do: with the whole answer at hand, they send no rest of the request.
  stream.once("end", () => stream.destroyed || received["grpc-status"] === undefined || stream.close());
  return new Promise((resolve) => {
    stream.once("close", () =>
      resolve({
        status: received["grpc-status"] === undefined ? Number.NaN : Number(received["grpc-status"]),
        text: decodeURIComponent(String(received["grpc-message"] ?? "")),
        messages: messagesOf(Buffer.concat(pieces)),
      }),
    );
  });
}

/** A message with its prefix. */
export function framed(message: Uint8Array, flags = 0): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame[0] = flags;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}

function messagesOf(bytes: Buffer): Uint8Array[] {
  const messages: Uint8Array[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const length = bytes.readUInt32BE(offset + 1);
    messages.push(Uint8Array.from(bytes.subarray(offset + 5, offset + 5 + length)));
    offset += 5 + length;
  }
  return messages;
}
