import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Repl } from "@vedette/api/grpc";
import type { ReplProgram } from "./workbench/EvaluationSpace.js";
import { type Workbench, WorkbenchError } from "./workbench/Workbench.js";

/** `repl.Repl`: runs programs on a space that has nothing to do with the chain. @spec 50 §3.4 */
export function registerRepl(router: ConnectRouter, workbench: Workbench): void {
  const run = async (program: ReplProgram, signal: AbortSignal) => {
    try {
      const { output, printed } = await workbench.run(program, signal);
      // rnode prints to the node's own output; here the client receives it.
      return { output: printed.length === 0 ? output : `${printed.join("\n")}\n${output}` };
    } catch (error) {
      if (!(error instanceof WorkbenchError)) throw error;
      if (error.failure.code === "busy") throw new ConnectError(error.message, Code.ResourceExhausted);
      return { output: `Error: ${error.message}` };
    }
  };
  router.service(Repl, {
    run: ({ line }, { signal }) => run({ source: line, unmatchedSendsOnly: false }, signal),
    eval: ({ program, printUnmatchedSendsOnly: unmatchedSendsOnly }, { signal }) =>
      run({ source: program, unmatchedSendsOnly }, signal),
  });
}
