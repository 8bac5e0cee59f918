import { fromHex, parOfRhoValue, RhoUnforgeable } from "@vedette/client";
import { type ProofForm, vaultBalanceName } from "@vedette/client/proof";
import type { Par } from "@vedette/terms";
import { type NameLookup, queryOf } from "../data/nameQuery.js";

/** How a user named what was looked up. */
export interface GivenName {
  readonly by: NameLookup;
  readonly of: string;
}

const kinds = { private: "private", deployId: "deploy", deployerId: "deployer" } as const;

/**
 * The bytes that the hash of a name is made of, found without the node; `undefined` for URIs, which need the registry,
 * and for processes other than texts and whole numbers.
 */
export function channelOfGiven(given: GivenName, form: ProofForm): Uint8Array | undefined {
  const { by } = given;
  const text = textOfGiven(given);
  switch (by) {
    case "vault":
      return vaultBalanceName(text, form);
    case "private":
    case "deployId":
    case "deployerId":
      return form.encodeChannel(parOfRhoValue(new RhoUnforgeable(kinds[by], fromHex(text))));
    case "name": {
      const par = simplePar(text.trim());
      return par && form.encodeChannel(par);
    }
    case "uri":
      return undefined;
  }
}

/** The text that a node is to find, without the marks that are often copied with it. */
export function textOfGiven({ by, of }: GivenName): string {
  const [text = ""] = Object.values(queryOf(by, of))[0] as readonly string[];
  return text;
}

/** Texts are written as in JSON where they have no escapes. */
function simplePar(source: string): Par | undefined {
  if (/^"[^"\\]*"$/.test(source)) return parOfRhoValue(source.slice(1, -1));
  return /^-?\d{1,15}$/.test(source) ? parOfRhoValue(BigInt(source)) : undefined;
}
