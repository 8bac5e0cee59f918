import type { Name, Process } from "@vedette/rholang";

/** Every process of a program with what it stands in, outer ones first; without native recursion. */
export function* eachProcess(program: Process): Generator<Process> {
  const stack = [program];
  for (let process = stack.pop(); process !== undefined; process = stack.pop()) {
    yield process;
    const children = childProcesses(process);
    for (let i = children.length - 1; i >= 0; i -= 1) stack.push(children[i]!);
  }
}

/** The processes directly within a process, those in names and patterns too. */
function childProcesses(process: Process): readonly Process[] {
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
      return process.elements;
    case "Map":
      return process.entries.flatMap(({ key, value }) => [key, value]);
    default:
      return ofStatement(process);
  }
}

function ofStatement(process: Process): readonly Process[] {
  switch (process.kind) {
    case "Send":
      return [...inNames([process.channel]), ...process.data];
    case "SyncSend":
      return [...inNames([process.channel]), ...process.data, process.continuation];
    case "Receive": {
      const binds = process.receipts.flatMap((receipt) => receipt.binds);
      const parts = binds.flatMap(({ patterns, source, data }) => [...inNames([...patterns.names, source]), ...data]);
      return [...parts, process.body];
    }
    case "Contract":
      return [...inNames([process.name, ...process.formals.names]), process.body];
    case "Match":
      return [process.target, ...process.cases.flatMap(({ pattern, body }) => [pattern, body])];
    case "Bundle":
    case "New":
      return [process.body];
    case "Let": {
      const parts = process.declarations.flatMap(({ patterns, values }) => [...inNames(patterns.names), ...values]);
      return [...parts, process.body];
    }
    case "If":
      return [process.condition, process.then, process.otherwise];
    default:
      return [];
  }
}

function inNames(names: readonly Name[]): Process[] {
  return names.flatMap((name) => (name.kind === "Quote" ? [name.process] : []));
}
