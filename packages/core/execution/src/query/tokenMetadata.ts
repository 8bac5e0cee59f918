import type { Par } from "@vedette/terms";
import type { StateStore } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import type { GenesisToken } from "../genesis/F1r3nodeGenesisParameters.js";
import { type ContractQuery, queryContract, queryError } from "./queryContract.js";

/**
 * Reads from a state of f1r3node the metadata of its token.
 *
 * @throws {ExecutionError} `query` when the state has no such contract or it answers otherwise than agreed
 * @spec 61 §11
 */
export function tokenMetadata(
  store: StateStore,
  root: Uint8Array,
  query: Omit<ContractQuery, "form"> = {},
): GenesisToken {
  const asked = { urn: "rho:system:tokenMetadata", method: "all" };
  const tuple = queryContract(store, root, asked, { form: f1r3nodeExecution, ...query }).exprs[0];
  const [name, symbol, decimals] = tuple?.kind === "ETuple" ? tuple.ps.map(foundIn) : [];
  if (typeof name !== "string" || typeof symbol !== "string" || typeof decimals !== "bigint")
    throw queryError("The metadata of the token are not two texts and a number");
  return { name, symbol, decimals: Number(decimals) };
}

function foundIn(par: Par): string | bigint | undefined {
  const expr = par.exprs[0];
  return expr?.kind === "GString" || expr?.kind === "GInt" ? expr.value : undefined;
}

/**
 * Compares the token of a chain with the configured one, as an f1r3node node does at its start.
 *
 * @param found as {@link tokenMetadata} returns it
 * @throws {ExecutionError} `otherToken`
 * @spec 61 §11
 */
export function checkTokenMetadata(found: GenesisToken, configured: GenesisToken): void {
  const differences = (["name", "symbol", "decimals"] as const)
    .filter((part) => found[part] !== configured[part])
    .map((part) => `native-token-${part} is ${shown(configured[part])}, in the chain ${shown(found[part])}`);
  if (differences.length > 0) throw new ExecutionError({ code: "otherToken", differences });
}

function shown(value: string | number): string {
  return JSON.stringify(value).slice(0, 100);
}
