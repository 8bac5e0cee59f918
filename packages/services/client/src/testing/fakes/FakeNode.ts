import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { ServiceImpl } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { DeployNotes, DeployService, ProposeService } from "@vedette/api/grpc";

/** The methods that a test needs; the others are not offered. */
export interface FakeServices {
  readonly deploys?: Partial<ServiceImpl<typeof DeployService>>;
  readonly proposals?: Partial<ServiceImpl<typeof ProposeService>>;
  readonly notes?: Partial<ServiceImpl<typeof DeployNotes>>;
}

/** A gRPC server on a free port of this machine that answers as a test defines. */
export class FakeNode {
  readonly host = "127.0.0.1";
  readonly port: number;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor(server: Http2Server) {
    this.#server = server;
    const address = server.address();
    this.port = typeof address === "object" && address !== null ? address.port : 0;
    server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("close", () => this.#sessions.delete(session));
    });
  }

  /** @param onConnection called for every connection */
  static async start(
    { deploys, proposals, notes }: FakeServices,
    onConnection?: (session: ServerHttp2Session) => void,
  ): Promise<FakeNode> {
    const handler = connectNodeAdapter({
      routes: (router) => {
        if (deploys !== undefined) router.service(DeployService, deploys);
        if (proposals !== undefined) router.service(ProposeService, proposals);
        if (notes !== undefined) router.service(DeployNotes, notes);
      },
    });
    const server = createServer(handler);
    if (onConnection !== undefined) server.on("session", onConnection);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new FakeNode(server);
  }

  /** Cuts every connection without a word. */
  cutConnections(): void {
    for (const session of this.#sessions) session.destroy();
  }

  /** Cuts every connection and gives the port back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.cutConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
