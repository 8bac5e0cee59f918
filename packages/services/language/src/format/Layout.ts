import { type OperatorProcess, operatorChain, rightOf } from "../operatorChain.js";
import type {
  AnyBind,
  AnyCase,
  AnyDeclaration,
  AnyName,
  AnyPatterns,
  AnyProcess,
  AnyReceipt,
  ProgramSource,
} from "../ProgramSource.js";
import { guardOf, valuesOf } from "../parts.js";
import { all, type Doc, emptyLine, group, indent, line, sequence, softLine, text } from "./Doc.js";
import { ListLayout } from "./ListLayout.js";

const blank = text(" ");
/** The beginnings of a negated number that the newer grammar reads with the minus directly before it. */
const numberStart = /^[.\d]/;

/**
 * How each construct is laid out. Follows the grammar token by token, so that one it forgets is an error.
 *
 * @spec 20 §3, 61 §4
 */
export class Layout extends ListLayout {
  constructor(parsed: ProgramSource) {
    super(parsed);
  }

  program(): Doc {
    const first = this.cursor.comments();
    const process = this.process(this.parsed.process);
    return all(first, process, this.cursor.take("end"));
  }

  /** With what is wrapped around it. */
  process(process: AnyProcess): Doc {
    return this.#wrapped(process, this.parsed.wrappings.get(process)?.length ?? 0);
  }

