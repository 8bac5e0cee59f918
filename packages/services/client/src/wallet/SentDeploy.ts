import type { Deploy } from "@vedette/protocol";
import type { LightBlock } from "../http/answers.js";
import type { HttpClient } from "../http/HttpClient.js";
import { type ContractCallOutcome, outcomeOfValues } from "../term/outcome.js";
import { type WaitOptions, waitForDeploy } from "../wait/waitForDeploy.js";
import { type DeployOutcome, waitForOutcome } from "../wait/waitForOutcome.js";
import { WalletError, type WalletFailure } from "./WalletError.js";

/** How long a deploy is waited for, unless given. */
const patience = { timeoutMs: 600_000 };

/** A deploy that a node has taken. */
export class SentDeploy {
  readonly #read: HttpClient;

  constructor(
    readonly deploy: Deploy,
    /** Hexadecimal digits. */
    readonly id: string,
    read: HttpClient,
  ) {
    this.#read = read;
  }

  /** Waits for the first block that holds it. */
  included(options: WaitOptions<LightBlock> = patience): Promise<LightBlock> {
    return waitForDeploy(this.#read, this.id, options);
  }

  /** Waits until it is certain what became of it, or until it failed in a finalized block. */
  outcome(options: WaitOptions<LightBlock> = patience): Promise<DeployOutcome> {
    return waitForOutcome(this.#read, this.deploy, options);
  }

  /**
   * Waits until a finalized block holds it.
   *
   * @throws {WalletError} `deployFailed`, `deployRejected`, `deployExpired`
   */
  async finalized(
    options: WaitOptions<LightBlock> = patience,
  ): Promise<DeployOutcome & { readonly status: "finalized" }> {
    const outcome = await this.outcome(options);
    const deployId = this.id;
    if (outcome.status === "finalized") return outcome;
    throw new WalletError(failureOf(outcome, deployId));
  }
}

function failureOf(outcome: Exclude<DeployOutcome, { readonly status: "finalized" }>, deployId: string): WalletFailure {
  switch (outcome.status) {
    case "failed":
    case "failedSoFar":
      return { code: "deployFailed", deployId, reason: outcome.reason };
    case "rejected":
      return { code: "deployRejected", deployId, rejectedBy: outcome.rejectedBy };
    case "expired":
      return { code: "deployExpired", deployId };
  }
}

/** A deploy that reports the result of its contract call: a transfer, a bond. */
export class ReportedDeploy extends SentDeploy {
  /**
   * Waits until it is final that the contract did it.
   *
   * @throws {WalletError} `refused` with the contract's reason; `deployFailed`, `deployRejected`, `deployExpired`
   */
  async done(options: WaitOptions<LightBlock> = patience): Promise<LightBlock> {
    const { values, block } = await this.finalized(options);
    const outcome: ContractCallOutcome | undefined = outcomeOfValues(values);
    if (outcome?.status === "done") return block;
    const reason = outcome?.reason ?? "it reported no outcome";
    throw new WalletError({ code: "refused", deployId: this.id, reason });
  }
}
