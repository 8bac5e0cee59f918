import { compareUtf8, nil, type Par } from "@vedette/terms";
import { singleExpr } from "../../evaluate/method/Method.js";
import { groundValue, stringArgument } from "../../system/arguments.js";

interface Version {
  readonly numbers: readonly [number, number, number];
  /** The text after a hyphen. */
  readonly tag: string | undefined;
}

/** As many leading numbers as a version must have; all of them and the tag where `isExact`. */
interface Pattern {
  readonly numbers: readonly number[];
  readonly isExact: boolean;
  readonly tag: string | undefined;
}

const maxNumber = 0xffffffff;

/** A decimal number of 32 bits; a sign in front is allowed, as where this is read from. */
function numberOf(text: string): number | undefined {
  if (!/^\+?[0-9]+$/.test(text)) return undefined;
  const value = Number(text);
  return value <= maxNumber ? value : undefined;
}

function versionOf(text: string): Version | undefined {
  const hyphen = text.indexOf("-");
  const tag = hyphen < 0 ? undefined : text.slice(hyphen + 1);
  if (tag === "") return undefined;
  const parts = (hyphen < 0 ? text : text.slice(0, hyphen)).split(".").map(numberOf);
  const [major, minor, patch] = parts;
  if (parts.length !== 3 || major === undefined || minor === undefined || patch === undefined) return undefined;
  return { numbers: [major, minor, patch], tag };
}

function patternOf(text: string): Pattern | undefined {
  if (text === "*") return { numbers: [], isExact: false, tag: undefined };
  if (!text.includes("*")) {
    const version = versionOf(text);
    return version === undefined ? undefined : { ...version, isExact: true };
  }
  const parts = text.split(".");
  if (text.includes("-") || parts.length < 2 || parts.length > 3 || parts.at(-1) !== "*") return undefined;
  const numbers: number[] = [];
  for (const part of parts.slice(0, -1)) {
    const number = numberOf(part);
    if (number === undefined) return undefined;
    numbers.push(number);
  }
  return { numbers, isExact: false, tag: undefined };
}

/** An open pattern matches no version with a tag. */
function matches({ numbers, isExact, tag }: Pattern, version: Version): boolean {
  return (
    numbers.every((number, index) => version.numbers[index] === number) && version.tag === (isExact ? tag : undefined)
  );
}

/** A version without a tag is above those with one. */
function compare(left: Version, right: Version): number {
  for (let i = 0; i < 3; i += 1) if (left.numbers[i] !== right.numbers[i]) return left.numbers[i]! - right.numbers[i]!;
  if (left.tag === undefined || right.tag === undefined)
    return Number(left.tag === undefined) - Number(right.tag === undefined);
  return compareUtf8(left.tag, right.tag);
}

function pairOf(argument: Par): readonly [Par, Par] | undefined {
  const tuple = singleExpr(argument);
  return tuple?.kind === "ETuple" && tuple.ps.length === 2 ? [tuple.ps[0]!, tuple.ps[1]!] : undefined;
}

function read<T>(par: Par | undefined, parse: (text: string) => T | undefined): T | undefined {
  const text = par === undefined ? undefined : stringArgument(par);
  return text === undefined ? undefined : parse(text);
}

/** Whether a version, the second of the pair, fits the pattern, its first. @spec 61 §8 */
export function matchesVersion(argument: Par): boolean {
  const pair = pairOf(argument);
  const pattern = read(pair?.[0], patternOf);
  const version = read(pair?.[1], versionOf);
  return pattern !== undefined && version !== undefined && matches(pattern, version);
}

/** The highest version of a list, the second of the pair, that fits the pattern; Nil where none does. @spec 61 §8 */
export function bestVersion(argument: Par): Par {
  const pair = pairOf(argument);
  const pattern = read(pair?.[0], patternOf);
  const list = pair === undefined ? undefined : singleExpr(pair[1]);
  if (pattern === undefined || list?.kind !== "EList") return nil;
  let best: Version | undefined;
  for (const item of list.ps) {
    const version = read(item, versionOf);
    if (version === undefined || !matches(pattern, version)) continue;
    if (best === undefined || compare(version, best) >= 0) best = version;
  }
  if (best === undefined) return nil;
  return groundValue(best.numbers.join(".") + (best.tag === undefined ? "" : `-${best.tag}`));
}
