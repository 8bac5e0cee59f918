import type { Bond } from "@vedette/protocol";
import type { Par } from "@vedette/terms";
import type { StateRead, StateStore } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import type { ExecutionForm } from "../form/ExecutionForm.js";
import { scalaExecution } from "../form/scalaExecution.js";
import { exploreDeploy } from "./exploreDeploy.js";

/** How a contract is asked. */
export interface StateQuery {
  /** Is told of every look into the state. */
  readonly reads?: StateRead[];
  /** That of the states; left out: that of the reference node. */
  readonly form?: ExecutionForm;
}

/**
 * The stakes in a state, in the order of the proof-of-stake contract's map.
 *
 * @throws {ExecutionError} `query` when the state has no such contract or it answers otherwise than agreed
 * @spec 41 §7.3
 */
export function bonds(store: StateStore, root: Uint8Array, query: StateQuery = {}): Bond[] {
  const expr = askPos(store, root, "getBonds", query).exprs[0];
  if (expr?.kind !== "EMap") throw queryError("The bonds are not a map");
  return expr.kvs.map(({ key, value }) => {
    const validator = key.exprs[0];
    const stake = value.exprs[0];
    if (validator?.kind !== "GByteArray" || stake?.kind !== "GInt") throw queryError("The bonds hold other values");
    return { validator: validator.value, stake: stake.value };
  });
}

/**
 * The validators that may propose on a state, in the order of the contract's set.
 *
 * @throws {ExecutionError} `query` when the state has no such contract or it answers otherwise than agreed
 * @spec 41 §7.3
 */
export function activeValidators(store: StateStore, root: Uint8Array, query: StateQuery = {}): Uint8Array[] {
  const expr = askPos(store, root, "getActiveValidators", query).exprs[0];
  if (expr?.kind !== "ESet") throw queryError("The active validators are not a set");
  return expr.ps.map((par) => {
    const validator = par.exprs[0];
    if (validator?.kind !== "GByteArray") throw queryError("The active validators hold other values");
    return validator.value;
  });
}

/** Blocks in an epoch. @throws {ExecutionError} `query` as for {@link bonds} @spec 41 §6.9.2 */
export function epochLength(store: StateStore, root: Uint8Array): bigint {
  const expr = askPos(store, root, "getEpochLength", {}).exprs[0];
  if (expr?.kind !== "GInt") throw queryError("The length of an epoch is not a number");
  return expr.value;
}

/**
 * The fault tolerance above which a block is final on a network of the newer node, in parts per million.
 *
 * @throws {ExecutionError} `query` as for {@link bonds}
 * @spec 61 §10, §13.1
 */
export function faultTolerancePpm(store: StateStore, root: Uint8Array, query: StateQuery): bigint {
  const expr = askPos(store, root, "getFaultToleranceThresholdPpm", query).exprs[0];
  if (expr?.kind !== "GInt") throw queryError("The fault tolerance threshold is not a number");
  return expr.value;
}

const nobody = new Uint8Array(65).fill(4);

function askPos(store: StateStore, root: Uint8Array, method: string, query: StateQuery): Par {
  const { reads, form = scalaExecution } = query;
  const source = `
    new return, lookup(\`rho:registry:lookup\`), posCh in {
      lookup!(\`${form.proofOfStakeUrn}\`, *posCh) |
      for (@(_, pos) <- posCh) { @pos!("${method}", *return) }
    }`;
  // The answer depends on the state alone, so any key and time will do.
  const asker = { deployer: nobody, signature: nobody, timestamp: 0n };
  const result = exploreDeploy(store, { root, source, form, ...asker, ...(reads && { reads }) });
  if (result.kind === "failed") throw new ExecutionError({ code: "query", message: result.error.message });
  if (result.pars.length !== 1)
    throw queryError(`Incorrect number of results from query of ${method}: ${result.pars.length}`);
  return result.pars[0]!;
}

function queryError(message: string): ExecutionError {
  return new ExecutionError({ code: "query", message });
}
