import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { placeAfter, type RowOfBlock, useIndexList } from "../../data/useIndexList.js";
import { Card, Empty, QueryView } from "../../part/Card.js";
import { Account, BlockHeight, Copy, DeployId } from "../../part/Hash.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { Text } from "../../part/Text.js";
import { RegisteredValue } from "./RegisteredValue.js";

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

/** Shows the entries that deploys made in the registry, the latest first, from the node's index. */
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
                  Link to next page
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
          <Link className="mono" to="/explorer/contract/$uri" params={{ uri }}>
            <Text of={uri} />
          </Link>
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
            in <BlockHeight hash={hash} number={BigInt(number)} />
          </span>
          {kind === "signed" && <span>under the deployer’s key</span>}
        </div>
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="muted">What is there</summary>
          {isOpen && <RegisteredValue uri={uri} />}
        </details>
      </div>
    </li>
  );
}
