import { useQuery } from "@tanstack/react-query";
import { lookupProgram } from "../../data/lookupProgram.js";
import { node } from "../../data/node.js";
import { printTerm, type RenderedTerm } from "../../data/stateEntries.js";
import { useSettings } from "../../data/useSettings.js";

/** The node's answer to a look-up in the registry. */
export interface RegisteredAnswer {
  /** The program that looked it up. */
  readonly source: string;
  readonly blockHash: string;
  /** Rholang texts; `null` for what is too large to be printed. */
  readonly reported: readonly (string | null)[];
  /** Whether it is a name, which contracts have. */
  readonly isName: boolean;
}

/** A name, or one with the number of its version, which it has where it was signed. */
const nameForm = /^(\(-?\d+, )?(bundle[+\-0]? ?\{|Unforgeable\()/;

/** Reads from the node what the registry has at a URI after its last finalized block; validators run no look-up. */
export function useRegistered(uri: string) {
  const isAble = useSettings()?.runsPrograms === true;
  return useQuery({
    queryKey: ["registered", uri],
    enabled: isAble,
    queryFn: async ({ signal }): Promise<RegisteredAnswer> => {
      const source = lookupProgram(uri);
      const { block, results } = await node.exploreWithin({ term: source }, { signal });
      const terms = results as readonly RenderedTerm[];
      const isName = terms.slice(0, 1).some((term) => nameForm.test(printTerm(term)));
      return { source, blockHash: block.blockHash, reported: terms.map(({ rholang }) => rholang), isName };
    },
  });
}
