import type { RhoExpr } from "@vedette/api/values";
import type { ExecutionDialect } from "@vedette/execution";
import type { BlockCodec } from "@vedette/protocol";
import type { InterpreterError } from "@vedette/rholang";
import type { Par } from "@vedette/terms";
import type { SpaceDialect } from "@vedette/tuplespace";

/** A dialect's codecs of blocks and states, and what runs and renders programs on them. */
export interface StateForms {
  readonly block: BlockCodec;
  readonly space: SpaceDialect;
  readonly execution: ExecutionDialect;
  /** The format name in a proof of a state's content. @spec 30 §10.2, §10.7 */
  readonly proofFormat: string;
  /** Why a program failed, in the words of the network's nodes. @spec 21 §9.2, 61 §6.4 */
  errorText(error: InterpreterError): string;
  /** A process in JSON; `undefined` where nothing of it can be shown. @spec 50 §1.8, §10 */
  shown(par: Par): RhoExpr | undefined;
}
