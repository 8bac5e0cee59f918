import type { Span } from "@vedette/rholang";
import { operatorChain, rightOf } from "../operatorChain.js";
import type {
  AnyBind,
  AnyCase,
  AnyName,
  AnyPatterns,
  AnyProcess,
  AnyReceipt,
  PlacedNode,
  ProgramSource,
} from "../ProgramSource.js";
import { guardOf, valuesOf } from "../parts.js";
import { NameScope } from "./NameScope.js";
import type { Analysis, BindingKind, NameSymbol, Use } from "./NameSymbol.js";

/**
 * Finds what every name of a program means, by the rules of the normalizer.
 *
 * @spec 20 §6, §7, 61 §4
 * @cost linear in the program; native stack for each level of nesting, not for chains of operators
 */
export function analyze(parsed: ProgramSource): Analysis {
  const analyzer = new Analyzer(parsed);
  analyzer.process(parsed.process, new NameScope(undefined), undefined);
  return { symbols: analyzer.symbols, at: analyzer.at };
}

/** Where variables that a pattern leaves free are declared. */
interface Pattern {
  readonly origin: BindingKind;
  readonly scope: Span;
  /** For the body behind the pattern. */
  readonly declared: NameSymbol[];
  /** The scope around it, for hidden names. */
  readonly outer: NameScope;
}

const value: Use = { kind: "value" };

class Analyzer {
  readonly symbols: NameSymbol[] = [];
  readonly at = new Map<number, NameSymbol>();
  /** Names from the expansion of an agent; the text does not have them. */
  readonly #unwritten = new Set<NameSymbol>();
  #patternDepth = 0;

  constructor(private readonly parsed: ProgramSource) {}

  /** @param pattern the pattern around it */
  process(process: AnyProcess, scope: NameScope, pattern: Pattern | undefined): void {
    switch (process.kind) {
      case "Variable":
        this.#use(process, { isName: false, use: value }, scope, pattern);
        return;
      case "VariableReference":
        this.#refer(process.name, this.#endOf(process) - process.name.length, scope.findOutward(process.name), value);
        return;
      case "Eval":
        this.#name(process.name, value, scope, pattern);
        return;
      case "Binary":
      case "Matches":
      case "Conjunction":
      case "Disjunction":
      case "Method":
        this.#operators(process, scope, pattern);
        return;
      case "Unary":
      case "Negation":
        this.process(process.operand, scope, pattern);
        return;
      case "Parallel":
        this.#all(process.processes, scope, pattern);
        return;
      case "List":
      case "Tuple":
      case "Set":
      case "PathMap":
        this.#all(process.elements, scope, pattern);
        this.#remainder(process.remainder, scope, pattern);
        return;
      case "Map":
        for (const { key, value } of process.entries) this.#all([key, value], scope, pattern);
        this.#remainder(process.remainder, scope, pattern);
        return;
      default:
        this.#statement(process, scope, pattern);
    }
  }

