import type { ServerReport } from "./ServerReport.js";

/** Why a light client has no answer. */
export type LightClientFailure =
  | { readonly code: "noAnswer"; readonly what: string; readonly reports: readonly ServerReport[] }
  | { readonly code: "noServers" }
  | { readonly code: "noVaultNames" };

/** A light client cannot answer from verified data. @spec 70 §9 */
export class LightClientError extends Error {
  override readonly name = "LightClientError";
  readonly failure: LightClientFailure;

  constructor(failure: LightClientFailure, options?: ErrorOptions) {
    super(sentence(failure), options);
    this.failure = failure;
  }
}

function sentence(failure: LightClientFailure): string {
  switch (failure.code) {
    case "noAnswer": {
      const reasons = failure.reports.map(({ url, reason }) => `${url}: ${reason}`);
      return `no server gave a verified answer for ${failure.what} (${reasons.join("; ")})`;
    }
    case "noServers":
      return "a light client needs the URL of at least one server";
    case "noVaultNames":
      return "this network's vaults keep balances on names that cannot be derived, so that balances cannot be verified";
  }
}
