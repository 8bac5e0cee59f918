import type { Exploration } from "./exploreDeploy.js";

/**
 * Replaces the random key and signature that nodes make for each exploration. A client and a node that use the same
 * read the same of a state.
 */
export const noDeployer: Pick<Exploration, "deployer" | "signature" | "timestamp"> = {
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
  if (!isUri(uri)) throw new RangeError(`${JSON.stringify(uri.slice(0, 64))} has characters that no URI has`);
  return `new return, lookup(\`rho:registry:lookup\`) in { lookup!(\`${uri}\`, *return) }`;
}
