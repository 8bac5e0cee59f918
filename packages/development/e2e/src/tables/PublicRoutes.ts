import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiBlockRow, ApiChain } from "./ApiChain.js";
import { type ExpectedTables, expectedBlocks } from "./expectedBlocks.js";
import { expectedCounts } from "./expectedCounts.js";
import { expectedDeploys } from "./expectedDeploys.js";

/** Routes that an index may request from an rnode node. @spec 50 §1.5 */
const offered = [
  /^GET \/api\/(status|last-finalized-block|blocks)$/,
  /^GET \/api\/block\/[0-9a-f]+$/,
  /^GET \/api\/blocks\/\d+(\/\d+)?$/,
  /^GET \/api\/is-finalized\/[0-9a-f]+$/,
  /^POST \/api\/explore-deploy$/,
];

/** A node of ours that has no more than rnode's public routes. */
export class PublicRoutes implements AsyncDisposable {
  readonly #server: Server;
  /** Requested routes that are not there. */
  readonly refused = new Set<string>();

  private constructor(node: string) {
    this.#server = createServer((request, response) => {
      const route = `${request.method} ${request.url}`;
      if (!offered.some((one) => one.test(route))) {
        this.refused.add(route);
        response.writeHead(404).end("Not found");
        return;
      }
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", async () => {
        const asked = { method: request.method!, ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }) };
        const answer = await fetch(node + request.url, asked);
        response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    });
  }

  static async before(node: string): Promise<PublicRoutes> {
    const routes = new PublicRoutes(node);
    await new Promise<void>((resolve) => routes.#server.listen(0, "127.0.0.1", resolve));
    return routes;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The tables that can be made from rnode's routes for a chain of fewer than a thousand heights. */
export function publicTables(chain: ApiChain): ExpectedTables {
  const blocks = chain.blocks.map(
    (row): ApiBlockRow => ({ ...row, fate: row.fate === "forkedAway" ? "pending" : row.fate, transfers: [] }),
  );
  const deploys = new Map(
    [...chain.deploys].map(([id, status]) => [
      id,
      { ...status, blocks: status.blocks.map((inclusion) => ({ ...inclusion, errors: null, rejectedBy: null })) },
    ]),
  );
  const visible: ApiChain = { ...chain, blocks, deploys };
  const empty = {
    ...{ slashings: [], balances: [], balance_states: [] },
    ...{ name_writes: [], name_reads: [], registered_contracts: [] },
  };
  return { ...expectedBlocks(visible), ...expectedDeploys(visible), ...expectedCounts(visible), ...empty };
}
