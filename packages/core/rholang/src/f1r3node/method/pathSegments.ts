import { toHex } from "@vedette/crypto";
import type { Bundle, Expr, New, Par, Receive, Send, Var } from "@vedette/terms";
import { panic } from "../Panic.js";

const maxBytes = 63;
const maxChildren = 63;
const symbolTag = 0xc0;

/**
 * The segments of a path: those of a list, one for each element; anything else is one segment.
 *
 * @spec 61 §6.4
 * @throws {Panic} where a segment cannot be written: an empty symbol or one beyond 63 bytes, more than 63 parts
 */
export function segmentsOf(par: Par): readonly Uint8Array[] {
  let segments = known.get(par);
  if (segments === undefined) {
    const only = par.exprs.length === 1 ? par.exprs[0] : undefined;
    segments = only?.kind === "EList" ? only.ps.map(segmentOf) : [segmentOf(par)];
    known.set(par, segments);
  }
  return segments;
}

/** The elements of a map come again in the maps that are made of it. */
const known = new WeakMap<Par, readonly Uint8Array[]>();

function segmentOf(par: Par): Uint8Array {
  const bytes: number[] = [];
  write(textOf(par), bytes);
  return Uint8Array.from(bytes);
}

/** A text with brackets as its parts, each with its length in front. */
function write(whole: string, bytes: number[]): void {
  const text = whole.trim();
  if (!text.startsWith("(") || !text.endsWith(")")) {
    const symbol = new TextEncoder().encode(text);
    if (symbol.length === 0 || symbol.length > maxBytes) throw panic("Symbol length must be between 1 and 63 bytes");
    bytes.push(symbolTag + symbol.length, ...symbol);
    return;
  }
  const parts = splitParts(text.slice(1, -1));
  if (parts.length > maxChildren) throw panic("Arity must not exceed 63");
  bytes.push(parts.length);
  for (const part of parts) write(part, bytes);
}

/** Parts of a text between blanks. Quirk 61 §6.4: quotation marks and escapes are left out of them. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let current = "";
  let depth = 0;
  let inString = false;
  let escaped = false;
  for (const character of text) {
    if (escaped) {
      current += character;
      escaped = false;
    } else if (character === "\\" && inString) escaped = true;
    else if (character === '"') inString = !inString;
    else if (!inString && depth === 0 && (character === " " || character === "\t" || character === "\n")) {
      if (current !== "") parts.push(current);
      current = "";
    } else {
      if (!inString && character === "(") depth += 1;
      if (!inString && character === ")") depth -= 1;
      current += character;
    }
  }
  if (current !== "") parts.push(current);
  return parts;
}

/** The symbol that a segment is, without quotation marks around it; `undefined` where it is none. */
export function symbolOf(segment: Uint8Array): string | undefined {
  const size = (segment[0] ?? 0) - symbolTag;
  if (size < 1 || segment.length < size + 1) return undefined;
  const text = new TextDecoder().decode(segment.subarray(1, size + 1));
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** A term as a text with brackets, in which much is left out. @spec 61 §6.4 */
function textOf(par: Par): string {
  const parts = [
    ...par.sends.map(textOfSend),
    ...par.receives.map(textOfReceive),
    ...par.news.map(textOfNew),
    ...par.exprs.map(textOfExpr),
    ...par.bundles.map(textOfBundle),
  ];
  if (parts.length === 0) return "Nil";
  return parts.length === 1 ? parts[0]! : `(par ${parts.join(" ")})`;
}

function textOfSend({ chan, data }: Send): string {
  return `(! ${textOf(chan)} ${texts(data)})`;
}

function textOfReceive({ binds, body }: Receive): string {
  return `(for (${binds.map(({ source }) => `(bind <- ${textOf(source)})`).join(" ")}) ${textOf(body)})`;
}

function textOfNew({ bindCount, p }: New): string {
  return `(new ${Array.from({ length: bindCount }, (_, index) => `x${index}`).join(" ")} ${textOf(p)})`;
}

function textOfBundle({ body }: Bundle): string {
  return `(bundle ${textOf(body)})`;
}

function texts(pars: readonly Par[]): string {
  return pars.map(textOf).join(" ");
}

const operatorSigns: Readonly<Record<string, string>> = { EMult: "*", EDiv: "/", EPlus: "+", EMinus: "-" };

function textOfExpr(expr: Expr): string {
  switch (expr.kind) {
    case "GBool":
    case "GInt":
      return String(expr.value);
    case "GString":
      return `"${expr.value}"`;
    case "GUri":
      return `\`${expr.value}\``;
    case "GByteArray":
      return `0x${toHex(expr.value)}`;
    case "EList":
      return `[${texts(expr.ps)}]`;
    case "ETuple":
      return `(tuple ${texts(expr.ps)})`;
    case "ESet":
      return `(set ${texts(expr.ps)})`;
    case "EMap":
      return `(map ${expr.kvs.map(({ key, value }) => `(${textOf(key)} : ${textOf(value)})`).join(" ")})`;
    case "EVar":
      return textOfVar(expr.v);
    case "EUnary":
      return `(${expr.operator === "ENot" ? "not" : "-"} ${textOf(expr.p)})`;
    case "EBinary": {
      const sign = operatorSigns[expr.operator];
      return sign === undefined ? "(expr)" : `(${sign} ${textOf(expr.p1)} ${textOf(expr.p2)})`;
    }
    case "EMethod":
      return `(${textOf(expr.target)}.${expr.methodName} ${texts(expr.args)})`;
    case "EmptyExpr":
      return "Nil";
    default:
      return "(expr)";
  }
}

function textOfVar(v: Var): string {
  switch (v.kind) {
    case "BoundVar":
      return `_${v.index}`;
    case "FreeVar":
      return `$${v.index}`;
    case "Wildcard":
      return "_";
    default:
      return "var";
  }
}
