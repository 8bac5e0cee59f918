import type { AgentMethod, AgentPart, AgentParts } from "./AgentParts.js";
import type {
  F1r3nodeBind,
  F1r3nodeName,
  F1r3nodeNameDeclaration,
  F1r3nodeNamePatterns,
  F1r3nodeProcess,
  MatchCaseProcess,
} from "./ast.js";
import { type PackedSpan, pointOf } from "./PackedSpan.js";

/**
 * Expands an agent into
 * `for (__r, formals <= name) { new this, private in { … | constructor | __r!(bundle+{*this}) } }`. A receive on
 * `this` looks for the called method; if there are private methods, one on `private` in front of it does so too.
 *
 * Quirk 61 §4: these names are seen by the bodies of the methods.
 */
export function expandAgent(name: F1r3nodeName, parts: AgentParts, span: PackedSpan): F1r3nodeProcess {
  return new AgentExpansion(parts, span).of(name);
}

class AgentExpansion {
  constructor(
    private readonly parts: AgentParts,
    private readonly span: PackedSpan,
  ) {}

  of(name: F1r3nodeName): F1r3nodeProcess {
    const { parts, span } = this;
    const { formals, body } = parts.single("constructor")!;
    const processes: F1r3nodeProcess[] = [];
    if (parts.privateMethods.length > 0 || parts.single("private default") !== undefined)
      processes.push(this.calls("private", parts.privateMethods, parts.single("private default")));
    processes.push(this.calls("this", parts.methods, parts.single("default")), body, this.reply());
    const declarations = ["this", "private"].map((each) => this.declaration(each));
    const inner: F1r3nodeProcess = { kind: "New", declarations, body: { kind: "Parallel", processes, span }, span };
    const patterns = { names: [this.nameOf("__r"), ...formals.names], remainder: formals.remainder };
    return this.receiveAgain(patterns, name, inner);
  }

  /** `for (...@args <= channel) { match args { [*return, "method", formals] => body … _ => default } }` */
  private calls(channel: string, methods: readonly AgentMethod[], otherwise: AgentPart | undefined): F1r3nodeProcess {
    const { span } = this;
    const cases = methods.map(
      (method): MatchCaseProcess => ({
        pattern: this.call(method),
        guard: undefined,
        body: method.body,
      }),
    );
    const body = otherwise?.body ?? { kind: "Nil", span };
    cases.push({ pattern: { kind: "Wildcard", span }, guard: undefined, body });
    const target: F1r3nodeProcess = { kind: "Variable", name: "args", span };
    const patterns = { names: [], remainder: { name: "args", span: pointOf(span) } };
    return this.receiveAgain(patterns, this.nameOf(channel), { kind: "Match", target, cases, span });
  }

  private call({ name, formals }: AgentMethod): F1r3nodeProcess {
    const { span } = this;
    const elements: F1r3nodeProcess[] = [
      { kind: "Eval", name: this.nameOf("return"), span },
      { kind: "String", value: name, span },
      ...formals.names.map((each) => this.asProcess(each)),
    ];
    return { kind: "List", elements, remainder: formals.remainder, span };
  }

  /** Quirk 61 §4: formals of methods are processes, so that a name among them is called as `@k!(…)`. */
  private asProcess(name: F1r3nodeName): F1r3nodeProcess {
    switch (name.kind) {
      case "Quote":
        return name.process;
      case "NameWildcard":
        return { kind: "Wildcard", span: this.span };
      case "NameVariable":
        return { kind: "Variable", name: name.name, span: this.span };
    }
  }

  private reply(): F1r3nodeProcess {
    const { span } = this;
    const self: F1r3nodeProcess = { kind: "Eval", name: this.nameOf("this"), span };
    const bundle: F1r3nodeProcess = { kind: "Bundle", body: self, writeFlag: true, readFlag: false, span };
    return { kind: "Send", channel: this.nameOf("__r"), data: [bundle], persistent: false, span };
  }

  private receiveAgain(patterns: F1r3nodeNamePatterns, source: F1r3nodeName, body: F1r3nodeProcess): F1r3nodeProcess {
    const bind: F1r3nodeBind = { kind: "repeated", patterns, source, sourceKind: "simple", data: [] };
    return { kind: "Receive", receipts: [{ binds: [bind], guard: undefined }], body, span: this.span };
  }

  private nameOf(name: string): F1r3nodeName {
    return { kind: "NameVariable", name, span: pointOf(this.span) };
  }

  private declaration(name: string): F1r3nodeNameDeclaration {
    return { name, uri: undefined, span: pointOf(this.span) };
  }
}