  #wrapped(process: AnyProcess, count: number): Doc {
    if (count === 0) return this.#bare(process);
    const { sign } = this.parsed.wrappings.get(process)![count - 1]!;
    const inner = () => this.#wrapped(process, count - 1);
    if (sign === "{") return this.braced(inner);
    const open = this.cursor.take("(");
    const body = all(softLine, inner(), this.cursor.comments());
    return group(all(open, indent(body), softLine, this.cursor.take(")")));
  }

  #bare(process: AnyProcess): Doc {
    const asWritten = this.parsed.asWritten(process);
    if (asWritten !== undefined) return this.cursor.takeRaw(asWritten);
    switch (process.kind) {
      case "Parallel":
        return this.#parallel(process.processes);
      case "Binary":
      case "Matches":
      case "Conjunction":
      case "Disjunction":
      case "Method":
        return this.#operators(process);
      case "Eval":
        return all(this.cursor.take("*"), this.name(process.name));
      case "Unary":
        return process.operator === "ENeg"
          ? all(this.cursor.take("-"), this.#gapBeforeNumber(), this.process(process.operand))
          : all(this.cursor.take("not"), blank, this.process(process.operand));
      case "Negation":
        return all(this.cursor.take("~"), this.process(process.operand));
      case "VariableReference":
        // `=*` is one token of the newer grammar, and two of the first.
        return all(this.cursor.take(), this.cursor.kind === "*" ? this.cursor.take() : all(), this.cursor.take());
      case "Unit":
        return all(this.cursor.take("("), this.cursor.take(")"));
      case "List":
        return this.list(process.elements, "[", "]");
      case "Tuple":
        return this.list(process.elements, "(", ")");
      case "Set":
        return all(this.cursor.take("Set"), this.list(process.elements, "(", ")"));
      case "PathMap":
        return this.list(process.elements, "{|", "|}");
      case "Map":
        return this.map(process.entries);
      default:
        return this.#statement(process);
    }
  }

  #statement(process: AnyProcess): Doc {
    switch (process.kind) {
      case "Send":
        return all(this.name(process.channel), this.cursor.take(), this.list(process.data, "(", ")"));
      case "SyncSend":
        return this.#syncSend(process);
      case "Receive":
        return this.#receive(process.receipts, process.body);
      case "Contract":
        return this.#contract(process);
      case "Match":
        return this.#match(process);
      case "Bundle":
        return all(
          this.cursor.take(),
          this.tightBraced(() => this.process(process.body)),
        );
      case "Let":
        return this.#letIn(process);
      case "New":
        return this.#newNames(process);
      case "If":
        return this.#conditional(process);
      default:
        return this.cursor.take();
    }
  }

  #parallel(processes: readonly AnyProcess[]): Doc {
    const parts: Doc[] = [];
    let broken = false;
    for (const [index, process] of processes.entries()) {
      if (index > 0) {
        broken ||= this.cursor.breaksHere();
        parts.push(blank, this.cursor.take("|"));
        broken ||= this.cursor.breaksHere();
        parts.push(this.cursor.isBlankHere() ? emptyLine : line);
      }
      parts.push(this.cursor.comments(), this.process(process));
    }
    return group(sequence(parts), broken);
  }

  /** A chain of operators and methods nests to the left, without end: it is walked, not followed into. */
  #operators(outermost: AnyProcess): Doc {
    const { first, chain } = operatorChain(outermost, (process) => this.parsed.wrappings.has(process));
    const parts = [this.process(first)];
    const rest: Doc[] = [];
    for (const process of chain) rest.push(this.#operation(process));
    parts.push(indent(sequence(rest)));
    return group(sequence(parts));
  }

  #operation(process: OperatorProcess<AnyProcess>): Doc {
    if (process.kind === "Method")
      return all(this.cursor.take("."), this.cursor.take(), this.list(process.args, "(", ")"));
    return all(blank, this.cursor.take(), line, this.process(rightOf(process)));
  }

  name(name: AnyName): Doc {
    // In front of the `=` of a `let` a quoted variable has no sign.
    if (name.kind !== "Quote" || this.cursor.kind !== "@") return this.cursor.take();
    return all(this.cursor.take("@"), this.process(name.process));
  }

  #syncSend({ channel, data, continuation }: Extract<AnyProcess, { kind: "SyncSend" }>): Doc {
    const call = all(this.name(channel), this.#question(data));
    if (this.cursor.kind === "." || continuation === undefined) return all(call, this.cursor.take("."));
    const sign = this.cursor.take(";");
    const broken = this.cursor.breaksHere();
    return group(all(call, sign, line, this.process(continuation)), broken);
  }

  /** `!?(data)`, or `!method(data)`: then the method's name is the first of the data. */
  #question(data: readonly AnyProcess[]): Doc {
    if (this.cursor.kind === "!?") return all(this.cursor.take(), this.list(data, "(", ")"));
    return all(this.cursor.take("!"), this.cursor.take(), this.list(data.slice(1), "(", ")"));
  }

  #receive(receipts: readonly AnyReceipt[], body: AnyProcess): Doc {
    const head = all(this.cursor.take("for"), blank, this.cursor.take("("));
    const parts: Doc[] = [softLine];
    for (const [index, receipt] of receipts.entries()) {
      if (index > 0) parts.push(this.cursor.take(";"), line);
      for (const [at, bind] of receipt.binds.entries()) {
        if (at > 0) parts.push(blank, this.cursor.take("&"), line);
        parts.push(this.#bind(bind));
      }
      parts.push(this.#guard(receipt, line));
    }
    parts.push(this.cursor.comments());
    const round = group(all(head, indent(sequence(parts)), softLine, this.cursor.take(")")));
    return all(
      round,
      blank,
      this.braced(() => this.process(body)),
    );
  }

  /** `where condition`, behind a gap; nothing where there is none. @spec 61 §4 */
  #guard(guarded: AnyReceipt | AnyCase, space: Doc): Doc {
    const guard = guardOf(guarded);
    return guard === undefined ? all() : all(space, this.cursor.take("where"), blank, this.process(guard));
  }

  #bind({ patterns, source, sourceKind, data }: AnyBind): Doc {
    const names = this.#namePatterns(patterns);
    const space = patterns.names.length === 0 && patterns.remainder === undefined ? all() : blank;
    const from = all(names, space, this.cursor.take(), blank, this.name(source));
    if (sourceKind === "simple") return from;
    return all(from, sourceKind === "receiveSend" ? this.cursor.take("?!") : this.#question(data));
  }

  #namePatterns({ names, remainder }: AnyPatterns): Doc {
    const parts = this.items<AnyName>(names, (name) => this.name(name));
    if (remainder !== undefined) {
      if (names.length > 0) parts.push(line);
      parts.push(this.cursor.take("..."), this.cursor.take("@"), this.cursor.take());
    }
    return sequence(parts);
  }

  #contract({ name, formals, body }: Extract<AnyProcess, { kind: "Contract" }>): Doc {
    const head = all(this.cursor.take("contract"), blank, this.name(name), this.cursor.take("("));
    const patterns = all(softLine, this.#namePatterns(formals), this.cursor.comments());
    const round = group(all(head, indent(patterns), softLine, this.cursor.take(")")));
    const sign = this.cursor.take("=");
    return all(
      round,
      blank,
      sign,
      blank,
      this.braced(() => this.process(body)),
    );
  }

  #match({ target, cases }: Extract<AnyProcess, { kind: "Match" }>): Doc {
    const head = all(this.cursor.take("match"), blank, this.process(target), blank);
    const inner = () => {
      let broken = false;
      const parts = cases.map((one, index) => {
        broken ||= index > 0 && this.cursor.breaksHere();
        const between = index === 0 ? all() : this.cursor.isBlankHere() ? emptyLine : line;
        const above = this.cursor.comments();
        const left = all(this.process(one.pattern), this.#guard(one, blank));
        return all(between, above, left, blank, this.cursor.take("=>"), blank, this.process(one.body));
      });
      return group(sequence(parts), broken);
    };
    return all(head, this.braced(inner));
  }

  #letIn({ declarations, body }: Extract<AnyProcess, { kind: "Let" }>): Doc {
    const head = all(this.cursor.take("let"), blank);
    const parts = declarations.map((declaration, index) => {
      const sign = index === 0 ? all() : all(this.cursor.kind === "&" ? blank : all(), this.cursor.take(), line);
      return all(sign, this.#letDeclaration(declaration));
    });
    const round = group(all(head, indent(sequence(parts)), blank, this.cursor.take("in")));
    // Braces belong to it in the first grammar; in the newer one they are the body's.
    return all(round, blank, this.parsed.isF1r3node ? this.process(body) : this.braced(() => this.process(body)));
  }

  #letDeclaration(declaration: AnyDeclaration): Doc {
    const left = this.#namePatterns(declaration.patterns);
    const sign = this.cursor.take();
    const values = this.items(valuesOf(declaration), (value) => this.process(value));
    return all(left, blank, sign, blank, sequence(values));
  }

  #newNames({ declarations, body }: Extract<AnyProcess, { kind: "New" }>): Doc {
    const parts: Doc[] = [];
    for (const { uri } of declarations) {
      // The word `new` and each comma come before a name.
      const sign = this.cursor.take();
      const name = this.cursor.take();
      const given =
        uri === undefined ? name : all(name, this.cursor.take("("), this.cursor.take(), this.cursor.take(")"));
      parts.push(sign, parts.length === 0 ? all(blank, given) : group(all(line, given)));
    }
    if (this.cursor.kind === ",") parts.push(this.cursor.take(), this.cursor.comments());
    return all(indent(indent(sequence(parts))), blank, this.cursor.take("in"), blank, this.process(body));
  }

  /** Without it the two would be one number. @spec 61 §4 */
  #gapBeforeNumber(): Doc {
    return this.parsed.isF1r3node && numberStart.test(this.cursor.kind) ? blank : all();
  }

  /** All branches of a chain are broken, or none. */
  #conditional(outermost: Extract<AnyProcess, { kind: "If" }>): Doc {
    const parts: Doc[] = [];
    let broken = false;
    const branch = (process: AnyProcess) => {
      const wrappings = this.parsed.wrappings.get(process) ?? [];
      const isBraced = wrappings.at(-1)?.sign === "{";
      if (!isBraced) return this.process(process);
      const enclosed = this.enclosed(line, () => this.#wrapped(process, wrappings.length - 1));
      broken ||= enclosed.broken;
      return enclosed.doc;
    };
    for (let next = outermost; ; ) {
      parts.push(this.cursor.take("if"), blank, this.#condition(next.condition), blank, branch(next.then));
      const { otherwise } = next;
      // One that follows belongs to the innermost.
      if (this.cursor.kind !== "else" || otherwise === undefined) break;
      parts.push(blank, this.cursor.take("else"), blank);
      if (otherwise.kind !== "If" || this.parsed.wrappings.has(otherwise)) {
        parts.push(branch(otherwise));
        break;
      }
      next = otherwise;
    }
    return group(sequence(parts), broken);
  }

  #condition(process: AnyProcess): Doc {
    const open = this.cursor.take("(");
    const inner = all(softLine, this.process(process), this.cursor.comments());
    return group(all(open, indent(inner), softLine, this.cursor.take(")")));
  }
}
