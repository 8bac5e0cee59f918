import type { Par } from "@vedette/terms";
import type { StateRead, StateStore } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { exploreDeploy } from "./exploreDeploy.js";

/** A query to a contract. */
export interface ContractQuery {
  /** Collects every read of the state. */
  readonly reads?: StateRead[];
  /** The dialect of the states. */
  readonly form: ExecutionDialect;
}

const anonymousKey = new Uint8Array(65).fill(4);

/**
 * The answer of a method that takes nothing but the channel for its answer, of a contract in the registry.
 *
 * @param urn of the contract
 * @throws {ExecutionError} `query` when the state has no such contract, or it does not answer once
 * @spec 41 §7.3
 */
export function queryContract(
  store: StateStore,
  root: Uint8Array,
  { urn, method }: { readonly urn: string; readonly method: string },
  { reads, form }: ContractQuery,
): Par {
  const source = `
    new return, lookup(\`rho:registry:lookup\`), posCh in {
      lookup!(\`${urn}\`, *posCh) |
      for (@(_, pos) <- posCh) { @pos!("${method}", *return) }
    }`;
  // The answer depends on the state alone, so any key and time will do.
  const asker = { deployer: anonymousKey, signature: anonymousKey, timestamp: 0n, phloLimit: form.queryPhloLimit };
  const result = exploreDeploy(store, { root, source, form, ...asker, ...(reads && { reads }) });
  if (result.kind === "failed") throw new ExecutionError({ code: "query", message: result.error.message });
  if (result.pars.length !== 1)
    throw queryError(`Incorrect number of results from query of ${method}: ${result.pars.length}`);
  return result.pars[0]!;
}

/** @returns the error for a contract that did not reply as agreed */
export function queryError(message: string): ExecutionError {
  return new ExecutionError({ code: "query", message });
}
