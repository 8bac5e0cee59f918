import { printJson } from "@vedette/api/values";
import {
  type DeployNote,
  DeployNoteCollector,
  DeployTracer,
  ExecutionError,
  type ExploratoryDeploy,
  exploreDeploy,
  type ProgramTrace,
} from "@vedette/execution";
import type { Budget, InterpreterFailure, StopReason } from "@vedette/rholang";
import type { Par } from "@vedette/terms";
import type { StateStore } from "@vedette/tuplespace";
import type { StateForms } from "../dialect/StateForms.js";
import { renderTerm } from "./renderTerm.js";

/** A program to run on a state, and what it may use. Plain values, so that it can cross threads. */
export interface BoundedExploreCall {
  readonly root: Uint8Array;
  readonly source: string;
  readonly deployer: Uint8Array;
  readonly signature: Uint8Array;
  /** Milliseconds. */
  readonly timestamp: bigint;
  readonly phloLimit: bigint;
  readonly timeoutMs: number;
  /** The memory that may be used beside the memory used before. */
  readonly memoryBytes: number;
  readonly withBytes: boolean;
  /** Whether the answer has the program's steps. */
  readonly withTrace: boolean;
}

/** How a program ended; `stopped` when its time or memory was used up, so that its cost is not known. */
type ProgramEnd =
  | { readonly kind: "values"; readonly results: readonly string[]; readonly cost: bigint }
  /** `failure`: the class of the error; absent where the program failed otherwise. */
  | {
      readonly kind: "failed";
      readonly error: string;
      readonly failure: InterpreterFailure["class"] | undefined;
      readonly cost: bigint | undefined;
    }
  | { readonly kind: "stopped"; readonly reason: StopReason };

/** How a program ended, its output, and its steps if they were requested and it was not stopped. */
export type BoundedExploreAnswer =
  | (ProgramEnd & { readonly note: DeployNote; readonly trace: ProgramTrace | undefined })
  | { readonly kind: "noState" };

/** Runs a program within its budget. @spec 50 §1.11 */
export function boundedExplore(
  state: StateStore,
  call: BoundedExploreCall,
  { forms, budget }: { readonly forms: StateForms; readonly budget: Budget },
): BoundedExploreAnswer {
  const notes = new DeployNoteCollector(forms.execution.terms);
  const tracer = call.withTrace ? new DeployTracer(forms.execution) : undefined;
  const form = forms.execution;
  const render = (par: Par) => printJson(renderTerm(par, { forms, withBytes: call.withBytes }));
  const end = run(state, call, { forms, render, watched: { form, budget, output: notes.output, tracer } });
  return { ...end, note: notes.take([]), trace: end.kind === "stopped" ? undefined : tracer?.take() };
}

function run(
  state: StateStore,
  { phloLimit, root, source, deployer, signature, timestamp }: BoundedExploreCall,
  {
    forms,
    render,
    watched,
  }: {
    readonly forms: StateForms;
    readonly render: (par: Par) => string;
    readonly watched: Pick<ExploratoryDeploy, "form" | "budget" | "output" | "tracer">;
  },
): ProgramEnd {
  try {
    const result = exploreDeploy(state, { root, source, deployer, signature, timestamp, phloLimit, ...watched });
    if (result.kind === "failed") {
      const { error, cost } = result;
      return { kind: "failed", error: forms.errorText(error), failure: error.failure.class, cost };
    }
    return {
      kind: "values",
      results: result.pars.map(render),
      cost: result.cost,
    };
  } catch (error) {
    if (!(error instanceof ExecutionError)) throw error;
    if (error.failure.code === "stopped") return { kind: "stopped", reason: error.failure.reason };
    return { kind: "failed", error: error.message, failure: undefined, cost: undefined };
  }
}
