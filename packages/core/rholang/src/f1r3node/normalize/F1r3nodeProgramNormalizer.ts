import { countWork, F1r3nodeParBuilder, type Par } from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import { Scope } from "../../normalize/Scope.js";
import type { F1r3nodeName, F1r3nodeProcess } from "../syntax/ast.js";
import type { SpanTable } from "../syntax/SpanTable.js";
import { normalizeBundle } from "./bundle.js";
import { normalizeCollection, normalizeMap } from "./collection.js";
import { normalizeConnective, normalizeNegation, normalizeSimpleType } from "./connective.js";
import { normalizeContract } from "./contract.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";
import { normalizeBool, normalizeInt, normalizeNumber, normalizeString, normalizeUri, refuseUnit } from "./ground.js";
import { normalizeLet } from "./letIn.js";
import { normalizeIf, normalizeMatch } from "./match.js";
import { normalizeMethod } from "./method.js";
import { normalizeName } from "./name.js";
import { normalizeNew } from "./newNames.js";
import { normalizeBinary, normalizeMatches, normalizeUnary } from "./operator.js";
import { normalizeReceive } from "./receive.js";
import { normalizeSend, normalizeSyncSend } from "./send.js";
import { normalizeVariable, normalizeVariableReference, normalizeWildcard } from "./variable.js";

/**
 * Turns parsed processes of f1r3node into terms: picks the rule of each construct.
 *
 * @spec 20 §6, §7, 61 §5
 * @cost grows with the program; native stack for each level of nesting, not for `|` nor for chains of operators
 */
export class F1r3nodeProgramNormalizer implements F1r3nodeNormalizer {
  readonly scope = new Scope();
  private freshNames = 0;

  constructor(
    readonly spans: SpanTable,
    readonly injections: ReadonlyMap<string, Par>,
  ) {}

  process(process: F1r3nodeProcess, into: F1r3nodeParBuilder, free: FreeMap): void {
    const rule = rules[process.kind] as F1r3nodeNormalizingRule<F1r3nodeProcess>;
    rule(process, into, free, this);
  }

  alone(process: F1r3nodeProcess, free: FreeMap): Par {
    countWork(processUnits);
    const builder = this.builder();
    this.process(process, builder, free);
    return builder.build();
  }

  /** Makes the builder that collects the parts of one process. */
  builder(): F1r3nodeParBuilder {
    return new F1r3nodeParBuilder();
  }

  each(processes: readonly F1r3nodeProcess[], free: FreeMap): Par[] {
    const pars: Par[] = [];
    for (const process of processes) pars.push(this.alone(process, free));
    return pars;
  }

  name(name: F1r3nodeName, free: FreeMap): Par {
    return normalizeName(name, free, this);
  }

  under(bound: FreeMap, body: F1r3nodeProcess, free: FreeMap): Par {
    const mark = this.scope.open();
    this.scope.absorb(bound);
    const par = this.alone(body, free);
    this.scope.close(mark);
    return par;
  }

  freshName(): string {
    this.freshNames += 1;
    return `\u0000${this.freshNames}`;
  }
}

/** Takes as long as this many steps of a match. */
const processUnits = 8;

/** Adds one construct to the parallel parts in `into`. */
type F1r3nodeNormalizingRule<Kind extends F1r3nodeProcess> = (
  process: Kind,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
) => void;

/** The rule of each construct; one that is forgotten does not compile. */
const rules: {
  readonly [Kind in F1r3nodeProcess["kind"]]: F1r3nodeNormalizingRule<Extract<F1r3nodeProcess, { kind: Kind }>>;
} = {
  Nil: () => {},
  Unit: refuseUnit,
  Bool: normalizeBool,
  Int: normalizeInt,
  Number: normalizeNumber,
  String: normalizeString,
  Uri: normalizeUri,
  SimpleType: normalizeSimpleType,
  Variable: normalizeVariable,
  Wildcard: normalizeWildcard,
  VariableReference: normalizeVariableReference,
  Parallel: ({ processes }, into, free, normalizer) => {
    for (const process of processes) normalizer.process(process, into, free);
  },
  // Quirk 61 §5: what is evaluated goes behind what was collected, not in front of it.
  Eval: ({ name }, into, free, normalizer) => into.append(normalizer.name(name, free)),
  Unary: normalizeUnary,
  Binary: normalizeBinary,
  Matches: normalizeMatches,
  Method: normalizeMethod,
  Negation: normalizeNegation,
  Conjunction: normalizeConnective,
  Disjunction: normalizeConnective,
  List: normalizeCollection,
  Tuple: normalizeCollection,
  Set: normalizeCollection,
  PathMap: normalizeCollection,
  Map: normalizeMap,
  Send: normalizeSend,
  SyncSend: normalizeSyncSend,
  Receive: normalizeReceive,
  Contract: normalizeContract,
  Match: normalizeMatch,
  Bundle: normalizeBundle,
  Let: normalizeLet,
  New: normalizeNew,
  If: normalizeIf,
};
