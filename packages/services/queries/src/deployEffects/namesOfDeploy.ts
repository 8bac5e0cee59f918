import { equalBytes, toHex } from "@vedette/crypto";
import type { Block, ConsumeEvent, Event, ProduceEvent } from "@vedette/protocol";
import { channelHash, f1r3nodeTerms, GBool, GInt, GString, type Par, parOfExpr } from "@vedette/terms";

/** How often a deploy used a name. */
interface NameUse {
  /** Values that it sent there. */
  readonly writes: number;
  /** Its receives on the name, also those that only peek, and those that still wait. */
  readonly reads: number;
}

/** The use of a public name, which the program contains as text, number or boolean. */
export interface PublicNameUse extends NameUse {
  /** The name as written in the program: `@"hello"`. */
  readonly name: string;
  /** As event logs have it. */
  readonly channelHash: string;
}

/** Longest names, and most names of one program, that are looked at. */
const longestName = 200;
const maxNames = 200;

/** A quoted text, number or boolean: `@"hello"`. */
const quoted = /@(?:"((?:[^"\\\n]|\\.)*)"|(-?\d{1,19})(?!\w)|(true|false)(?!\w))/g;

/**
 * Returns how often a deploy uses each name, by the hash of the name.
 *
 * An event log repeats operations: persistent ones after each COMM, and sends of data that a receive peeks. Each counts
 * once, by its hash; data of earlier deploys that were only peeked do not count as sent. @spec 21 §3.6
 */
function usesOfNames(log: readonly Event[]): ReadonlyMap<string, NameUse> {
  const uses = new Map<string, { writes: number; reads: number }>();
  const useOf = (hash: Uint8Array) => {
    const key = toHex(hash);
    let use = uses.get(key);
    if (use === undefined) {
      use = { writes: 0, reads: 0 };
      uses.set(key, use);
    }
    return use;
  };
  const { sends, receives } = operationsOf(log);
  for (const { channelsHash } of sends) useOf(channelsHash).writes += 1;
  for (const { channelsHashes } of receives) for (const use of new Set(channelsHashes.map(useOf))) use.reads += 1;
  return uses;
}

/** The sends and receives of a deploy, each once. */
function operationsOf(log: readonly Event[]) {
  const sent = new Map<string, { readonly event: ProduceEvent; times: number }>();
  const receives = new Map<string, ConsumeEvent>();
  /** How often COMMs put a datum back. */
  const putBack = new Map<string, number>();
  for (const event of log) {
    if (event.kind === "consume") receives.set(event.key, event);
    else if (event.kind === "produce") {
      const known = sent.get(event.key);
      if (known === undefined) sent.set(event.key, { event, times: 1 });
      else known.times += 1;
    } else if (event.peeks.length > 0)
      for (const key of new Set(event.produces.map(({ key }) => key))) putBack.set(key, (putBack.get(key) ?? 0) + 1);
  }
  const own = ([key, { event, times }]: readonly [string, { readonly event: ProduceEvent; readonly times: number }]) =>
    event.persistent || times > (putBack.get(key) ?? 0);
  return { sends: [...sent].filter(own).map(([, { event }]) => event), receives: [...receives.values()] };
}

/** Returns the public names of a program that a deploy of it used, by its event log. */
export function publicNamesUsed(term: string, log: readonly Event[]): PublicNameUse[] {
  const names = publicNames(term);
  if (names.size === 0) return [];
  const uses = usesOfNames(log);
  return [...names].flatMap(([hash, name]) => {
    const use = uses.get(hash);
    return use === undefined ? [] : [{ name, channelHash: hash, ...use }];
  });
}

/**
 * Returns the public names that a deploy used in a block; none where it failed, as nothing of it is left.
 *
 * @returns `undefined` if the block does not have the deploy
 */
export function namesOfDeploy({ body }: Block, signature: Uint8Array): PublicNameUse[] | undefined {
  const found = body.deploys.find(({ deploy }) => equalBytes(deploy.signature, signature));
  if (found === undefined) return undefined;
  const { deploy, failed, systemDeployError, log } = found;
  return failed || systemDeployError !== "" ? [] : publicNamesUsed(deploy.term, log);
}

/** Texts, numbers and booleans after `@`, which may be names, by their hashes in each dialect. */
function publicNames(term: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, text, number, truth] of term.matchAll(quoted)) {
    if (seen.size >= maxNames) break;
    if (name.length > longestName || seen.has(name)) continue;
    seen.add(name);
    // The dialects hash a name in two ways, and a term keeps its hash. No log has a hash of the other dialect.
    for (const hashOf of [channelHash, f1r3nodeTerms.channelHash]) {
      const par = parOf(text, number, truth);
      const hash = par && toHex(hashOf(par));
      if (hash !== undefined && !found.has(hash)) found.set(hash, name);
    }
  }
  return found;
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
