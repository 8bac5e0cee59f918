import type { Bond } from "@vedette/protocol";
import type { Par } from "@vedette/terms";
import type { StateStore } from "@vedette/tuplespace";
import { type ContractQuery, queryContract, queryError } from "./queryContract.js";

/**
 * The stakes in a state, in the order of the proof-of-stake contract's map.
 *
 * @throws {ExecutionError} `query` when the state has no such contract or it answers otherwise than agreed
 * @spec 41 §7.3
 */
export function bonds(store: StateStore, root: Uint8Array, query: ContractQuery): Bond[] {
  const expr = queryPos(store, root, "getBonds", query).exprs[0];
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
export function activeValidators(store: StateStore, root: Uint8Array, query: ContractQuery): Uint8Array[] {
  const expr = queryPos(store, root, "getActiveValidators", query).exprs[0];
  if (expr?.kind !== "ESet") throw queryError("The active validators are not a set");
  return expr.ps.map((par) => {
    const validator = par.exprs[0];
    if (validator?.kind !== "GByteArray") throw queryError("The active validators hold other values");
    return validator.value;
  });
}

/** Blocks in an epoch. @throws {ExecutionError} `query` as for {@link bonds} @spec 41 §6.9.2 */
export function epochLength(store: StateStore, root: Uint8Array, query: ContractQuery): bigint {
  return queryNumber(store, root, "getEpochLength", query);
}

/**
 * The fault tolerance above which a block is final on an f1r3node network, in parts per million.
 *
 * @throws {ExecutionError} `query` as for {@link bonds}
 * @spec 61 §10, §13.1
 */
export function faultTolerancePpm(store: StateStore, root: Uint8Array, query: ContractQuery): bigint {
  return queryNumber(store, root, "getFaultToleranceThresholdPpm", query);
}

function queryNumber(store: StateStore, root: Uint8Array, method: string, query: ContractQuery): bigint {
  const expr = queryPos(store, root, method, query).exprs[0];
  if (expr?.kind !== "GInt") throw queryError(`The answer to ${method} is not a number`);
  return expr.value;
}

function queryPos(store: StateStore, root: Uint8Array, method: string, query: ContractQuery): Par {
  const { proofOfStakeUrn: urn } = query.form;
  return queryContract(store, root, { urn, method }, query);
}
