import { readFileSync } from "node:fs";
import { join } from "node:path";
import { balanceTerm } from "@vedette/client";
import type { Flood } from "./Flood.js";

/** The requests of an ordinary client to an observer: reads in turn, and the balances of the chain's first wallet. */
export interface BaselineLoad {
  readonly reads: Flood;
  readonly explorations: Flood;
}

const paths = ["/api/status", "/api/blocks/10", "/api/last-finalized-block", "/api/v1/blocks", "/version"] as const;

/**
 * Sends the requests of ordinary clients. A node that has just started has loaded no reader; after these requests, its
 * memory is that of a node in use.
 *
 * @throws {Error} when a valid request is not answered with 200
 */
export async function useOrdinarily(port: number, recording: string, use: BaselineLoad): Promise<void> {
  const { wallets } = JSON.parse(readFileSync(join(recording, "network.json"), "utf8"));
  const body = balanceTerm(wallets[0].address, "rnode");
  await queryMany(use.reads, (index) => ask(port, paths[index % paths.length]!));
  await queryMany(use.explorations, () => ask(port, "/api/explore-deploy", body));
}

async function queryMany({ count, atOnce }: Flood, queryOne: (index: number) => Promise<void>): Promise<void> {
  let begun = 0;
  const client = async () => {
    while (begun < count) {
      begun += 1;
      await queryOne(begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
}

async function ask(port: number, path: string, body?: string): Promise<void> {
  const request = body === undefined ? {} : { method: "POST", body };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, request);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
}
