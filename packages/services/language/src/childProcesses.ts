import type { AnyBind, AnyName, AnyProcess, AnyReceipt } from "./ProgramSource.js";
import { guardOf, valuesOf } from "./parts.js";

/** Returns every process of a program with the one around it, outer ones first; without native recursion. */
export function* eachProcess(program: AnyProcess): Generator<AnyProcess> {
  const stack = [program];
  for (let process = stack.pop(); process !== undefined; process = stack.pop()) {
    yield process;
    const children = childProcesses(process);
    for (let i = children.length - 1; i >= 0; i -= 1) stack.push(children[i]!);
  }
}

/** The processes directly within a process, those in names and patterns too. */
function childProcesses(process: AnyProcess): readonly AnyProcess[] {
  switch (process.kind) {
    case "Parallel":
      return process.processes;
    case "Eval":
      return inNames([process.name]);
    case "Unary":
    case "Negation":
      return [process.operand];
    case "Binary":
    case "Conjunction":
    case "Disjunction":
      return [process.left, process.right];
    case "Matches":
      return [process.target, process.pattern];
    case "Method":
      return [process.target, ...process.args];
    case "List":
    case "Tuple":
    case "Set":
    case "PathMap":
      return process.elements;
    case "Map":
      return process.entries.flatMap(({ key, value }) => [key, value]);
    default:
      return ofStatement(process);
  }
}

function ofStatement(process: AnyProcess): readonly AnyProcess[] {
  switch (process.kind) {
    case "Send":
      return [...inNames([process.channel]), ...process.data];
    case "SyncSend":
      return [...inNames([process.channel]), ...process.data, ...given(process.continuation)];
    case "Receive": {
      const parts = process.receipts.flatMap((receipt: AnyReceipt) => [
        ...receipt.binds.flatMap(({ patterns, source, data }: AnyBind) => [
          ...inNames([...patterns.names, source]),
          ...data,
        ]),
        ...given(guardOf(receipt)),
      ]);
      return [...parts, process.body];
    }
    case "Contract":
      return [...inNames([process.name, ...process.formals.names]), process.body];
    case "Match":
      return [process.target, ...process.cases.flatMap((one) => [one.pattern, ...given(guardOf(one)), one.body])];
    case "Bundle":
    case "New":
      return [process.body];
    case "Let": {
      const parts = process.declarations.flatMap((one) => [...inNames(one.patterns.names), ...valuesOf(one)]);
      return [...parts, process.body];
    }
    case "If":
      return [process.condition, process.then, ...given(process.otherwise)];
    default:
      return [];
  }
}

function given(process: AnyProcess | undefined): readonly AnyProcess[] {
  return process === undefined ? [] : [process];
}

function inNames(names: readonly AnyName[]): AnyProcess[] {
  return names.flatMap((name) => (name.kind === "Quote" ? [name.process] : []));
}
