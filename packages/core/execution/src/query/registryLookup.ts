import type { Par } from "@vedette/terms";
import type { ExploratoryDeploy } from "./exploreDeploy.js";

/**
 * Replaces the random key and signature that nodes make for each exploration. A client and a node that use the same
 * read the same of a state.
 */
export const noDeployer: Pick<ExploratoryDeploy, "deployer" | "signature" | "timestamp"> = {
  deployer: new Uint8Array(65),
  signature: new Uint8Array(70),
  timestamp: 0n,
};

const uriForm = /^[A-Za-z0-9:._/+-]{1,256}$/;

/** Whether a text can be a URI: the program that looks it up may contain no other characters. */
export function isUri(text: string): boolean {
  return uriForm.test(text);
}

/**
 * A program that returns what the registry answers for a URI: `Nil` where nothing is registered.
 *
 * @throws {RangeError} for a text that is no URI
 * @spec 41 §6.1.2
 */
export function registryLookup(uri: string): string {
  requireUri(uri);
  return `new return, lookup(\`rho:registry:lookup\`) in { lookup!(\`${uri}\`, *return) }`;
}

/** A program that returns the name of the built-in process behind a URI. @throws {RangeError} for a text that is no URI */
export function processLookup(uri: string): string {
  requireUri(uri);
  return `new return, process(\`${uri}\`) in { return!(*process) }`;
}

/**
 * Returns the name in a value of the registry: the registry keeps some values as pairs with a version, and
 * bundles only define how a name may be used. `undefined` for a value that is no unforgeable name.
 */
export function nameOfValue(value: Par | undefined): Par | undefined {
  const [expr] = value?.exprs ?? [];
  const [version] = expr?.kind === "ETuple" ? expr.ps : [];
  if (expr?.kind === "ETuple" && expr.ps.length === 2 && version?.exprs[0]?.kind === "GInt")
    return nameOfValue(expr.ps[1]);
  const [bundle] = value?.bundles ?? [];
  if (bundle !== undefined) return nameOfValue(bundle.body);
  return value?.unforgeables.length === 1 ? value : undefined;
}

function requireUri(text: string): void {
  if (!isUri(text)) throw new RangeError(`${JSON.stringify(text.slice(0, 64))} has characters that no URI has`);
}
