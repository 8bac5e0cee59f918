import { fromHex } from "@vedette/crypto";
import { ETuple, emptyBitSet, GPrivate, GString, Par } from "@vedette/terms";
import type { ProofForm } from "./ProofForm.js";
import { badForm } from "./StateProofError.js";
import { type TrustedHash, verifyStateProof } from "./verifyStateProof.js";

/** The name that marks number channels: the same on every network. @spec 41 §5.3 */
const mergeableTag = Par.of({
  unforgeables: [new GPrivate(fromHex("78a2588671230884044c801f5f9675defb420460d6895b809ee8cd6f6cfff5d3"))],
});

/** Returns the canonical bytes of the name with a balance, on networks with vaults made by Vedette. @spec 30 §10.6 */
export function vaultBalanceName(address: string, form: ProofForm): Uint8Array {
  const parts = [mergeableTag, Par.of({ exprs: [new GString(address)] })];
  return form.encodeChannel(Par.of({ exprs: [new ETuple(parts, emptyBitSet, false)] }));
}

/**
 * Checks the proof of a balance.
 *
 * @returns the vault's balance; `undefined` if the state has no vault of this address
 * @spec 30 §10.6
 * @throws {StateProofError}
 */
export function verifyVaultBalance(
  json: unknown,
  trusted: TrustedHash,
  address: string,
  form: ProofForm,
): bigint | undefined {
  const question = { kind: "data" as const, channels: [vaultBalanceName(address, form)] };
  const { items } = verifyStateProof(json, trusted, question, form);
  const data = items.kind === "data" ? items.data : [];
  if (data.length === 0) return undefined;
  const value = data.length === 1 ? data[0]!.pars[0]?.exprs[0] : undefined;
  if (value?.kind !== "GInt") throw badForm("leaf", "does not hold a balance");
  return value.value;
}
