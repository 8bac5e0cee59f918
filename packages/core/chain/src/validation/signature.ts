import { type Block, checkBlockSignature, type Dialect } from "@vedette/protocol";

/**
 * Checks algorithm and signature of a block.
 *
 * @returns the reason, in the words of the log, or `undefined`
 * @spec 40 §5.2
 */
export function checkSignature(block: Block, dialect: Dialect): string | undefined {
  switch (checkBlockSignature(block, dialect)) {
    case "unsupportedAlgorithm":
      return `signature algorithm ${block.signatureAlgorithm} is unsupported.`;
    case "invalidSignature":
      return "signature is invalid.";
    case undefined:
      return undefined;
  }
}
