import { asiToken, type NativeToken } from "@vedette/client";
import type { DialectName } from "@vedette/config";
import type { TermCodec } from "@vedette/terms";

/** The differences between dialects for commands that use a node. */
interface CommandDialect {
  /** The token of all networks of the dialect; `undefined`: each network has its own. */
  readonly token: NativeToken | undefined;
  /** Loads the codec of terms in the answers of nodes; `undefined`: the usual one. */
  readonly loadTerms: () => Promise<TermCodec | undefined>;
}

export const networkDialects: Readonly<Record<DialectName, CommandDialect>> = {
  rnode: { token: asiToken, loadTerms: async () => undefined },
  f1r3node: {
    token: undefined,
    loadTerms: async () => (await import("./f1r3nodeAnswerTerms.js")).f1r3nodeTerms,
  },
};
