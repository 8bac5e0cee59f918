import { deployDetailRoute, newerDeployRoute } from "@vedette/api";
import { fromHexPadded } from "@vedette/crypto";
import { ApiError, type ApiQueries, type NewerBlockAnswers, shownName } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { submitDeploy } from "../deploy.js";
import { JsonText } from "../JsonText.js";
import { serve } from "../serve.js";
import { viewOf } from "./viewOf.js";

/** `POST /api/deploy`, `GET /api/deploy/{id}`. @spec 50 §10.4 */
export function registerNewerDeploys(
  server: FastifyInstance,
  { deploys }: Pick<ApiQueries, "deploys">,
  answers: NewerBlockAnswers,
): void {
  serve(server, newerDeployRoute, ({ body }, { request }) => submitDeploy(deploys, body, request.ip));
  serve(server, deployDetailRoute, async ({ params, query }) => {
    const signature = fromHexPadded(params.deployId);
    if (signature === undefined)
      throw new ApiError(`'${shownName(params.deployId)}' is not the id of a deploy.`, { reason: "invalidHash" });
    return new JsonText(await answers.deploy(signature, viewOf(query, "full")));
  });
}
