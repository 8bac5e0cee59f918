import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { NetworkDialect } from "@vedette/client";
import { type FormEvent, useState } from "react";
import { exampleOf, maxNameLength, type NameLookup, queryOf, ways } from "../../data/nameQuery.js";
import { node } from "../../data/node.js";
import { readContinuations, readData } from "../../data/stateEntries.js";
import { useDialect } from "../../data/useDialect.js";
import { Card, Empty, PageHead, QueryView } from "../../part/Card.js";
import { BlockHash } from "../../part/Hash.js";
import { Value } from "../../part/Text.js";
import { printWhole } from "../../text/numbers.js";
import { Continuations, Data } from "./Entries.js";
import { EntriesMark } from "./EntriesMark.js";

const route = getRouteApi("/explorer/state");
const first = { by: "uri", at: "finalized" } as const;

/** Shows the data and continuations at any name, after any block. */
export function StatePage() {
  const { by, of, at = first.at } = route.useSearch();
  const dialect = useDialect();
  const given = of ?? (by === undefined ? exampleOf(first.by, dialect) : "");
  return (
    <>
      <PageHead
        title="State"
        about="Data and waiting receives of a name, after any block. Your browser checks the proof, from a block that it trusts."
      />
      <div className="stack">
        <NameForm key={`${by} ${given} ${at}`} by={by ?? first.by} of={given} at={at} dialect={dialect} />
        {of === undefined ? (
          <Card>
            <Empty>Enter a name to look up.</Empty>
          </Card>
        ) : of.length > maxNameLength ? (
          <Card>
            <Empty>
              The name has more than {printWhole(maxNameLength)} characters, which is too long to look up here.
            </Empty>
          </Card>
        ) : (
          <Held way={by ?? first.by} text={of} at={at} />
        )}
      </div>
    </>
  );
}

interface GivenName {
  readonly by: NameLookup;
  readonly of: string;
  readonly at: string;
  readonly dialect: NetworkDialect;
}

function NameForm(given: GivenName) {
  const [by, setBy] = useState<NameLookup>(given.by);
  const [of, setOf] = useState(given.of);
  const [at, setAt] = useState<string>(given.at);
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: "/explorer/state", search: { by, of, at: at.trim() || first.at } });
  };
  return (
    <Card>
      <form className="card-body name-form" onSubmit={submit}>
        <label className="field">
          Lookup type
          <select value={by} onChange={(event) => setBy(event.target.value as NameLookup)}>
            {Object.entries(ways).map(([way, { word }]) => (
              <option key={way} value={way}>
                {word}
              </option>
            ))}
          </select>
        </label>
        <label className="field grow">
          Name
          <input
            value={of}
            maxLength={maxNameLength}
            required
            placeholder={exampleOf(by, given.dialect)}
            spellCheck={false}
            onChange={(event) => setOf(event.target.value)}
          />
        </label>
        <label className="field">
          After block
          <input
            value={at}
            maxLength={64}
            placeholder="finalized, latest, or a hash"
            spellCheck={false}
            onChange={(event) => setAt(event.target.value)}
          />
        </label>
        <button type="submit" className="button primary">
          Look up
        </button>
      </form>
    </Card>
  );
}

function Held({ way, text, at }: { readonly way: NameLookup; readonly text: string; readonly at: string }) {
  const query = useQuery({
    queryKey: ["state", way, text, at],
    queryFn: async ({ signal }) => {
      const asked = { ...queryOf(way, text), bytes: true, proof: true, anchor: "block" } as const;
      const data = await readData(node, at, asked, signal);
      // Both are of one state, whatever comes in between.
      const block = data.block?.blockHash ?? at;
      return { data, continuations: await readContinuations(node, block, asked, signal) };
    },
  });
  if (query.data === undefined)
    return (
      <Card>
        <QueryView query={query}>{() => null}</QueryView>
      </Card>
    );
  const { data, continuations } = query.data;
  const given = { by: way, of: text };
  return (
    <>
      <Card>
        <dl className="facts card-body">
          <div>
            <dt>Name</dt>
            <dd>
              <Value text={data.names[0]?.rholang ?? "(too large to be printed)"} />
            </dd>
          </div>
          <div>
            <dt>After</dt>
            <dd>
              {data.block !== null && (
                <>
                  <span className="number">#{printWhole(data.block.blockNumber)}</span>{" "}
                  <BlockHash of={data.block.blockHash} />
                </>
              )}
            </dd>
          </div>
        </dl>
      </Card>
      <Card
        title={`Data (${data.count})`}
        aside={
          data.block !== null && (
            <EntriesMark kind="data" reported={data} blockHash={data.block.blockHash} given={given} />
          )
        }
      >
        <Data entries={data.entries} count={data.count} />
      </Card>
      <Card
        title={`Waiting receives (${continuations.count})`}
        aside={
          continuations.block !== null && (
            <EntriesMark
              kind="continuations"
              reported={continuations}
              blockHash={continuations.block.blockHash}
              given={given}
            />
          )
        }
      >
        <Continuations entries={continuations.entries} count={continuations.count} />
      </Card>
    </>
  );
}
