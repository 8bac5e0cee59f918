import { dataAtNameAtBlockRoute, dataAtNameRoute, type Static, type unforgeableInput } from "@vedette/api";
import { fromHexLenient } from "@vedette/crypto";
import { type BlockQueries, bytesOfName, type NameQueries } from "@vedette/queries";
import { GDeployerId, GDeployId, GPrivate, type Par, parOfUnforgeable } from "@vedette/terms";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `POST /data-at-name`, `POST /data-at-name-by-block-hash`. @spec 50 §1.9 */
export function registerDataAtName(server: FastifyInstance, names: NameQueries, blocks: BlockQueries): void {
  serve(server, dataAtNameRoute, async ({ body }, { signal, request }) => {
    const found = await names.dataAtName(unforgeableOf(body.name), body.depth, "json", { client: request.ip, signal });
    const exprs = found
      .reverse()
      .map(({ block, data }) => `{"expr":${combined(data.terms)},"block":${blocks.lightText(block)}}`);
    return new JsonText(`{"exprs":[${exprs.join(",")}],"length":${exprs.length}}`);
  });
  serve(server, dataAtNameAtBlockRoute, async ({ body }, { signal, request }) => {
    const hash = bytesOfName(body.blockHash);
    const { block, data } = await names.dataAtBlock(unforgeableOf(body.name), hash, "json", {
      client: request.ip,
      signal,
    });
    return new JsonText(`{"expr":[${data.terms.join(",")}],"block":${blocks.lightText(block)}}`);
  });
}

/** The data of one block as one value. @spec 50 §1.8 */
function combined(terms: readonly (string | Uint8Array)[]): string {
  return terms.length === 1 ? String(terms[0]) : `{"ExprPar":{"data":[${terms.join(",")}]}}`;
}

/** `RhoUnforg`. @spec 50 §1.8 */
export function unforgeableOf(name: Static<typeof unforgeableInput>): Par {
  if ("UnforgPrivate" in name) return parOfUnforgeable(new GPrivate(fromHexLenient(name.UnforgPrivate.data)));
  if ("UnforgDeploy" in name) return parOfUnforgeable(new GDeployId(fromHexLenient(name.UnforgDeploy.data)));
  return parOfUnforgeable(new GDeployerId(fromHexLenient(name.UnforgDeployer.data)));
}
