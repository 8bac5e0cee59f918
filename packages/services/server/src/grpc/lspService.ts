import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { DiagnosticSeverity, Lsp } from "@vedette/api/grpc";
import type { TextPosition } from "./workbench/diagnose.js";
import { type Workbench, WorkbenchError } from "./workbench/Workbench.js";

/** `lsp.Lsp`: reports to editors what is wrong with a program. @spec 50 §3.4 */
export function registerLsp(router: ConnectRouter, workbench: Workbench): void {
  router.service(Lsp, {
    async validate({ text }, { signal }) {
      try {
        const findings = await workbench.diagnose(text, signal);
        const diagnostics = findings.map(({ start, end, message }) => ({
          range: { start: position(start), end: position(end) },
          severity: DiagnosticSeverity.ERROR,
          source: "rholang",
          message,
        }));
        return { result: { case: "success" as const, value: { diagnostics } } };
      } catch (error) {
        if (!(error instanceof WorkbenchError)) throw error;
        if (error.failure.code === "busy") throw new ConnectError(error.message, Code.ResourceExhausted);
        return { result: { case: "error" as const, value: error.message } };
      }
    },
  });
}

function position({ line, column }: TextPosition) {
  return { line: BigInt(line), column: BigInt(column) };
}
