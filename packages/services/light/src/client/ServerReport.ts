import { ChainError } from "@vedette/chain/finality";
import { ClientError } from "@vedette/client";
import { StateProofError } from "@vedette/client/proof";
import { LightError } from "../LightError.js";
import type { TrustedBlock } from "../TrustedBlock.js";

/**
 * The facts about a server from its last answer.
 *
 * - `agrees`: its newest block lies on the verified chain.
 * - `wrong`: its answer is false; `reason` is the check that failed, which any client can repeat.
 * - `conflict`: it and another server have shown two chains with valid evidence. Validators signed both, so that this does
 *   not show which server is wrong.
 * - `unclear`: no answer, or one that shows nothing, or blocks of a version that there are no rules for.
 */
export interface ServerReport {
  readonly url: string;
  readonly state: "agrees" | "wrong" | "conflict" | "unclear";
  readonly reason: string;
  /** The newest block that it has shown to be final. */
  readonly target?: TrustedBlock | undefined;
}

/**
 * Reports the meaning of a failed answer for its server.
 *
 * @throws errors that are not failures of a server
 */
export function reportFailure(url: string, error: unknown): ServerReport {
  if (error instanceof LightError && error.failure.code === "trustExpired") throw error;
  // The server may be right about a network whose rules have changed.
  if (error instanceof LightError && error.failure.code === "unknownRules")
    return { url, state: "unclear", reason: error.message };
  if (error instanceof LightError || error instanceof StateProofError)
    return { url, state: "wrong", reason: error.message };
  if (error instanceof ClientError && error.failure.code === "cancelled") throw error;
  if (error instanceof ClientError || error instanceof ChainError)
    return { url, state: "unclear", reason: error.message };
  throw error;
}
