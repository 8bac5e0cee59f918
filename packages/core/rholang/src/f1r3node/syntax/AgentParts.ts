import type { F1r3nodeNamePatterns, F1r3nodeProcess } from "./ast.js";

/** The parameters of a part of an agent, and its body. */
export interface AgentPart {
  readonly formals: F1r3nodeNamePatterns;
  readonly body: F1r3nodeProcess;
}

/** A method of an agent. */
export interface AgentMethod extends AgentPart {
  readonly name: string;
}

/** Parts of which an agent has one at most. */
export type SingleAgentPart = "constructor" | "default" | "private default";

/** The parts of an agent, in the order of the text. @spec 61 §4 */
export class AgentParts {
  readonly methods: AgentMethod[] = [];
  readonly privateMethods: AgentMethod[] = [];
  private readonly singles = new Map<SingleAgentPart, AgentPart>();

  addMethod(isPrivate: boolean, method: AgentMethod): void {
    (isPrivate ? this.privateMethods : this.methods).push(method);
  }

  /** @returns whether there was none yet */
  addSingle(which: SingleAgentPart, part: AgentPart): boolean {
    if (this.singles.has(which)) return false;
    this.singles.set(which, part);
    return true;
  }

  single(which: SingleAgentPart): AgentPart | undefined {
    return this.singles.get(which);
  }

  /** A part that there must be and is not. */
  missing(): SingleAgentPart | undefined {
    if (!this.singles.has("constructor")) return "constructor";
    if (!this.singles.has("default")) return "default";
    return this.privateMethods.length > 0 && !this.singles.has("private default") ? "private default" : undefined;
  }
}
