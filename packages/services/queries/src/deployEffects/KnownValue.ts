import { type Expr, isNil, type Par, type Var } from "@vedette/terms";

/** The facts about a value without running the program. */
export type KnownValue =
  | { readonly kind: "text" | "uri"; readonly value: string }
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "bytes"; readonly value: string }
  | { readonly kind: "tuple" | "list"; readonly items: readonly KnownValue[] }
  /** A name that a `new` took from the node. */
  | { readonly kind: "system"; readonly urn: string }
  | PrivateName
  /** The registry's entry under a URI. */
  | { readonly kind: "contract"; readonly uri: string }
  | { readonly kind: "vault"; readonly address: string | null }
  | { readonly kind: "nil" }
  | { readonly kind: "unknown" };

/** A name that a `new` made, with what was sent there and not received yet. */
export interface PrivateName {
  readonly kind: "private";
  readonly sent: (readonly KnownValue[])[];
  /** Whether others received it, so that messages may come on it that the program does not show. */
  isShared: boolean;
}

export const unknownValue: KnownValue = { kind: "unknown" };

/** The variables in scope, the innermost first. */
export interface ValueScope {
  readonly values: readonly KnownValue[];
  readonly outer: ValueScope | undefined;
}

/** Deeper data are not looked into. */
const maxDepth = 8;
/** Longest text of a name that is shown. */
const maxNameLength = 100;

/** Evaluates a process that is sent, or used as a name. */
export function readValue(par: Par, scope: ValueScope | undefined, depth = 0): KnownValue {
  if (depth > maxDepth) return unknownValue;
  if (isNil(par)) return { kind: "nil" };
  const { sends, receives, news, exprs, matches, unforgeables, bundles, connectives, conditionals } = par;
  const others = sends.length + receives.length + news.length + matches.length + connectives.length;
  if (others + unforgeables.length + conditionals.length > 0 || exprs.length + bundles.length !== 1)
    return unknownValue;
  if (bundles.length === 1) return readValue(bundles[0]!.body, scope, depth + 1);
  return readExpr(exprs[0]!, scope, depth);
}

function readExpr(expr: Expr, scope: ValueScope | undefined, depth: number): KnownValue {
  switch (expr.kind) {
    case "GString":
      return { kind: "text", value: expr.value };
    case "GUri":
      return { kind: "uri", value: expr.value };
    case "GInt":
      return { kind: "int", value: expr.value };
    case "GBool":
      return { kind: "bool", value: expr.value };
    case "EVar":
      return readVar(expr.v, scope);
    case "EList":
      if (expr.remainder !== undefined) return unknownValue;
      return { kind: "list", items: expr.ps.map((item) => readValue(item, scope, depth + 1)) };
    case "ETuple":
      return { kind: "tuple", items: expr.ps.map((item) => readValue(item, scope, depth + 1)) };
    case "EMethod": {
      const target = readValue(expr.target, scope, depth + 1);
      const isBytes = expr.methodName === "hexToBytes" && expr.args.length === 0 && target.kind === "text";
      return isBytes ? { kind: "bytes", value: target.value } : unknownValue;
    }
    default:
      return unknownValue;
  }
}

function readVar(variable: Var, scope: ValueScope | undefined): KnownValue {
  if (variable.kind !== "BoundVar") return unknownValue;
  let index = variable.index;
  for (let at = scope; at !== undefined; at = at.outer) {
    if (index < at.values.length) return at.values[at.values.length - 1 - index]!;
    index -= at.values.length;
  }
  return unknownValue;
}

/** The text of a name that any program can write down; `undefined` for all other values. */
export function publicName(value: KnownValue): string | undefined {
  switch (value.kind) {
    case "text":
      return cut(`@${JSON.stringify(value.value)}`);
    case "uri":
      return cut(`@\`${value.value}\``);
    case "int":
    case "bool":
      return `@${value.value}`;
    case "nil":
      return "@Nil";
    case "list":
    case "tuple": {
      const items = value.items.map(publicName);
      if (items.includes(undefined)) return undefined;
      const text = items.map((item) => item!.slice(1)).join(", ");
      return cut(value.kind === "list" ? `@[${text}]` : `@(${text}${items.length === 1 ? "," : ""})`);
    }
    default:
      return undefined;
  }
}

function cut(text: string): string {
  return text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text;
}
