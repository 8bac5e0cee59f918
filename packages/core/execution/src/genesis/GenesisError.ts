import { errorClass } from "@vedette/errors";

/** Why no genesis can be made of some parameters. */
export type GenesisFailure =
  | { readonly code: "noValidators" }
  | { readonly code: "bondLimits"; readonly minimumBond: bigint; readonly maximumBond: bigint }
  | { readonly code: "quorum"; readonly quorum: number; readonly keys: number }
  | { readonly code: "invalidKey"; readonly key: string }
  | { readonly code: "invalidAddress"; readonly address: string }
  | { readonly code: "invalidNumber"; readonly name: string; readonly value: bigint | number; readonly least: 0 | 1 }
  | { readonly code: "tokenText"; readonly name: "name" | "symbol"; readonly text: string }
  | {
      readonly code: "outOfRange";
      readonly name: string;
      readonly value: number;
      readonly least: number;
      readonly most: number;
    };

/** A network that cannot be founded as configured. @spec 41 §5.2 */
export class GenesisError extends errorClass("GenesisError", sentence) {}

function sentence(failure: GenesisFailure): string {
  switch (failure.code) {
    case "noValidators":
      return "Genesis needs at least one validator; add a line to the bonds file";
    case "bondLimits":
      return `The minimum bond ${failure.minimumBond} is greater than the maximum bond ${failure.maximumBond}`;
    case "quorum":
      return `The quorum ${failure.quorum} is greater than the number of multi-signature keys, ${failure.keys}`;
    case "invalidKey":
      return `The multi-signature key ${JSON.stringify(failure.key)} is not hexadecimal`;
    case "invalidAddress":
      return `The wallet address ${JSON.stringify(failure.address)} has other characters than letters and digits`;
    case "invalidNumber":
      return `${failure.name} is ${failure.value}; it must be a whole number from ${failure.least} to 9223372036854775807`;
    case "tokenText":
      return (
        `The token's ${failure.name} ${JSON.stringify(failure.text)} cannot be part of a contract; it must not be empty ` +
        "nor have quotes, backslashes, control characters or $$"
      );
    case "outOfRange":
      return `${failure.name} is ${failure.value}; it must be a whole number from ${failure.least} to ${failure.most}`;
  }
}
