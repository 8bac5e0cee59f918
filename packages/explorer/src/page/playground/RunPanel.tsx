import { useQuery } from "@tanstack/react-query";
import { node } from "../../data/node.js";
import { printTerm, type ToldTerm } from "../../data/stateEntries.js";
import { Asked, Fact, Facts, Notice } from "../../part/Card.js";
import { BlockHash } from "../../part/Hash.js";
import { Text, Value } from "../../part/Text.js";
import { printWhole } from "../../text/numbers.js";

/** A program, and where it is to be run; the same one again is another turn. */
export interface RunRequest {
  readonly source: string;
  readonly block: string;
  readonly turn: number;
}

/** What came of running a program. */
export function RunPanel({ request }: { readonly request: RunRequest | undefined }) {
  const query = useQuery({
    queryKey: ["run", request?.source, request?.block, request?.turn],
    queryFn: ({ signal }) => node.exploreWithin({ term: request!.source, block: request!.block }, { signal }),
    enabled: request !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (request === undefined)
    return (
      <p className="empty">
        Nothing has been run yet. Everything that a program sends on its first name will stand here.
      </p>
    );
  return (
    <div className="outcome">
      <Asked query={query}>
        {({ outcome, results, error, cost, block }) => (
          <>
            {outcome !== "values" && (
              <div className="card-body">
                <Notice tone="bad">
                  <strong>{outcome === "stopped" ? "It was stopped." : "It failed."}</strong>{" "}
                  <Text of={error ?? "Its time or its memory was used up."} />
                </Notice>
              </div>
            )}
            {outcome === "values" && results.length === 0 && (
              <p className="empty">
                It ran, and sent nothing on its first name. A program that is to answer begins with “new return in”.
              </p>
            )}
            <ul className="results" aria-label="Results">
              {(results as readonly ToldTerm[]).map((term, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: results have nothing else
                <li key={index}>
                  <Value text={printTerm(term)} />
                </li>
              ))}
            </ul>
            <Facts>
              <Fact name="Cost">{cost === null ? "–" : <span className="number">{printWhole(cost)} phlo</span>}</Fact>
              <Fact name="On the state after">
                <span className="number">#{printWhole(block.blockNumber)}</span> <BlockHash of={block.blockHash} />
              </Fact>
            </Facts>
          </>
        )}
      </Asked>
    </div>
  );
}
