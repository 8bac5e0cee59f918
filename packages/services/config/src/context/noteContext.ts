import { ContextError, ContextFile } from "./ContextFile.js";
import type { NodeContext } from "./NodeContext.js";

/**
 * Notes nodes as long as their process runs. That this cannot be done is told, and no reason to end.
 *
 * @param path where contexts are noted; `undefined`: nowhere
 * @returns what takes the note away
 */
export function noteContext(context: NodeContext, path: string | undefined, tell: (text: string) => void): Disposable {
  const nothing = { [Symbol.dispose]: () => undefined };
  if (path === undefined) return nothing;
  const file = new ContextFile(path);
  const hasDone = (act: () => unknown): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      if (!(error instanceof ContextError)) throw error;
      tell(error.message);
      return false;
    }
  };
  if (!hasDone(() => file.note(context))) return nothing;
  return { [Symbol.dispose]: () => void hasDone(() => file.forget(context.name, context.pid)) };
}
