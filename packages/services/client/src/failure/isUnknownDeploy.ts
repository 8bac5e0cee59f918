import { ClientError } from "./ClientError.js";

/** Whether a node only reports that no block holds the deploy (yet). @spec 50 §1.9, §8.1, §10.2 */
export function isUnknownDeploy(error: unknown): boolean {
  if (!(error instanceof ClientError) || error.failure.code !== "refused") return false;
  if (error.failure.kind === "deploy_not_found") return true;
  return error.failure.messages.some((text) => text.includes("Couldn't find block containing deploy with id:"));
}
