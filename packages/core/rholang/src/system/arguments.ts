import { type Expr, GBool, GByteArray, GString, GUri, Par, type Unforgeable } from "@vedette/terms";

/**
 * The only expression of a value, if it has exactly one and no process beside it.
 *
 * Quirk 21 §5.1: unforgeable names and connectives beside it are not looked at.
 *
 * @spec 21 §5.1, §7.2
 */
function singleExpression(par: Par): Expr | undefined {
  return par.exprs.length === 1 &&
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.matches.length === 0 &&
    par.bundles.length === 0
    ? par.exprs[0]
    : undefined;
}

/** The only element of a value that is one unforgeable name and nothing else. @spec 21 §7.2 */
export function singleUnforgeable(par: Par): Unforgeable | undefined {
  return par.unforgeables.length === 1 &&
    par.exprs.length === 0 &&
    par.connectives.length === 0 &&
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.matches.length === 0 &&
    par.bundles.length === 0
    ? par.unforgeables[0]
    : undefined;
}

/** The bytes, where an argument is a byte array and nothing else. @spec 21 §7.2 */
export function byteArrayArgument(par: Par): Uint8Array | undefined {
  const expr = singleExpression(par);
  return expr?.kind === "GByteArray" ? expr.value : undefined;
}

/** The text, where an argument is a string and nothing else. @spec 21 §7.2 */
export function stringArgument(par: Par): string | undefined {
  const expr = singleExpression(par);
  return expr?.kind === "GString" ? expr.value : undefined;
}

/** The URI, where an argument is one and nothing else. @spec 61 §8 */
export function uriArgument(par: Par): string | undefined {
  const expr = singleExpression(par);
  return expr?.kind === "GUri" ? expr.value : undefined;
}

/** The number, where an argument is an integer and nothing else. @spec 21 §7.2 */
export function intArgument(par: Par): bigint | undefined {
  const expr = singleExpression(par);
  return expr?.kind === "GInt" ? expr.value : undefined;
}

/** Public key of a deployer id. @spec 21 §7.2 */
export function deployerIdArgument(par: Par): Uint8Array | undefined {
  const name = singleUnforgeable(par);
  return name?.kind === "GDeployerId" ? name.publicKey : undefined;
}

/** A value of one ground expression. */
export function groundValue(value: boolean | string | Uint8Array): Par {
  const expr =
    typeof value === "boolean"
      ? new GBool(value)
      : typeof value === "string"
        ? new GString(value)
        : new GByteArray(value);
  return Par.of({ exprs: [expr] });
}

/** A value of one URI. */
export function uriValue(uri: string): Par {
  return Par.of({ exprs: [new GUri(uri)] });
}
