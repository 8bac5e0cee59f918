import type { CommandHost } from "./CommandHost.js";

/** Where the user keeps the API key that a node's operator has given out. */
const apiKeyVariable = "VEDETTE_API_KEY";

/** What goes with each request to a node. @spec 50 §1.17 */
export function apiKeyHeaders({ environment }: CommandHost): Readonly<Record<string, string>> {
  const key = environment[apiKeyVariable]?.trim() ?? "";
  return key === "" ? {} : { "x-api-key": key };
}
