import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { node } from "../../data/node.js";
import { printTerm, type ReportedTerm } from "../../data/stateEntries.js";
import { placeAfter, type RowOfBlock, useIndexList } from "../../data/useIndexList.js";
import { Card, Empty, QueryView } from "../../part/Card.js";
import { Account, Copy, DeployId } from "../../part/Hash.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { Text, Value } from "../../part/Text.js";
import { printWhole } from "../../text/numbers.js";
import { Questions } from "./ContractMethods.js";

interface Registered extends RowOfBlock {
  readonly uri: string;
  readonly kind: string;
  readonly deploy_id: string;
  readonly deployer: string;
  readonly block_hash: string;
}

const route = getRouteApi("/explorer/registry");
const document = `query Registered($from: bigint!, $skip: Int!, $limit: Int!) {
  registered_contracts(where: {block_number: {_lte: $from}, block: {fate: {_neq: "forkedAway"}}},
    order_by: [{block_number: desc}, {uri: asc}], limit: $limit, offset: $skip) {
    uri kind deploy_id deployer block_hash block_number }
}`;

/** What deploys have entered into the registry, the latest first, as the node's index knows it. */
export function RegisteredContracts() {
  const { from } = route.useSearch();
  const query = useIndexList<Registered>({
    ...{ name: "registered", document, from },
    rowsOf: ({ registered_contracts: rows }: { readonly registered_contracts: readonly Registered[] }) => rows,
  });
  return (
    <Card title="Registered by deploys" aside={from !== undefined && <Newest />}>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flat();
          if (rows.length === 0) return <Empty>No deploy has registered anything yet.</Empty>;
          return (
            <>
              <ul className="rows">
                {rows.map((row) => (
                  <Row key={`${row.uri}${row.deploy_id}${row.block_hash}`} of={row} />
                ))}
              </ul>
              <LoadMoreButton query={query}>
                <Link to="/explorer/registry" search={{ from: placeAfter(rows).from ?? 0 }}>
                  Address of what follows
                </Link>
              </LoadMoreButton>
            </>
          );
        }}
      </QueryView>
    </Card>
  );
}

function Newest() {
  return (
    <Link to="/explorer/registry" search={{}}>
      The latest
    </Link>
  );
}

function Row({
  of: { uri, kind, deploy_id: id, deployer, block_hash: hash, block_number: number },
}: {
  of: Registered;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div className="grow">
        <span className="hash">
          <span className="mono">
            <Text of={uri} />
          </span>
          <Copy text={`\`${uri}\``} what="URI" />
        </span>
        <div className="line sub">
          <span className="line">
            by <Account of={deployer} hasCopy={false} />
          </span>
          <span className="line">
            with <DeployId of={id} hasCopy={false} />
          </span>
          <span>
            in{" "}
            <Link to="/explorer/block/$hash" params={{ hash }}>
              #{printWhole(BigInt(number))}
            </Link>
          </span>
          {kind === "signed" && <span>under the deployer’s key</span>}
        </div>
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="muted">What is there</summary>
          {isOpen && <Held uri={uri} />}
        </details>
      </div>
    </li>
  );
}

/** A name, or one with the number of its version, which it has where it was signed. */
const nameForm = /^(\(-?\d+, )?(bundle[+\-0]? ?\{|Unforgeable\()/;

/** What the registry answers now; where that is a name, what it can be asked. */
function Held({ uri }: { readonly uri: string }) {
  const query = useQuery({
    queryKey: ["registered", uri],
    queryFn: ({ signal }) => {
      const term = `new return, lookup(\`rho:registry:lookup\`) in { lookup!(\`${uri}\`, *return) }`;
      return node.exploreWithin({ term }, { signal });
    },
  });
  return (
    <QueryView query={query}>
      {({ results }) => {
        const [value] = (results as readonly ReportedTerm[]).map(printTerm);
        if (value === undefined) return <p className="muted">The registry does not answer.</p>;
        return nameForm.test(value) ? <Questions uri={uri} /> : <Value text={value} />;
      }}
    </QueryView>
  );
}
