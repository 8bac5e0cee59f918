import { vaultAddressOfUnforgeable } from "@vedette/crypto";
import type { Budget } from "@vedette/rholang";
import { ETuple, emptyBitSet, GString, Par } from "@vedette/terms";
import { type SpaceDialect, type StateStore, StateView } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { contractSigner } from "../genesis/systemKeys.js";
import { mergeableTag } from "../runtime/Runtime.js";
import { deployRandom } from "../systemDeploy/seeds.js";
import { exploreDeploy } from "./exploreDeploy.js";

/** Balances to read. */
export interface BalanceQuery {
  /** State root: 32 bytes. */
  readonly root: Uint8Array;
  /** Vault addresses, checked by the caller. */
  readonly addresses: readonly string[];
  /** That of the states; left out: that of rnode. */
  readonly form: ExecutionDialect;
  readonly budget?: Budget | undefined;
}

/**
 * The balances of vaults, in the order of the addresses; 0 for an address that has no vault.
 *
 * The vaults of our genesis keep each balance as a number on a channel that the address names: they are looked up
 * without running anything. Other vaults are queried, all in one program.
 *
 * @throws {ExecutionError} `query` when a vault does not answer; `stopped`; {SpaceError} `unknownRoot`
 * @spec 41 §6.8, §10.1
 * @cost one look into the state for each address, or one program
 */
export function balances(store: StateStore, query: BalanceQuery): bigint[] {
  const { root, addresses } = query;
  const state = new StateView(store, root);
  if (store.hasRoot(root) && namesBalances(state, store.form))
    return addresses.map((address) => balanceIn(state, store.form, address) ?? 0n);
  return requestedBalances(store, query);
}

/** The name on which the vaults of our genesis keep the balance of an address. @spec 41 §6.8 */
export function balanceName(address: string): Par {
  const parts = [mergeableTag, Par.of({ exprs: [new GString(address)] })];
  return Par.of({ exprs: [new ETuple(parts, emptyBitSet, false)] });
}

/** Whether the vaults of a state keep balances on {@link balanceName}. @spec 41 §6.8 */
export function namesBalances(state: StateView, form: SpaceDialect): boolean {
  return balanceIn(state, form, proofOfStakeAddress) !== undefined;
}

function balanceIn(state: StateView, { channelHash }: SpaceDialect, address: string): bigint | undefined {
  const [datum] = state.data(channelHash(balanceName(address)));
  const value = datum?.a.pars[0]?.exprs[0];
  return value?.kind === "GInt" ? value.value : undefined;
}

const anonymousKey = new Uint8Array(65).fill(4);
/** The limit is not paid for; the budget bounds the time. */
const phloLimit = 100_000_000_000n;

function requestedBalances(store: StateStore, { root, addresses, budget, form }: BalanceQuery): bigint[] {
  const distinct = [...new Set(addresses)];
  const source = `
    new return, ask, lookup(\`rho:registry:lookup\`), vaultsCh in {
      lookup!(\`${form.vaultsUrn}\`, *vaultsCh) |
      for (@(_, vaults) <- vaultsCh) {
        contract ask(@address) = {
          new vaultCh, balanceCh in {
            @vaults!("findOrCreate", address, *vaultCh) |
            for (@(true, vault) <- vaultCh) {
              @vault!("balance", *balanceCh) |
              for (@balance <- balanceCh) { return!((address, balance)) }
            }
          }
        }
      } |
      ${distinct.map((address) => `ask!(${JSON.stringify(address)})`).join(" | ")}
    }`;
  const exploration = { root, source, deployer: anonymousKey, signature: anonymousKey, timestamp: 0n, phloLimit, form };
  const result = exploreDeploy(store, { ...exploration, budget });
  if (result.kind === "failed") throw new ExecutionError({ code: "query", message: result.error.message });
  const found = new Map<string, bigint>();
  for (const par of result.pars) addAnswer(found, par);
  return addresses.map((address) => {
    const balance = found.get(address);
    if (balance === undefined) throw queryError(`The vault ${address} returns no balance`);
    return balance;
  });
}

function addAnswer(found: Map<string, bigint>, par: Par): void {
  const tuple = par.exprs[0];
  const [address, balance] = tuple?.kind === "ETuple" ? tuple.ps.map(({ exprs }) => exprs[0]) : [];
  if (address?.kind !== "GString" || balance?.kind !== "GInt")
    throw queryError("A vault returns a balance that is no number");
  found.set(address.value, balance.value);
}

function queryError(message: string): ExecutionError {
  return new ExecutionError({ code: "query", message });
}

/**
 * The address of the vault that holds all stakes and what was paid for deploys: the fifth name that the proof-of-stake
 * contract draws, there from genesis on.
 */
export const proofOfStakeAddress: string = (() => {
  const { key, timestamp } = contractSigner("PoS.rhox");
  const names = deployRandom(key.publicKey, timestamp);
  for (let drawn = 0; drawn < 4; drawn += 1) names.next();
  return vaultAddressOfUnforgeable(names.next());
})();
