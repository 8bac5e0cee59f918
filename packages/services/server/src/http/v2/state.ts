import { queryStateRoutes, statePiecesRoute, stateRoutes } from "@vedette/api";
import { fromHex, toHex } from "@vedette/crypto";
import type { NameGiven } from "@vedette/executor";
import { type NamedState, Problem, type StateEntries, type StateQueries, type StateQuestion } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "../JsonText.js";
import { serve } from "../serve.js";
import { mapToProblem } from "./stateProblem.js";

/** The parameters of both methods beside names. */
interface EntryFlags {
  readonly state?: "post" | "pre";
  readonly bytes?: boolean;
  readonly proof?: boolean;
  readonly anchor?: "root" | "block";
  readonly limit?: number;
}

/** A name as a member of an object; texts of bytes are hexadecimal digits. */
type NameMembers = { readonly [way in Way]?: string };
type Way = (typeof ways)[number];

const ways = ["name", "par", "private", "deployId", "deployerId", "uri", "vault"] as const;
const kinds = ["data", "continuations", "joins"] as const;

/** `/v2/state/{root}/data`, `…/continuations`, `…/joins`. @spec 30 §10.4 */
export function registerStates(server: FastifyInstance, states: StateQueries): void {
  serve(server, statePiecesRoute, async ({ body }, { request, signal }) => {
    const pieces = await states.pieces(body.hashes.map(fromHex), request.ip, signal);
    return { pieces: pieces.map((piece) => (piece === undefined ? null : toHex(piece))) };
  });
  for (const kind of kinds) {
    serve(server, stateRoutes[kind], async ({ params, query }, { request, signal }) => {
      const names = ways.flatMap((way) => (query[way] ?? []).map((text) => ({ way, name: nameOf(way, text) })));
      const place = (field: string) => placed(field, "query", (index) => names[index]!.way);
      const asked = names.map(({ name }) => name);
      const question = checked(questionOf(params.root, kind, asked, query), "query");
      return answerOf(await mapToProblem(place, states.entries(question, request.ip, signal)));
    });
    serve(server, queryStateRoutes[kind], async ({ params, body }, { request, signal }) => {
      const names = (body.names as readonly NameMembers[]).flatMap((members) =>
        ways.flatMap((way) => (members[way] === undefined ? [] : [nameOf(way, members[way])])),
      );
      const place = (field: string) => placed(field, "body", (index) => `names[${index}]`);
      const question = checked(questionOf(params.root, kind, names, body), "body.names");
      return answerOf(await mapToProblem(place, states.entries(question, request.ip, signal)));
    });
  }
}

/** Returns the place in the request of a query's `root`, `anchor`, `names[0]`. */
function placed(field: string, part: string, nameAt: (index: number) => string): string {
  if (field === "root") return "params.root";
  const [, index] = /^names\[(\d+)\]$/.exec(field) ?? [];
  return `${part}.${index === undefined ? field : nameAt(Number(index))}`;
}

function questionOf(
  root: string,
  kind: StateQuestion["kind"],
  names: readonly NameGiven[],
  { state = "post", bytes = false, proof = false, anchor = "root", limit = 100 }: EntryFlags,
): StateQuestion {
  return { root, kind, names, which: state, withBytes: bytes, anchor: proof ? anchor : undefined, most: limit };
}

/** @throws {Problem} */
function checked(question: StateQuestion, field: string): StateQuestion {
  const count = question.names.length;
  if (count === 0) throw new Problem(`${field} must have a name: one of ${ways.join(", ")}.`, { field });
  if (count > 1 && question.kind !== "continuations")
    throw new Problem(`${field} has ${count} names; only continuations wait on several.`, { field });
  return question;
}

function nameOf(way: Way, text: string): NameGiven {
  switch (way) {
    case "name":
      return { form: "rholang", text };
    case "uri":
    case "vault":
      return { form: way, text };
    default:
      return { form: way, bytes: fromHex(text) };
  }
}

function answerOf({ state, found, proof }: StateEntries): JsonText {
  const members = [
    `"root":"${toHex(state.root)}"`,
    `"block":${namedBlockText(state)}`,
    `"names":[${found.names.join(",")}]`,
    `"entries":[${found.entries.join(",")}]`,
    `"count":${found.count}`,
    ...(proof === undefined ? [] : [`"proof":${JSON.stringify(proof)}`]),
  ];
  return new JsonText(`{${members.join(",")}}`, { isSettled: state.isSettled });
}

/** Returns the block of the state; `null` if a state root was named. */
export function namedBlockText({ block, which }: Pick<NamedState, "block" | "which">): string {
  if (block === undefined) return "null";
  return `{"blockHash":"${toHex(block.hash)}","blockNumber":${block.number},"state":"${which}"}`;
}
