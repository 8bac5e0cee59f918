import type { Config } from "@vedette/config";
import type { Log } from "@vedette/config/log";
import { bareServer, httpLimitsOf, rnodeHttpConventions } from "@vedette/server";
import type { FastifyInstance } from "fastify";

/** The place of the routes for development. */
const devPath = /^\/dev(?:[/?]|$)/;

/**
 * The operator's port of a chain for development: its own routes, and those of the node that runs at the moment. It
 * stays open while the node is set back.
 */
export class DevAdminServer {
  readonly #server: FastifyInstance;
  readonly #at: { readonly host: string; readonly port: number };
  #node: FastifyInstance | undefined;

  /** @param register adds the routes for development */
  constructor(config: Config, log: Log, register: (server: FastifyInstance) => void) {
    this.#at = { host: config["api-server.host-admin-http"], port: config["api-server.port-admin-http"] };
    const pages = [{ origins: explorerOrigins(config), path: devPath }];
    const hosts = [config["api-server.host-admin-http"], ...config["api-server.admin-hosts"]];
    this.#server = bareServer("operator", rnodeHttpConventions, { log, limits: httpLimitsOf(config), hosts, pages });
    this.#server.addHook("onRequest", (request, reply, done) => {
      if (devPath.test(request.url)) return done();
      const node = this.#node;
      if (node === undefined) {
        reply.code(503).send("The chain is being set back; repeat the request.");
        return;
      }
      reply.hijack();
      node.routing(request.raw, reply.raw);
    });
    register(this.#server);
  }

  async listen(): Promise<void> {
    await this.#server.listen(this.#at);
  }

  /** Takes the routes of a node that begins; they go with it. */
  async open(node: FastifyInstance): Promise<void> {
    node.addHook("onClose", () => {
      if (this.#node === node) this.#node = undefined;
    });
    await node.ready();
    this.#node = node;
  }

  async close(): Promise<void> {
    await this.#server.close();
  }
}

/** Where the pages of the chain's own explorer come from. */
function explorerOrigins(config: Config): ReadonlySet<string> {
  const port = config["api-server.port-http"];
  return new Set(["127.0.0.1", "localhost"].map((host) => `http://${host}:${port}`));
}
