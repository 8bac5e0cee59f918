import { countWork, type Par, ParBuilder } from "@vedette/terms";
import { type SourcePosition, wordedError } from "../InterpreterError.js";
import type { Name, ParallelProcess, Process } from "../syntax/ast.js";
import type { LineTable } from "../syntax/LineTable.js";
import { normalizeBundle } from "./bundle.js";
import { normalizeList, normalizeMap, normalizeSet, normalizeTuple } from "./collection.js";
import { normalizeConjunction, normalizeDisjunction, normalizeNegation, normalizeSimpleType } from "./connective.js";
import { normalizeContract } from "./contract.js";
import type { FreeMap } from "./FreeMap.js";
import { groundPar, normalizeGround } from "./ground.js";
import { normalizeIf } from "./ifElse.js";
import { normalizeLet } from "./letIn.js";
import { normalizeMatch } from "./match.js";
import { normalizeMethod } from "./method.js";
import type { Normalizer } from "./Normalizer.js";
import { normalizeEval, normalizeName } from "./name.js";
import { normalizeNew } from "./newNames.js";
import { normalizeBinary, normalizeMatches, normalizeUnary } from "./operator.js";
import { normalizeReceive } from "./receive.js";
import { Scope } from "./Scope.js";
import { normalizeSend, normalizeSyncSend } from "./send.js";
import { normalizeVariable, normalizeVariableReference, normalizeWildcard } from "./variable.js";

/**
 * Turns parsed processes into terms: picks the rule of each construct.
 *
 * @spec 20 §6, §7
 * @cost grows with the program; native stack for each level of nesting, not for `|` nor for chains of operators
 */
export class ProgramNormalizer implements Normalizer {
  readonly scope = new Scope();
  private freshNames = 0;

  constructor(
    private readonly lines: LineTable,
    readonly injections: ReadonlyMap<string, Par>,
  ) {}

  process(process: Process, into: ParBuilder, free: FreeMap): void {
    const rule = rules[process.kind] as NormalizingRule<Process>;
    rule(process, into, free, this);
  }

  alone(process: Process, free: FreeMap): Par {
    countWork(processUnits);
    const ground = groundPar(process);
    if (ground !== undefined) return ground;
    const builder = this.builder();
    this.process(process, builder, free);
    return builder.build();
  }

  each(processes: readonly Process[], free: FreeMap): Par[] {
    const pars: Par[] = [];
    for (const process of processes) pars.push(this.alone(process, free));
    return pars;
  }

  eachFromLast(processes: readonly Process[], free: FreeMap): Par[] {
    const pars: Par[] = [];
    for (let i = processes.length - 1; i >= 0; i -= 1) pars.push(this.alone(processes[i]!, free));
    return pars.reverse();
  }

  name(name: Name, free: FreeMap): Par {
    return normalizeName(name, free, this);
  }

  builder(): ParBuilder {
    return new ParBuilder();
  }

  freshName(): string {
    this.freshNames += 1;
    return `\u0000${this.freshNames}`;
  }

  positionAt(offset: number): SourcePosition {
    return this.lines.positionAt(offset);
  }
}

/** Takes as long as this many steps of a match. */
const processUnits = 8;

/** Adds one construct to the parallel parts in `into`. */
type NormalizingRule<Kind extends Process> = (
  process: Kind,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
) => void;

/** The rule of each construct; one that is forgotten does not compile. @spec 20 §7 */
const rules: { readonly [Kind in Process["kind"]]: NormalizingRule<Extract<Process, { kind: Kind }>> } = {
  Nil: () => {},
  Bool: normalizeGround,
  Int: normalizeGround,
  String: normalizeGround,
  Uri: normalizeGround,
  SimpleType: normalizeSimpleType,
  Variable: normalizeVariable,
  Wildcard: normalizeWildcard,
  VariableReference: normalizeVariableReference,
  Parallel: normalizeParallel,
  Eval: normalizeEval,
  Unary: normalizeUnary,
  Binary: normalizeBinary,
  Matches: normalizeMatches,
  Method: normalizeMethod,
  Send: normalizeSend,
  SyncSend: normalizeSyncSend,
  Receive: normalizeReceive,
  Contract: normalizeContract,
  Select: refuseSelect,
  Match: normalizeMatch,
  Bundle: normalizeBundle,
  Let: normalizeLet,
  New: normalizeNew,
  If: normalizeIf,
  Negation: normalizeNegation,
  Conjunction: normalizeConjunction,
  Disjunction: normalizeDisjunction,
  List: normalizeList,
  Tuple: normalizeTuple,
  Set: normalizeSet,
  Map: normalizeMap,
};

/** `P | Q | …`: each adds its parts to the same accumulator. @spec 20 §7.2 */
function normalizeParallel(
  { processes }: ParallelProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  for (const process of processes) normalizer.process(process, into, free);
}

/** `select` is in the grammar, but no program may use it. @spec 20 §4 */
function refuseSelect(): never {
  throw wordedError("UnrecognizedNormalizerError", "Compilation of construct not yet supported.");
}
