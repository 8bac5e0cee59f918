import type { Span } from "@vedette/rholang";
import {
  type CheckedProgram,
  checkProgram,
  type Diagnostic,
  eachProcess,
  formatSource,
  type Language,
  type LanguageDialect,
  languageOf,
  type NameSymbol,
} from "../index.js";

/** A piece of the text, and its replacement. */
export interface TextChange {
  readonly span: Span;
  readonly text: string;
}

/** Something that an outline shows. */
export interface OutlineEntry {
  readonly name: string;
  readonly kind: "contract" | "name";
  readonly span: Span;
  readonly selection: Span;
}

/** One thing that may be written at a place. */
export interface Proposal {
  readonly label: string;
  readonly kind: "method" | "channel" | "name";
  readonly about: string;
}

/** A text that an editor has open, and the requests about it. Offsets are in UTF-16 units. */
export class OpenProgram {
  readonly diagnostics: readonly Diagnostic[];
  readonly #program: CheckedProgram["program"];
  readonly #language: Language;

  /** @param before the facts about the text before its last change; its names help while it cannot be parsed */
  constructor(
    readonly source: string,
    private readonly before: OpenProgram | undefined,
    readonly dialect: LanguageDialect,
  ) {
    this.#language = languageOf(dialect);
    const checked = check(source, this.#language);
    this.diagnostics = checked.diagnostics;
    this.#program = checked.program;
  }

  /** Returns the description of the word at an offset, in Markdown. */
  hover(offset: number): { readonly span: Span; readonly text: string } | undefined {
    const token = this.#wordAt(offset);
    if (token === undefined) return undefined;
    const symbol = this.#program?.analysis.at.get(token.start);
    if (symbol !== undefined) return { span: token, text: this.#describe(symbol) };
    const name = this.source.slice(token.start, token.end);
    const about = this.#language.words.methods.get(name);
    if (about === undefined) return undefined;
    const cost = this.#language.methodCosts.get(name);
    const costs = cost === undefined ? "" : `\n\nCosts ${cost}.`;
    return { span: token, text: `**${name}** · ${about}${costs}` };
  }

  definition(offset: number): Span | undefined {
    return this.#symbolAt(offset)?.declaration;
  }

  /** Every place of the name at an offset, its declaration first. */
  places(offset: number): readonly Span[] {
    const symbol = this.#symbolAt(offset);
    return symbol === undefined ? [] : [symbol.declaration, ...symbol.references.map(({ span }) => span)];
  }

  /**
   * Gives a name another one, everywhere.
   *
   * @throws Error when it is no name, or something would mean something else afterwards
   */
  rename(offset: number, name: string): TextChange[] {
    const places = [...this.places(offset)].sort((one, other) => one.start - other.start);
    if (places.length === 0) throw new Error("There is no name here");
    const changes = places.map((span) => ({ span, text: name }));
    const after = new OpenProgram(applyChanges(this.source, changes), undefined, this.dialect);
    if (formOf(after.#program) !== formOf(this.#program))
      throw new Error(`${name} is no name, or is already used for something else`);
    return changes;
  }

  outline(): OutlineEntry[] {
    if (this.#program === undefined) return [];
    const { parsed, analysis } = this.#program;
    const names = analysis.symbols
      .filter(({ origin }) => origin === "new")
      .map(
        ({ name, declaration }): OutlineEntry => ({ name, kind: "name", span: declaration, selection: declaration }),
      );
    const contracts = [...eachProcess(parsed.process)].flatMap((process): OutlineEntry[] => {
      const span = parsed.spanOf(process);
      if (process.kind !== "Contract" || span === undefined) return [];
      const head = this.source.slice(span.start, this.source.indexOf("=", span.start));
      const name = head
        .replace(/^contract\s+/, "")
        .replace(/\s+/g, " ")
        .trim();
      return [
        { name, kind: "contract", span, selection: { start: span.start, end: span.start + head.trimEnd().length } },
      ];
    });
    return [...names, ...contracts].sort((one, other) => one.span.start - other.span.start);
  }

  /** Returns proposals for an offset: methods after a dot, channels after a backtick, otherwise names. */
  proposals(offset: number): Proposal[] {
    const behind = /(\.|`)[\w:]*$/.exec(this.source.slice(Math.max(0, offset - 100), offset))?.[1];
    const { words } = this.#language;
    if (behind === ".") return [...words.methods].map(([label, about]) => ({ label, kind: "method", about }));
    if (behind === "`") return [...words.channels].map(([label, about]) => ({ label, kind: "channel", about }));
    const before = this.before === undefined ? undefined : this.before.#program;
    const symbols = (this.#program ?? before)?.analysis.symbols ?? [];
    const seen = symbols.filter(({ scope }) => scope.start <= offset && offset <= scope.end + 1);
    return [...new Map(seen.map((symbol) => [symbol.name, symbol])).values()].map((symbol) => ({
      label: symbol.name,
      kind: "name",
      about: whatItIs(symbol),
    }));
  }

  /** @throws {InterpreterError} when the text is no program */
  formatted(): string {
    return formatSource(this.source, this.#language);
  }

  #describe(symbol: NameSymbol): string {
    const { line } = this.#program!.parsed.lines.positionAt(symbol.declaration.start);
    const about = symbol.uri === undefined ? undefined : this.#language.words.channels.get(symbol.uri);
    const uses = `${symbol.references.length} ${symbol.references.length === 1 ? "use" : "uses"}`;
    return [`**${symbol.name}** · ${whatItIs(symbol)}, line ${line}, ${uses}`, ...(about ? [about] : [])].join("\n\n");
  }

  #symbolAt(offset: number): NameSymbol | undefined {
    const token = this.#wordAt(offset);
    return token === undefined ? undefined : this.#program?.analysis.at.get(token.start);
  }

  /** The identifier at an offset, or that ends there. */
  #wordAt(offset: number): Span | undefined {
    if (this.#program === undefined) return undefined;
    const { tokens, isF1r3node } = this.#program.parsed;
    // In the newer grammar a token's kind is its text.
    const isWord = (kind: string) => (isF1r3node ? /^[A-Za-z_][\w']*$/.test(kind) : kind === "identifier");
    return tokens.find(({ kind, start, end }) => isWord(kind) && start <= offset && offset <= end);
  }
}

/** A text that nests too deeply for this thread is a remark, too. */
function check(source: string, language: Language): CheckedProgram {
  try {
    return checkProgram(source, language);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const span = { start: 0, end: Math.min(1, source.length) };
    const message = "The program is nested too deeply to be looked at here; vedette lint can";
    return { diagnostics: [{ severity: "warning", rule: "too-deep", message, span }], program: undefined };
  }
}

function applyChanges(source: string, changes: readonly TextChange[]): string {
  let text = "";
  let at = 0;
  for (const { span, text: replacement } of changes) {
    text += source.slice(at, span.start) + replacement;
    at = span.end;
  }
  return text + source.slice(at);
}

/** Which place means which declaration, by the numbers of tokens: what a change of a name must not change. */
function formOf(program: CheckedProgram["program"]): string | undefined {
  if (program === undefined) return undefined;
  const numbers = new Map(program.parsed.tokens.map(({ start }, index) => [start, index]));
  const links = [...program.analysis.at].map(([start, { declaration }]) => [
    numbers.get(start),
    numbers.get(declaration.start),
  ]);
  return JSON.stringify([program.parsed.tokens.length, links.sort(([one], [other]) => one! - other!)]);
}

function whatItIs({ origin, isName, uri }: NameSymbol): string {
  if (uri !== undefined) return `the channel \`${uri}\``;
  const sort = isName ? "name" : "process";
  switch (origin) {
    case "new":
      return "new name";
    case "formal":
      return `${sort} that a contract takes`;
    case "receive":
      return `${sort} that a for takes`;
    case "match":
      return `${sort} that a case binds`;
    case "let":
      return `${sort} that a let binds`;
  }
}
