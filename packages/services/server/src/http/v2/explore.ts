import { amountNames, explorationLimits, explorationRoute, printJson } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { ExplorationOutcome, Explorations } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "../JsonText.js";
import { serve } from "../serve.js";
import { namedBlockText } from "./state.js";
import { mapToProblem } from "./stateProblem.js";
import { traceToJson } from "./traceToJson.js";

const amounts = amountNames(explorationRoute.answer.schema);
const { phlo, timeoutMs: time, memoryMb: memory } = explorationLimits;

/** `POST /v2/explore`. @spec 50 §1.11 */
export function registerExplorations(server: FastifyInstance, explorations: Explorations): void {
  serve(server, explorationRoute, async ({ body }, { request, signal }) => {
    const { term, block = "finalized", state: which = "post" } = body;
    const { bytes: withBytes = false, trace: withTrace = false } = body;
    const { phloLimit = BigInt(phlo.usual), timeoutMs = time.usual, memoryMb = memory.usual } = body;
    const exploration = { term, block, which, withBytes, withTrace, phloLimit, timeoutMs, memoryMb };
    const outcome = await mapToProblem("body", explorations.run(exploration, request.ip, signal));
    return new JsonText(outcomeText(outcome, which));
  });
}

function outcomeText({ block, root, answer }: ExplorationOutcome, which: "post" | "pre"): string {
  const members = [
    `"block":${namedBlockText({ block, which })}`,
    `"root":"${toHex(root)}"`,
    `"outcome":"${answer.kind}"`,
    `"results":[${answer.kind === "values" ? answer.results.join(",") : ""}]`,
    `"error":${JSON.stringify(errorOf(answer))}`,
    `"cost":${answer.kind === "stopped" || answer.cost === undefined ? "null" : `"${answer.cost}"`}`,
    `"prints":${JSON.stringify(answer.note.prints)}`,
    `"arePrintsCut":${String(answer.note.isCut)}`,
    `"trace":${answer.trace === undefined ? "null" : printJson(traceToJson(answer.trace), amounts)}`,
  ];
  return `{${members.join(",")}}`;
}

function errorOf(answer: ExplorationOutcome["answer"]): string | null {
  switch (answer.kind) {
    case "values":
      return null;
    case "failed":
      return answer.error;
    case "stopped":
      return stopTexts[answer.reason];
  }
}

const stopTexts = {
  steps: "The program took more steps than it may.",
  pending: "Too many of the program's branches wait at once.",
  deadline: "The program's time was used up (timeoutMs).",
  cancelled: "The program was cancelled.",
  memory: "The program's memory was used up (memoryMb).",
} as const;
