import type { Bind, LetDeclaration, Name, NamePatterns, ParsedSource, Process, Receipt } from "@vedette/rholang";
import { type Operation, operatorChain, rightOf } from "../operatorChain.js";
import { all, type Doc, emptyLine, group, indent, line, sequence, softLine, text } from "./Doc.js";
import { ListLayout } from "./ListLayout.js";

const blank = text(" ");

/** How each construct is laid out. Follows the grammar token by token, so that one it forgets is an error. @spec 20 §3 */
export class Layout extends ListLayout {
  constructor(parsed: ParsedSource) {
    super(parsed);
  }

  program(): Doc {
    const first = this.cursor.comments();
    const process = this.process(this.parsed.process);
    return all(first, process, this.cursor.take("end"));
  }

  /** With what is wrapped around it. */
  process(process: Process): Doc {
    return this.wrapped(process, this.parsed.wrappings.get(process)?.length ?? 0);
  }

  private wrapped(process: Process, count: number): Doc {
    if (count === 0) return this.bare(process);
    const { sign } = this.parsed.wrappings.get(process)![count - 1]!;
    const inner = () => this.wrapped(process, count - 1);
    if (sign === "{") return this.braced(inner);
    const open = this.cursor.take("(");
    const body = all(softLine, inner(), this.cursor.comments());
    return group(all(open, indent(body), softLine, this.cursor.take(")")));
  }

  private bare(process: Process): Doc {
    switch (process.kind) {
      case "Parallel":
        return this.parallel(process.processes);
      case "Binary":
      case "Matches":
      case "Conjunction":
      case "Disjunction":
      case "Method":
        return this.operators(process);
      case "Eval":
        return all(this.cursor.take("*"), this.name(process.name));
      case "Unary":
        return process.operator === "ENeg"
          ? all(this.cursor.take("-"), this.process(process.operand))
          : all(this.cursor.take("not"), blank, this.process(process.operand));
      case "Negation":
        return all(this.cursor.take("~"), this.process(process.operand));
      case "VariableReference":
        return all(this.cursor.take("="), process.isName ? this.cursor.take("*") : all(), this.cursor.take());
      case "Select":
        return this.cursor.takeRaw(this.parsed.spans.get(process)!);
      case "List":
        return this.list(process.elements, "[", "]");
      case "Tuple":
        return this.list(process.elements, "(", ")");
      case "Set":
        return all(this.cursor.take("Set"), this.list(process.elements, "(", ")"));
      case "Map":
        return this.map(process.entries);
      default:
        return this.statement(process);
    }
  }

  private statement(process: Process): Doc {
    switch (process.kind) {
      case "Send":
        return all(this.name(process.channel), this.cursor.take(), this.list(process.data, "(", ")"));
      case "SyncSend":
        return this.syncSend(process);
      case "Receive":
        return this.receive(process.receipts, process.body);
      case "Contract":
        return this.contract(process);
      case "Match":
        return this.match(process);
      case "Bundle":
        return all(
          this.cursor.take(),
          this.tightBraced(() => this.process(process.body)),
        );
      case "Let":
        return this.letIn(process);
      case "New":
        return this.newNames(process);
      case "If":
        return this.conditional(process);
      default:
        return this.cursor.take();
    }
  }

