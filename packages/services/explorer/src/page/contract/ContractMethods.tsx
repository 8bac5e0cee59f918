import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queryOf } from "../../data/nameQuery.js";
import { node } from "../../data/node.js";
import { readContinuations, readData } from "../../data/stateEntries.js";
import { QueryView } from "../../part/Card.js";
import { printWhole } from "../../text/numbers.js";
import { Data, signatureOf } from "../state/Entries.js";
import { EntriesMark } from "../state/EntriesMark.js";

/** Shows the methods of a contract, the data at its name, and the place of its programs. */
export function ContractMethods({ uri }: { readonly uri: string }) {
  const query = useQuery({
    queryKey: ["contract", uri],
    queryFn: async ({ signal }) => {
      const asked = { ...queryOf("uri", uri), bytes: true, proof: true, anchor: "block" } as const;
      const methods = await readContinuations(node, "finalized", asked, signal);
      // Both are of one state, whatever comes in between.
      const blockHash = methods.block?.blockHash ?? "finalized";
      return { methods, blockHash, data: await readData(node, blockHash, queryOf("uri", uri), signal) };
    },
  });
  return (
    <QueryView query={query}>
      {({ methods, data, blockHash }) => (
        <>
          <div className="card-body">
            {methods.count === 0 && <p className="muted">No waiting continuations.</p>}
            <ul className="signatures">
              {methods.entries.map((entry) => (
                <li key={JSON.stringify(entry.binds)}>
                  <code>{signatureOf(entry)}</code>
                </li>
              ))}
            </ul>
            <span className="words">
              <Link to="/explorer/state" search={{ by: "uri", of: uri }}>
                Programs and proof
              </Link>
              <EntriesMark
                kind="continuations"
                reported={methods}
                blockHash={blockHash}
                given={{ by: "uri", of: uri }}
              />
            </span>
          </div>
          {data.count > 0 && (
            <>
              <h3 className="card-body">Data at its name ({printWhole(data.count)})</h3>
              <Data entries={data.entries} count={data.count} />
            </>
          )}
        </>
      )}
    </QueryView>
  );
}
