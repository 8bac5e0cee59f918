import { deployDetailRoute, f1r3nodeDeployRoute } from "@vedette/api";
import { fromHexPadded } from "@vedette/crypto";
import { ApiError, type ApiQueries, type F1r3nodeBlockAnswers, shownName } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { submitDeploy } from "../deploy.js";
import { JsonText } from "../JsonText.js";
import { serve } from "../serve.js";
import { viewOf } from "./viewOf.js";

/** `POST /api/deploy`, `GET /api/deploy/{id}`. @spec 50 §10.4 */
export function registerF1r3nodeDeploys(
  server: FastifyInstance,
  { deploys }: Pick<ApiQueries, "deploys">,
  answers: F1r3nodeBlockAnswers,
): void {
  serve(server, f1r3nodeDeployRoute, ({ body }, { request }) => submitDeploy(deploys, body, request.ip));
  serve(server, deployDetailRoute, async ({ params, query }, context) => {
    const signature = fromHexPadded(params.deployId);
    if (signature === undefined)
      throw new ApiError(`'${shownName(params.deployId)}' is not the id of a deploy.`, { reason: "invalidHash" });
    return new JsonText(await answers.deploy(signature, viewOf(query, "full"), context));
  });
}