  private parallel(processes: readonly Process[]): Doc {
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
  private operators(outermost: Process): Doc {
    const { first, chain } = operatorChain(outermost, (process) => this.parsed.wrappings.has(process));
    const parts = [this.process(first)];
    const rest: Doc[] = [];
    for (const process of chain) rest.push(this.operation(process));
    parts.push(indent(sequence(rest)));
    return group(sequence(parts));
  }

  private operation(process: Operation): Doc {
    if (process.kind === "Method")
      return all(this.cursor.take("."), this.cursor.take("identifier"), this.list(process.args, "(", ")"));
    return all(blank, this.cursor.take(), line, this.process(rightOf(process)));
  }

  name(name: Name): Doc {
    if (name.kind !== "Quote") return this.cursor.take();
    return all(this.cursor.take("@"), this.process(name.process));
  }

  private syncSend({ channel, data, continuation }: Extract<Process, { kind: "SyncSend" }>): Doc {
    const call = all(this.name(channel), this.cursor.take("!?"), this.list(data, "(", ")"));
    if (this.cursor.kind === ".") return all(call, this.cursor.take("."));
    const sign = this.cursor.take(";");
    const broken = this.cursor.breaksHere();
    return group(all(call, sign, line, this.process(continuation)), broken);
  }

  private receive(receipts: readonly Receipt[], body: Process): Doc {
    const head = all(this.cursor.take("for"), blank, this.cursor.take("("));
    const parts: Doc[] = [softLine];
    for (const [index, { binds }] of receipts.entries()) {
      if (index > 0) parts.push(this.cursor.take(";"), line);
      for (const [at, bind] of binds.entries()) {
        if (at > 0) parts.push(blank, this.cursor.take("&"), line);
        parts.push(this.bind(bind));
      }
    }
    parts.push(this.cursor.comments());
    const round = group(all(head, indent(sequence(parts)), softLine, this.cursor.take(")")));
    return all(
      round,
      blank,
      this.braced(() => this.process(body)),
    );
  }

  private bind({ patterns, source, sourceKind, data }: Bind): Doc {
    const names = this.namePatterns(patterns);
    const space = patterns.names.length === 0 && patterns.remainder === undefined ? all() : blank;
    const from = all(names, space, this.cursor.take(), blank, this.name(source));
    if (sourceKind === "simple") return from;
    const sign = this.cursor.take();
    return sourceKind === "receiveSend" ? all(from, sign) : all(from, sign, this.list(data, "(", ")"));
  }

  private namePatterns({ names, remainder }: NamePatterns): Doc {
    const parts = this.items(names, (name) => this.name(name));
    if (remainder !== undefined) {
      if (names.length > 0) parts.push(line);
      parts.push(this.cursor.take("..."), this.cursor.take("@"), this.cursor.take());
    }
    return sequence(parts);
  }

  private contract({ name, formals, body }: Extract<Process, { kind: "Contract" }>): Doc {
    const head = all(this.cursor.take("contract"), blank, this.name(name), this.cursor.take("("));
    const patterns = all(softLine, this.namePatterns(formals), this.cursor.comments());
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

  private match({ target, cases }: Extract<Process, { kind: "Match" }>): Doc {
    const head = all(this.cursor.take("match"), blank, this.process(target), blank);
    const inner = () => {
      let broken = false;
      const parts = cases.map(({ pattern, body }, index) => {
        broken ||= index > 0 && this.cursor.breaksHere();
        const between = index === 0 ? all() : this.cursor.isBlankHere() ? emptyLine : line;
        const above = this.cursor.comments();
        const left = this.process(pattern);
        return all(between, above, left, blank, this.cursor.take("=>"), blank, this.process(body));
      });
      return group(sequence(parts), broken);
    };
    return all(head, this.braced(inner));
  }

  private letIn({ declarations, body }: Extract<Process, { kind: "Let" }>): Doc {
    const head = all(this.cursor.take("let"), blank);
    const parts = declarations.map((declaration, index) => {
      const sign = index === 0 ? all() : all(this.cursor.kind === "&" ? blank : all(), this.cursor.take(), line);
      return all(sign, this.letDeclaration(declaration));
    });
    const round = group(all(head, indent(sequence(parts)), blank, this.cursor.take("in")));
    return all(
      round,
      blank,
      this.braced(() => this.process(body)),
    );
  }

  private letDeclaration({ patterns, values }: LetDeclaration): Doc {
    const left = this.namePatterns(patterns);
    const sign = this.cursor.take("<-");
    return all(left, blank, sign, blank, sequence(this.items(values, (value) => this.process(value))));
  }

  private newNames({ declarations, body }: Extract<Process, { kind: "New" }>): Doc {
    const parts: Doc[] = [];
    for (const { uri } of declarations) {
      // The word `new` and each comma stand before a name.
      const sign = this.cursor.take();
      const name = this.cursor.take("identifier");
      const given =
        uri === undefined ? name : all(name, this.cursor.take("("), this.cursor.take("uri"), this.cursor.take(")"));
      parts.push(sign, parts.length === 0 ? all(blank, given) : group(all(line, given)));
    }
    return all(indent(indent(sequence(parts))), blank, this.cursor.take("in"), blank, this.process(body));
  }

  /** All branches of a chain are broken, or none. */
  private conditional(outermost: Extract<Process, { kind: "If" }>): Doc {
    const parts: Doc[] = [];
    let broken = false;
    const branch = (process: Process) => {
      const wrappings = this.parsed.wrappings.get(process) ?? [];
      const isBraced = wrappings.at(-1)?.sign === "{";
      if (!isBraced) return this.process(process);
      const enclosed = this.enclosed(line, () => this.wrapped(process, wrappings.length - 1));
      broken ||= enclosed.broken;
      return enclosed.doc;
    };
    for (let next = outermost; ; ) {
      parts.push(this.cursor.take("if"), blank, this.condition(next.condition), blank, branch(next.then));
      const { otherwise } = next;
      // What is left out has no place in the text.
      if (!this.parsed.spans.has(otherwise)) break;
      parts.push(blank, this.cursor.take("else"), blank);
      if (otherwise.kind !== "If" || this.parsed.wrappings.has(otherwise)) {
        parts.push(branch(otherwise));
        break;
      }
      next = otherwise;
    }
    return group(sequence(parts), broken);
  }

  private condition(process: Process): Doc {
    const open = this.cursor.take("(");
    const inner = all(softLine, this.process(process), this.cursor.comments());
    return group(all(open, indent(inner), softLine, this.cursor.take(")")));
  }
}
