import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { RecordedNetwork } from "../testing/recordedNetwork.js";

interface RecordedAnswer {
  readonly port: string;
  readonly method: string;
  readonly path: string;
  readonly requestBody: string | null;
  readonly response: { readonly status: number; readonly body: string };
}

const shared = sharedDirectory();
const note = shared === undefined ? " (skipped: ../shared is not there)" : "";

/** What the node serves by now; the other recorded routes are still to come. */
const served = /^\/api\/(blocks|block\/|last-finalized-block|is-finalized\/|explore-deploy$)/;

/**
 * Programs whose answer the reference draws by lot: names made with its random key, and which of several data is
 * received.
 */
const drawnByLot = [/return!\(bundle\+/, /@"acc-0"!\(0\)/, /@v <- @"board-3"/];

test.skipIf(shared === undefined)(
  `the served routes answer byte for byte as the reference did${note}`,
  async () => {
    await using network = new RecordedNetwork("solo");
    const server = await network.serve();
    let compared = 0;
    for (const line of readFileSync(join(shared!, "api", "solo.jsonl"), "utf8")
      .trim()
      .split("\n")) {
      const { port, method, path, requestBody, response }: RecordedAnswer = JSON.parse(line);
      if (port !== "public" || !served.test(path)) continue;
      if (drawnByLot.some((pattern) => pattern.test(requestBody ?? ""))) continue;
      const body = method === "POST" ? { body: requestBody ?? "" } : {};
      const answer = await fetch(`http://127.0.0.1:${server.ports.http}${path}`, { method, ...body });
      expect([path, answer.status, await answer.text()]).toEqual([path, response.status, response.body]);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(100);
  },
  300_000,
);
