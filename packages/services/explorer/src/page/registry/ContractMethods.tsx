import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { node } from "../../data/node.js";
import { readContinuations } from "../../data/stateEntries.js";
import { QueryView } from "../../part/Card.js";
import { signatureOf } from "../state/Entries.js";

/** Shows the methods of a contract, and the place of its programs. */
export function Questions({ uri }: { readonly uri: string }) {
  const query = useQuery({
    queryKey: ["registry", uri],
    queryFn: ({ signal }) => readContinuations(node, "finalized", { uri: [uri] }, signal),
  });
  return (
    <QueryView query={query}>
      {({ entries, count }) => (
        <div className="card-body">
          {count === 0 && <p className="muted">No waiting continuations.</p>}
          <ul className="signatures">
            {entries.map((entry) => (
              <li key={JSON.stringify(entry.binds)}>
                <code>{signatureOf(entry)}</code>
              </li>
            ))}
          </ul>
          <Link to="/explorer/state" search={{ by: "uri", of: uri }}>
            Programs and proof
          </Link>
        </div>
      )}
    </QueryView>
  );
}
