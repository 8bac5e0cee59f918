import { parseAddressRange } from "./address/plainAddress.js";
import { proxyHeaders } from "./address/TrustedProxies.js";
import type { ConfigProblemCode } from "./ConfigError.js";
import { dialectNames, findDialectName } from "./dialectName.js";
import { forms } from "./forms.js";
import type { HoconValue } from "./hocon/hoconNode.js";
import type { Key, KeyTypeOf } from "./Key.js";
import { areaNames, areLogLevels, levelNames } from "./log/index.js";
import { printDuration } from "./printValue.js";
import { minHistory, parseHistory } from "./stateHistory.js";
import { parseDurationMs, parseSize } from "./units.js";
import { maxWorkers, parseWorkers } from "./workerCount.js";

const smallestInt = -2_147_483_648;
const largestInt = 2_147_483_647;
const largestPort = 65_535;

/** A value in its key's type, or what is wrong with it. */
export type ValueResult =
  | { readonly value: KeyTypeOf[keyof KeyTypeOf] }
  | { readonly code: ConfigProblemCode; readonly text: string };

/**
 * Reads a value in its key's type.
 *
 * @spec 50 §5.2
 * @param value        `undefined` and `null` are the absent value, which only optional keys may have
 * @param isFromOption whether it comes from the command line, where durations need a unit and sizes have none
 */
export function readValue(key: Key, value: HoconValue | undefined, isFromOption: boolean): ValueResult {
  const { type } = key;
  if (value === undefined || (value.kind === "text" && value.isNull)) {
    if (type.startsWith("optional")) return { value: undefined };
    return { code: "missing", text: `needs a value, ${wanted(type)}` };
  }
  if (type === "textList" || type === "networks") return readList(key, type, value);
  if (value.kind !== "text") return wrong(key, value.kind === "object" ? "a section" : "a list");
  const result = readText(type, value.text, isFromOption);
  if (result === undefined || !fits(key, value.text)) return wrong(key, JSON.stringify(value.text));
  if ((typeof result === "number" || typeof result === "bigint") && !isWithin(key, result)) {
    return { code: "outOfRange", text: `must be ${rangeOf(key)}, not ${printNumber(type, result)}` };
  }
  return { value: result };
}

function isWithin({ min, max }: Key, value: number | bigint): boolean {
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}

function rangeOf({ type, min, max }: Key): string {
  const [least, greatest] = [min, max].map((bound) => (bound === undefined ? undefined : printNumber(type, bound)));
  if (greatest === undefined) return `at least ${least}`;
  return least === undefined ? `at most ${greatest}` : `from ${least} to ${greatest}`;
}

function printNumber(type: keyof KeyTypeOf, value: number | bigint): string {
  return type === "duration" ? printDuration(Number(value)) : String(value);
}

function wrong(key: Key, found: string): ValueResult {
  const shown = key.isSecret === true ? "something else" : shortened(found);
  return { code: "wrongType", text: `must be ${wantedOf(key)}, not ${shown}` };
}

function fits({ form }: Key, text: string): boolean {
  return form === undefined || forms[form].fits(text);
}

function wantedOf({ type, form }: Key): string {
  return form === undefined ? wanted(type) : forms[form].wanted;
}

function shortened(found: string): string {
  return found.length > 80 ? `${found.slice(0, 80)}…` : found;
}

function readText(type: keyof KeyTypeOf, text: string, isFromOption: boolean): KeyTypeOf[keyof KeyTypeOf] {
  switch (type) {
    case "flag":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "int":
    case "optionalInt":
      return parseInteger(text, smallestInt, largestInt);
    case "port":
      return parseInteger(text, 0, largestPort);
    case "long":
    case "optionalLong":
      return isFromOption && !/^\d+$/.test(text.trim()) ? undefined : parseSize(text);
    case "duration":
      return parseDurationMs(text, isFromOption);
    case "decimal":
      return parseDecimal(text);
    case "float": {
      const value = parseDecimal(text);
      return value === undefined ? undefined : Math.fround(value);
    }
    case "peer":
      return isPeerUri(text) ? text : undefined;
    case "proxyHeader":
      return proxyHeaders.find((header) => header === text.trim().toLowerCase());
    case "stateHistory":
      return parseHistory(text);
    case "workers":
      return parseWorkers(text);
    case "dialect":
      return findDialectName(text.trim());
    case "logLevels":
      return areLogLevels(text) ? text : undefined;
    case "text":
    case "optionalText":
    case "path":
    case "optionalPath":
      return text;
    case "textList":
    case "networks":
      return undefined;
  }
}

function readList(key: Key, type: "textList" | "networks", value: HoconValue): ValueResult {
  if (value.kind !== "array") return { code: "wrongType", text: `must be ${wantedOf(key)}` };
  const items = value.items.map((item) => (item.kind === "text" && !item.isNull ? item.text : undefined));
  const isNone = (item: string | undefined) =>
    type === "networks" ? !isAddressRange(item) : item !== undefined && !fits(key, item);
  const unknown = items.find(isNone);
  if (unknown !== undefined) {
    const text = `must be ${wantedOf(key)}; ${shortened(JSON.stringify(unknown))} is none`;
    return { code: "wrongType", text };
  }
  if (!items.every((item) => item !== undefined)) return { code: "wrongType", text: `must be ${wantedOf(key)}` };
  return { value: items };
}

function isAddressRange(item: string | undefined): boolean {
  return item !== undefined && parseAddressRange(item) !== undefined;
}

function parseInteger(text: string, min: number, max: number): number | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,15}$/.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return value >= min && value <= max ? value : undefined;
}

function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

/** A scheme, an id in hexadecimal pairs, a host, and the two ports in any order (10 §2.1). */
function isPeerUri(text: string): boolean {
  if (text.length > 1000 || !URL.canParse(text)) return false;
  const uri = new URL(text);
  const ports = [uri.searchParams.get("protocol"), uri.searchParams.get("discovery")];
  const isId = /^([0-9a-fA-F]{2})+$/.test(uri.username);
  return isId && uri.hostname !== "" && ports.every((port) => /^\d{1,5}$/.test(port ?? ""));
}

function wanted(type: keyof KeyTypeOf): string {
  switch (type) {
    case "flag":
      return "true or false";
    case "int":
    case "optionalInt":
      return "a whole number of 32 bits";
    case "port":
      return "a port from 0 to 65535";
    case "long":
    case "optionalLong":
      return "a whole number of 64 bits, with a unit as 256K where it is a size in a file";
    case "duration":
      return 'a length of time with its unit, as "20 seconds"';
    case "decimal":
    case "float":
      return "a decimal number";
    case "text":
    case "optionalText":
      return "a text";
    case "path":
    case "optionalPath":
      return "a path";
    case "peer":
      return "a node's address, as rnode://<40 hexadecimal digits>@<host>?protocol=<port>&discovery=<port>";
    case "logLevels":
      return `a level (${levelNames.join(", ")}) and levels of areas (${areaNames.join(", ")}), as "info,sync=debug"`;
    case "textList":
      return 'a list of texts, as ["one", "two"]';
    case "proxyHeader":
      return proxyHeaders.join(" or ");
    case "stateHistory":
      return `archive, finalized, or a number of blocks, at least ${minHistory}`;
    case "workers":
      return `auto, or a number up to ${maxWorkers}`;
    case "dialect":
      return dialectNames.join(" or ");
    case "networks":
      return 'a list of addresses and networks, as ["192.0.2.1", "10.0.0.0/8", "2001:db8::/32"]';
  }
}
