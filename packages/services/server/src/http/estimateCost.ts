import { estimateCostRoute, explorationLimits } from "@vedette/api";
import { fromHex, toHex } from "@vedette/crypto";
import { type ExplorationOutcome, type Explorations, Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { failureOf } from "./f1r3node/programFailure.js";
import { mapToF1r3nodeProblem } from "./f1r3node/stateKinds.js";
import { serve } from "./serve.js";

const { phlo, timeoutMs: time, memoryMb: memory } = explorationLimits;
const budget = { phloLimit: BigInt(phlo.usual), timeoutMs: time.usual, memoryMb: memory.usual } as const;

/** `POST /estimate-cost`, for clients of f1r3node. @spec 50 §1.14 */
export function registerEstimateCost(server: FastifyInstance, explorations: Explorations): void {
  serve(server, estimateCostRoute, async ({ query, body }, { request, signal }) => {
    const { term } = body;
    const deployer = deployerOf(body.deployer ?? undefined);
    const block = blockOf(query.block_hash);
    const program = { term, block, which: "post", withBytes: false, withTrace: false, deployer, ...budget } as const;
    const { answer, block: ranAt } = await mapToF1r3nodeProblem(explorations.run(program, request.ip, signal));
    return {
      cost: costOf(answer),
      blockNumber: ranAt.number,
      blockHash: toHex(ranAt.hash),
      deployerIdentity: deployer === undefined ? "ephemeral" : "provided",
    } as const;
  });
}

/** @throws {Problem} */
function deployerOf(text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  if (!/^04[0-9a-fA-F]{128}$/.test(text))
    throw new Problem("deployer must be a public key: 04 and 128 more hexadecimal digits.", {
      kind: "illegal_argument",
    });
  return fromHex(text);
}

/** @throws {Problem} */
function blockOf(text: string | undefined): string {
  if (text === undefined) return "finalized";
  if (!/^[0-9a-fA-F]{64}$/.test(text))
    throw new Problem("block_hash must be the hash of a block: 64 hexadecimal digits.", { kind: "invalid_hash" });
  return text;
}

/** @throws {Problem} why the program has no cost */
function costOf(answer: ExplorationOutcome["answer"]): bigint {
  switch (answer.kind) {
    case "values":
      return answer.cost;
    case "stopped":
      throw new Problem(`The program was stopped: its ${answer.reason === "memory" ? "memory" : "time"} was used up.`, {
        status: 504,
        kind: "exploratory_timeout",
      });
    case "failed":
      throw failureOf(answer);
  }
}