  #statement(process: AnyProcess, scope: NameScope, pattern: Pattern | undefined): void {
    switch (process.kind) {
      case "Send":
      case "SyncSend":
        this.#name(process.channel, { kind: "send", node: process }, scope, pattern);
        this.#all(process.data, scope, pattern);
        if (process.kind === "SyncSend") this.#optional(process.continuation, scope, pattern);
        return;
      case "Receive":
        this.#receive(process.receipts, process, scope, pattern);
        return;
      case "Contract": {
        this.#name(process.name, { kind: "contract", node: process }, scope, pattern);
        const declared = this.#patterns([process.formals], { origin: "formal", construct: process }, scope);
        this.process(process.body, withNames(scope, declared), pattern);
        return;
      }
      case "Match":
        this.process(process.target, scope, pattern);
        for (const one of process.cases) this.#matchCase(one, scope, pattern);
        return;
      case "Bundle":
        this.process(process.body, scope, pattern);
        return;
      case "Let":
        this.#letIn(process, scope, pattern);
        return;
      case "New":
        this.#newNames(process, scope, pattern);
        return;
      case "If":
        this.#all([process.condition, process.then], scope, pattern);
        this.#optional(process.otherwise, scope, pattern);
        return;
      default:
    }
  }

  #all(processes: readonly AnyProcess[], scope: NameScope, pattern: Pattern | undefined): void {
    for (const process of processes) this.process(process, scope, pattern);
  }

  #optional(process: AnyProcess | undefined, scope: NameScope, pattern: Pattern | undefined): void {
    if (process !== undefined) this.process(process, scope, pattern);
  }

  #operators(outermost: AnyProcess, scope: NameScope, pattern: Pattern | undefined): void {
    const { first, chain } = operatorChain(outermost);
    this.process(first, scope, pattern);
    for (const process of chain) {
      if (process.kind === "Method") this.#all(process.args, scope, pattern);
      else if (process.kind === "Matches") this.#processPattern(process.pattern, "match", process, scope);
      else this.process(rightOf(process), scope, pattern);
    }
  }

  #name(name: AnyName, use: Use, scope: NameScope, pattern: Pattern | undefined): void {
    if (name.kind === "Quote") this.process(name.process, scope, pattern);
    else if (name.kind === "NameVariable") this.#use(name, { isName: true, use }, scope, pattern);
  }

  /** Each receipt sees what those before it bind; the sources of one see nothing of it. */
  #receive(
    receipts: readonly AnyReceipt[],
    construct: AnyProcess,
    scope: NameScope,
    pattern: Pattern | undefined,
  ): void {
    let inner = scope;
    for (const receipt of receipts) {
      const binds: readonly AnyBind[] = receipt.binds;
      for (const bind of binds) this.#source(bind, inner, pattern);
      const patterns = binds.map((bind) => bind.patterns);
      inner = withNames(inner, this.#patterns(patterns, { origin: "receive", construct }, inner));
      this.#optional(guardOf(receipt), inner, pattern);
    }
    if (construct.kind === "Receive") this.process(construct.body, inner, pattern);
  }

  #source(bind: AnyBind, scope: NameScope, pattern: Pattern | undefined): void {
    this.#name(bind.source, { kind: "receive", bind }, scope, pattern);
    this.#all(bind.data, scope, pattern);
  }

  #matchCase(one: AnyCase, scope: NameScope, pattern: Pattern | undefined): void {
    const span = { start: this.#startOf(one.pattern), end: this.#endOf(one.body) };
    const declared: NameSymbol[] = [];
    this.#patternDepth += 1;
    this.process(one.pattern, new NameScope(scope, true), { origin: "match", scope: span, declared, outer: scope });
    this.#patternDepth -= 1;
    const inner = withNames(scope, declared);
    this.#optional(guardOf(one), inner, pattern);
    this.process(one.body, inner, pattern);
  }

  #processPattern(process: AnyProcess, origin: BindingKind, construct: AnyProcess, scope: NameScope): void {
    const span = this.#spanOf(construct);
    this.#patternDepth += 1;
    this.process(process, new NameScope(scope, true), { origin, scope: span, declared: [], outer: scope });
    this.#patternDepth -= 1;
  }

  #letIn(process: Extract<AnyProcess, { kind: "Let" }>, scope: NameScope, pattern: Pattern | undefined): void {
    let inner = scope;
    const concurrent: NameSymbol[] = [];
    for (const declaration of process.declarations) {
      const { patterns } = declaration;
      this.#all(valuesOf(declaration), process.concurrent ? scope : inner, pattern);
      const declared = this.#patterns([patterns], { origin: "let", construct: process }, inner);
      if (process.concurrent) concurrent.push(...declared);
      else inner = withNames(inner, declared);
    }
    this.process(process.body, process.concurrent ? withNames(scope, concurrent) : inner, pattern);
  }

  #newNames(process: Extract<AnyProcess, { kind: "New" }>, scope: NameScope, pattern: Pattern | undefined): void {
    const span = this.#spanOf(process);
    const declared = process.declarations.map((declaration) => {
      const { name, uri } = declaration;
      const position = this.parsed.offsetOf(declaration);
      const place: Pattern = { origin: "new", scope: span, declared: [], outer: scope };
      return this.#declare({ name, position, isName: true, uri }, place);
    });
    this.process(process.body, withNames(scope, declared), pattern);
  }

  /** @returns the names that the patterns declare */
  #patterns(
    patterns: readonly AnyPatterns[],
    { origin, construct }: { readonly origin: BindingKind; readonly construct: AnyProcess },
    scope: NameScope,
  ): readonly NameSymbol[] {
    const pattern: Pattern = { origin, scope: this.#spanOf(construct), declared: [], outer: scope };
    this.#patternDepth += 1;
    for (const { names, remainder } of patterns) {
      const own = new NameScope(scope, true);
      for (const name of names) this.#name(name, value, own, pattern);
      this.#remainder(remainder, own, pattern);
    }
    this.#patternDepth -= 1;
    return pattern.declared;
  }

  #remainder(remainder: AnyPatterns["remainder"], scope: NameScope, pattern: Pattern | undefined): void {
    if (remainder?.name === undefined) return;
    this.#use({ ...remainder, name: remainder.name }, { isName: false, use: value }, scope, pattern);
  }

  #use(
    named: PlacedNode & { readonly name: string },
    { isName, use }: { readonly isName: boolean; readonly use: Use },
    scope: NameScope,
    pattern: Pattern | undefined,
  ): void {
    const { name } = named;
    const position = this.parsed.offsetOf(named);
    const symbol = scope.find(name);
    if (symbol !== undefined) this.#refer(name, position, symbol, use);
    else if (pattern !== undefined) this.#declare({ name, position, isName, uri: undefined }, pattern);
  }

  #refer(name: string, start: number, symbol: NameSymbol | undefined, use: Use): void {
    if (symbol === undefined || this.#unwritten.has(symbol)) return;
    symbol.references.push({ span: { start, end: start + name.length }, use });
    this.at.set(start, symbol);
  }

  #declare(
    {
      name,
      position,
      isName,
      uri,
    }: {
      readonly name: string;
      readonly position: number;
      readonly isName: boolean;
      readonly uri: string | undefined;
    },
    { origin, scope, declared, outer }: Pattern,
  ): NameSymbol {
    const declaration = { start: position, end: position + name.length };
    const shadowed = outer.find(name);
    const isInPattern = this.#patternDepth > (origin === "new" ? 0 : 1);
    const facts = { name, isName, origin, declaration, scope, uri, shadowed, isInPattern };
    const symbol: NameSymbol = { ...facts, references: [] };
    declared.push(symbol);
    if (this.parsed.source.startsWith(name, position)) {
      this.symbols.push(symbol);
      this.at.set(position, symbol);
    } else this.#unwritten.add(symbol);
    return symbol;
  }

  #spanOf(process: AnyProcess): Span {
    return this.parsed.spanOf(process) ?? { start: 0, end: this.parsed.source.length };
  }

  #startOf(process: AnyProcess): number {
    return this.#spanOf(process).start;
  }

  #endOf(process: AnyProcess): number {
    return this.#spanOf(process).end;
  }
}

function withNames(scope: NameScope, symbols: readonly NameSymbol[]): NameScope {
  if (symbols.length === 0) return scope;
  const inner = new NameScope(scope);
  for (const symbol of symbols) inner.put(symbol);
  return inner;
}
