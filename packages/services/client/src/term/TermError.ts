import type { VaultAddressFault } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** Why a term cannot be written. */
export type TermFailure =
  | { readonly code: "badAddress"; readonly role: string; readonly address: string; readonly fault: VaultAddressFault }
  | { readonly code: "badAmount"; readonly role: string; readonly amount: bigint };

/** The request has no valid address or amount. @spec 41 §10 */
export class TermError extends errorClass("TermError", sentence) {}

// An address is given back only in part: what was typed in its place may be a key.
const shownCharacters = 12;

function sentence(failure: TermFailure): string {
  switch (failure.code) {
    case "badAddress": {
      const { role, address, fault } = failure;
      const shown = address.length > shownCharacters ? `${address.slice(0, shownCharacters)}…` : address;
      return `The ${role} "${shown}" is no vault address: ${fault}; an address begins with 1111 and comes from \`vedette keys address\``;
    }
    case "badAmount":
      return `The ${failure.role} ${failure.amount} is out of range: it must be from 1 to ${2n ** 63n - 1n}, in the smallest unit`;
  }
}
