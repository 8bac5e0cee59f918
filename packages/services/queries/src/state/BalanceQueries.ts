import type { BlockMetadata } from "@vedette/chain";
import { checkVaultAddress } from "@vedette/crypto";
import type { QueryReaders } from "@vedette/executor/threads";
import { mapToStateQueryError } from "./StateQueries.js";
import { StateQueryError } from "./StateQueryError.js";
import type { StateRoots } from "./StateRoots.js";

/** Balances and the state that they were read from. */
export interface BalancesAtState {
  readonly block: BlockMetadata;
  readonly root: Uint8Array;
  /** In the order of the addresses. */
  readonly balances: readonly bigint[];
}

/** Answers what vaults hold. @spec 41 §10.1, 50 §1.13 */
export class BalanceQueries {
  readonly #roots: StateRoots;
  readonly #readers: QueryReaders;
  readonly #timeoutMs: number;

  constructor(roots: StateRoots, readers: QueryReaders, timeoutMs: number) {
    this.#roots = roots;
    this.#readers = readers;
    this.#timeoutMs = timeoutMs;
  }

  /** @param block `latest`, `finalized`, or the hash of a block @throws {StateQueryError} */
  async balances(addresses: readonly string[], block: string, signal: AbortSignal): Promise<BalancesAtState> {
    for (const [index, address] of addresses.entries()) {
      const fault = checkVaultAddress(address);
      if (fault === undefined) continue;
      const problem = `is no vault address: ${fault}`;
      throw new StateQueryError({ code: "badRequest", field: `addresses[${index}]`, problem });
    }
    const state = this.#roots.stateOfBlock(block, "post", "block");
    const timeoutMs = this.#timeoutMs;
    const call = { root: state.root, addresses, timeoutMs };
    const answer = await mapToStateQueryError(this.#readers.call("balances", call, timeoutMs, { signal }));
    if (answer === undefined) throw await this.#roots.notHere(state.root, "block");
    return { block: state.block, root: state.root, balances: answer };
  }
}
