import type { NetworkDialect } from "@vedette/client";
import { useStatus } from "./useStatus.js";

/** Returns the dialect of the network, once its node has reported it; rnode's until then. */
export function useDialect(): NetworkDialect {
  return dialectOfStatus(useStatus().data);
}

/** Only nodes of f1r3node networks report how long an epoch is. @spec 50 §10 */
export function dialectOfStatus(status: { readonly epochLength?: number | undefined } | undefined): NetworkDialect {
  return status?.epochLength === undefined ? "rnode" : "f1r3node";
}
