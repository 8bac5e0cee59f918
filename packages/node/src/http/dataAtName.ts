import { fromHexLenient } from "@vedette/crypto";
import { GDeployerId, GDeployId, GPrivate, type Par, parOfUnforgeable } from "@vedette/terms";
import type { FastifyInstance } from "fastify";
import type { BlockQueries } from "../query/BlockQueries.js";
import type { NameQueries } from "../query/NameQueries.js";
import { type BodyValue, readBody } from "./requestBody.js";
import { sendJson, whileConnected } from "./server.js";

type WithBody = { Body: string | undefined };

/** `POST /api/data-at-name`, `POST /api/data-at-name-by-block-hash`. @spec 50 §1.9 */
export function registerDataAtName(server: FastifyInstance, names: NameQueries, blocks: BlockQueries): void {
  server.post<WithBody>("/api/data-at-name", async (request, reply) => {
    const { name, depth } = readBody(request.body, (body) => ({
      name: unforgeableOf(body.member("name")),
      depth: body.member("depth").int(),
    }));
    const found = await names.dataAtName(name, depth, "json", whileConnected(reply));
    const exprs = found
      .reverse()
      .map(({ block, data }) => `{"expr":${combined(data.terms)},"block":${blocks.lightText(block)}}`);
    return sendJson(reply, `{"exprs":[${exprs.join(",")}],"length":${exprs.length}}`);
  });
  server.post<WithBody>("/api/data-at-name-by-block-hash", async (request, reply) => {
    const { name, blockHash } = readBody(request.body, (body) => ({
      name: unforgeableOf(body.member("name")),
      blockHash: fromHexLenient(body.member("blockHash").text()),
      // Quirk 50 §1.7: it must be there, and has no effect.
      usePreStateHash: body.member("usePreStateHash").flag(),
    }));
    const { block, data } = await names.dataAtBlock(name, blockHash, "json", whileConnected(reply));
    return sendJson(reply, `{"expr":[${data.terms.join(",")}],"block":${blocks.lightText(block)}}`);
  });
}

/** The data of one block as one value. @spec 50 §1.8 */
function combined(terms: readonly (string | Uint8Array)[]): string {
  return terms.length === 1 ? String(terms[0]) : `{"ExprPar":{"data":[${terms.join(",")}]}}`;
}

const kinds = ["UnforgPrivate", "UnforgDeploy", "UnforgDeployer"] as const;

/** `RhoUnforg`. @spec 50 §1.8 */
function unforgeableOf(body: BodyValue): Par {
  const { name, value } = body.choice(kinds);
  const bytes = fromHexLenient(value.member("data").text());
  switch (name) {
    case "UnforgPrivate":
      return parOfUnforgeable(new GPrivate(bytes));
    case "UnforgDeploy":
      return parOfUnforgeable(new GDeployId(bytes));
    case "UnforgDeployer":
      return parOfUnforgeable(new GDeployerId(bytes));
  }
}
