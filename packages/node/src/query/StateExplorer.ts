import { randomBytes } from "node:crypto";
import type { ReaderPool } from "../thread/ReaderPool.js";
import { ReaderPoolError } from "../thread/ReaderPool.js";
import { ApiError } from "./ApiError.js";
import type { Explorer } from "./ExploreQueries.js";

/** Runs exploratory deploys on the readers, each with a budget of phlo and time. @spec 41 §7.1 */
export function stateExplorerOf(readers: ReaderPool, timeoutMs: number): Explorer {
  return {
    async explore(root, source, signal) {
      const call = { root, source, ...anybody(), timestamp: BigInt(Date.now()), timeoutMs };
      const answer = await readers.call("explore", call, timeoutMs, signal).catch((error: unknown) => {
        if (error instanceof ReaderPoolError) throw new ApiError(error.message, { cause: error });
        throw error;
      });
      switch (answer.kind) {
        case "values":
          return { expr: answer.expr };
        case "failed":
          return { error: answer.error };
        case "stopped":
          throw new ApiError(`The program was stopped after ${timeoutMs} ms (${answer.reason}).`);
      }
    },
  };
}

/** A key and a signature that nobody has: the result must not depend on the caller. @spec 41 §7.1 */
function anybody(): { readonly deployer: Uint8Array; readonly signature: Uint8Array } {
  const deployer = Uint8Array.from(randomBytes(65));
  deployer[0] = 4;
  return { deployer, signature: Uint8Array.from(randomBytes(70)) };
}
