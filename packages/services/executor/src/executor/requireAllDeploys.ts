import { equalBytes } from "@vedette/crypto";
import { ExecutionError } from "@vedette/execution";
import type { Deploy, ProcessedDeploy } from "@vedette/protocol";

/**
 * The state of a genesis that lacks a contract does not even have the list of bonds. @throws {ExecutionError} `fatal`
 */
export function requireAllDeploys(
  deploys: readonly Deploy[],
  played: { readonly deploys: readonly ProcessedDeploy[] },
): void {
  const index = deploys.findIndex(({ signature }, at) => {
    const found = played.deploys[at]?.deploy.signature;
    return found === undefined || !equalBytes(found, signature);
  });
  if (index < 0) return;
  const beginning = deploys[index]!.term.slice(0, 100).replace(/\s+/g, " ");
  throw new ExecutionError({
    code: "fatal",
    message: `deploy ${index + 1} of ${deploys.length} failed: ${beginning}`,
  });
}
