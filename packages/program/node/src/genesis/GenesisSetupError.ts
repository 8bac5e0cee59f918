import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** The files that genesis is made from. */
export type GenesisFile = "BONDS" | "WALLETS";

/** Why no genesis can be made of the configuration and its files. @spec 40 §10, 50 §5.3 */
export type GenesisSetupFailure =
  | {
      readonly code: "badLine";
      readonly file: GenesisFile;
      readonly path: string;
      readonly line: number;
      readonly problem: string;
    }
  | { readonly code: "unreadable"; readonly path: string; readonly reason: string }
  | { readonly code: "cannotWrite"; readonly path: string; readonly reason: string }
  | { readonly code: "bondsMissing"; readonly path: string }
  | { readonly code: "noBonds"; readonly path: string }
  | {
      readonly code: "badBondKey";
      readonly path: string;
      readonly line: number;
      readonly key: string;
      readonly length: number;
    }
  | {
      readonly code: "tooManySignatures";
      readonly required: number;
      readonly bonds: number;
      readonly path: string;
    }
  | { readonly code: "bondLimits"; readonly minimum: bigint; readonly maximum: bigint }
  | { readonly code: "quorum"; readonly quorum: number; readonly keys: number }
  | { readonly code: "badMultiSigKey"; readonly key: string }
  | { readonly code: "notPlayable"; readonly reason: string }
  | { readonly code: "noValidatorKey" }
  | { readonly code: "notBonded"; readonly publicKey: Uint8Array; readonly path: string };

/** A network cannot be founded as configured. @spec 40 §10 */
export class GenesisSetupError extends errorClass("GenesisSetupError", sentence) {}

function sentence(failure: GenesisSetupFailure): string {
  switch (failure.code) {
    case "badLine":
      // rnode's message, and the line's number after it. @spec 40 §10.4, §10.5
      return `FAILED PARSING ${failure.file} FILE: ${failure.path}\njava.lang.Exception: ${failure.problem} (line ${failure.line})`;
    case "unreadable":
      return `${failure.path} cannot be read: ${failure.reason}`;
    case "cannotWrite":
      return `${failure.path} cannot be written: ${failure.reason}`;
    case "bondsMissing":
      return `BONDS FILE NOT FOUND: ${failure.path}. A genesis validator needs the bonds file of the ceremony's master; copy it there, or set casper.genesis-block-data.bonds-file`;
    case "noBonds":
      return `${failure.path} names no validator; add a line \`<public_key> <stake>\` for each`;
    case "badBondKey":
      return `${failure.path}, line ${failure.line}: the public key ${failure.key} has ${failure.length} bytes; a validator's key has 65 (130 hexadecimal digits, the first two 04)`;
    case "tooManySignatures":
      return `Required sigs must be smaller than the number of bonded validators (casper.genesis-ceremony.required-signatures is ${failure.required}, ${failure.path} names ${failure.bonds})`;
    case "bondLimits":
      return `casper.genesis-block-data.bond-minimum (${failure.minimum}) is greater than casper.genesis-block-data.bond-maximum (${failure.maximum})`;
    case "quorum":
      return `casper.genesis-block-data.pos-multi-sig-quorum (${failure.quorum}) is greater than the number of casper.genesis-block-data.pos-multi-sig-public-keys (${failure.keys})`;
    case "badMultiSigKey":
      return `casper.genesis-block-data.pos-multi-sig-public-keys: ${JSON.stringify(failure.key.slice(0, 200))} is not a public key of 65 bytes as hexadecimal text`;
    case "notPlayable":
      return `The genesis block cannot be made: ${failure.reason}; please report this`;
    case "noValidatorKey":
      return "casper.genesis-ceremony.genesis-validator-mode needs a validator's key; set casper.validator-private-key-path";
    case "notBonded":
      return `The validator key ${toHex(failure.publicKey)} is not in ${failure.path}, so that its approval would not count; use the key of a bonded validator, or turn casper.genesis-ceremony.genesis-validator-mode off to join the network`;
  }
}
