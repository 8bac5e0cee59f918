import { traceDeployRoute } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { TraceSource, TraceStep } from "@vedette/execution";
import { type ApiQueries, Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { signatureOf } from "./accountParts.js";

/** `GET /v2/deploy/{id}/trace`. @spec 41 §8.5, 50 §1.13 */
export function registerTraceDeploy(
  server: FastifyInstance,
  { accounts, blocks, traces }: Pick<ApiQueries, "accounts" | "blocks" | "traces">,
): void {
  serve(server, traceDeployRoute, async ({ params, query }, { request }) => {
    const id = signatureOf(params.id);
    const found =
      query.block === undefined ? accounts.deploy(id)?.inclusions[0]?.block : blocks.requireBlock(query.block);
    if (found === undefined)
      throw new Problem("No block of this node has the deploy.", { status: 404, field: "params.id" });
    const { trace, cost, errors, systemDeployError } = await traces.trace(found, id, request.ip);
    const { parsingPhlo, otherPhlo, unfinished, isCut, steps } = trace;
    return {
      deployId: toHex(id),
      block: { blockHash: toHex(found.hash), blockNumber: found.number },
      ...{ cost, systemDeployError },
      errors: errors.map(({ class: name, text, line, column }) => ({
        ...{ class: name, text },
        ...{ line: line ?? null, column: column ?? null },
      })),
      ...{ parsingPhlo, otherPhlo, isCut },
      unfinished: unfinished.map((place) => ({ line: place?.line ?? null, column: place?.column ?? null })),
      steps: steps.map(toldStep),
    };
  });
}

function toldStep({ source, senders, receiver, ...step }: TraceStep) {
  return {
    kind: step.kind,
    source: toldSource(source),
    phlo: step.phlo,
    channels: [...step.channels],
    data: step.data.map((texts) => [...texts]),
    patterns: step.patterns.map((texts) => [...texts]),
    isPersistent: step.isPersistent,
    isPeek: step.isPeek,
    senders: senders.map(toldSource),
    receiver: receiver === undefined ? null : toldSource(receiver),
  };
}

function toldSource(source: TraceSource) {
  const { line = null, column = null } = (source.kind === "program" ? source.place : undefined) ?? {};
  return { kind: source.kind, line, column };
}
