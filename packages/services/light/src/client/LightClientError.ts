import { errorClass } from "@vedette/errors";
import type { ServerReport } from "./ServerReport.js";

/** Why a light client has no answer. */
export type LightClientFailure =
  | { readonly code: "noAnswer"; readonly what: string; readonly reports: readonly ServerReport[] }
  | { readonly code: "noServers" }
  | { readonly code: "noVaultNames" }
  | { readonly code: "noRegistryAnswer"; readonly uri: string; readonly reason: string };

/** A light client cannot answer from verified data. @spec 70 §9 */
export class LightClientError extends errorClass("LightClientError", sentence) {}

function sentence(failure: LightClientFailure): string {
  switch (failure.code) {
    case "noAnswer": {
      const reasons = failure.reports.map(({ url, reason }) => `${url}: ${reason}`);
      return `no server gave a verified answer for ${failure.what} (${reasons.join("; ")})`;
    }
    case "noRegistryAnswer":
      return `the registry of the verified state does not answer for ${failure.uri} (${failure.reason}), so that it is not known whether it has an entry there`;
    case "noServers":
      return "a light client needs the URL of at least one server";
    case "noVaultNames":
      return "this network's vaults keep balances on names that cannot be derived, so that balances cannot be verified";
  }
}
