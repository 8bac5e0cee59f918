import { toHex } from "@vedette/crypto";
import { channelHash, GBool, GInt, GString, type Par, parOfExpr } from "@vedette/terms";

/** Words by which the ecosystem's indexer classifies programs; the first line that fits decides. @spec 60 §3 */
const kinds: readonly { readonly words: readonly string[]; readonly type: string }[] = [
  { words: ["ASIVault", "transfer"], type: "asi_transfer" },
  { words: ["validator"], type: "validator_operation" },
  { words: ["bond"], type: "validator_operation" },
  { words: ["finalizer"], type: "finalizer_contract" },
  { words: ["registry", "lookup"], type: "registry_lookup" },
  { words: ["auction"], type: "auction_contract" },
];

/** Returns the probable kind of a program, by its words. @spec 60 §3 */
export function deploymentType(term: string): string {
  return kinds.find(({ words }) => words.every((word) => term.includes(word)))?.type ?? "smart_contract";
}

/** A name that is in a program as it is. */
interface PublicName {
  /** The name as written there. */
  readonly name: string;
  /** As event logs have it. */
  readonly channelHash: string;
}

/** Longest names, and most names of one program, that are looked at. */
const longestName = 200;
const maxNames = 200;

/** A quoted text, number or truth that something is sent on: `@"hello"!(…)`. */
const quoted = /@(?:"((?:[^"\\\n]|\\.)*)"|(-?\d{1,19})|(true|false))\s*!/g;

/** Returns the public names that a program may write to: those that it contains as text, number or boolean. */
export function publicNames(term: string): readonly PublicName[] {
  const found = new Map<string, PublicName>();
  for (const [whole, text, number, truth] of term.matchAll(quoted)) {
    if (found.size >= maxNames) break;
    const name = whole.replace(/\s*!$/, "");
    if (name.length > longestName || found.has(name)) continue;
    const par = parOf(text, number, truth);
    if (par !== undefined) found.set(name, { name, channelHash: toHex(channelHash(par)) });
  }
  return [...found.values()];
}

function parOf(text: string | undefined, number: string | undefined, truth: string | undefined): Par | undefined {
  if (number !== undefined) {
    const value = BigInt(number);
    return BigInt.asIntN(64, value) === value ? parOfExpr(new GInt(value)) : undefined;
  }
  if (truth !== undefined) return parOfExpr(new GBool(truth === "true"));
  // Escapes change the text; the few programs that use them are not recognized.
  return text === undefined || text.includes("\\") ? undefined : parOfExpr(new GString(text));
}
