import { ContextError, ContextFile } from "./ContextFile.js";
import type { NodeContext } from "./NodeContext.js";

/**
 * Lists a context in the file of contexts while its process runs. A failure is reported and the process goes on.
 *
 * @param path where contexts are noted; `undefined`: nowhere
 * @returns removes the context from the file when disposed
 */
export function noteContext(
  context: NodeContext,
  path: string | undefined,
  report: (text: string) => void,
): Disposable {
  const nothing = { [Symbol.dispose]: () => undefined };
  if (path === undefined) return nothing;
  const file = new ContextFile(path);
  const hasDone = (act: () => unknown): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      if (!(error instanceof ContextError)) throw error;
      report(error.message);
      return false;
    }
  };
  if (!hasDone(() => file.note(context))) return nothing;
  return { [Symbol.dispose]: () => void hasDone(() => file.forget(context.name, context.pid)) };
}
