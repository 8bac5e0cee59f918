import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** Why no genesis block can be made. @spec 40 §10.1, 41 §5.3 */
export type GenesisBlockFailure =
  | { readonly code: "deployFailed"; readonly index: number; readonly total: number; readonly term: string }
  | {
      readonly code: "bondsDiffer";
      readonly validator: Uint8Array;
      readonly expected: bigint | undefined;
      readonly found: bigint | undefined;
    };

/** The deploys of genesis do not lead where they should. @spec 40 §10.1, 41 §5.3 */
export class GenesisBlockError extends errorClass("GenesisBlockError", sentence) {}

function sentence(failure: GenesisBlockFailure): string {
  switch (failure.code) {
    case "deployFailed":
      return (
        `Deploy ${failure.index + 1} of ${failure.total} of genesis failed, so that there is no genesis block: ` +
        `${failure.term} Without it the network would lack a system contract; check bonds and wallets files, else report this.`
      );
    case "bondsDiffer":
      return (
        `The proof-of-stake contract of genesis has ${stakeText(failure.found)} for ${toHex(failure.validator)} instead of ` +
        `${stakeText(failure.expected)}; check the bonds file and bond-minimum and bond-maximum.`
      );
  }
}

function stakeText(stake: bigint | undefined): string {
  return stake === undefined ? "no stake" : `a stake of ${stake}`;
}
