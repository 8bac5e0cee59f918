import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { queryIndex } from "../../data/queryIndex.js";
import { Card } from "../../part/Card.js";
import { ContractUri } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { Text } from "../../part/Text.js";
import { printWhole } from "../../text/numbers.js";

/** Names that are shown at first. */
const atOnce = 12;

interface Writes {
  readonly name_writes: readonly { readonly name: string; readonly writes: number }[];
  readonly registered_contracts: readonly { readonly uri: string; readonly kind: string }[];
}

const document = `query Writes($deploy: String!, $block: String!) {
  name_writes(where: {deploy_id: {_eq: $deploy}, block_hash: {_eq: $block}}, order_by: {name: asc}, limit: 100) {
    name writes }
  registered_contracts(where: {deploy_id: {_eq: $deploy}, block_hash: {_eq: $block}}, limit: 100) { uri kind }
}`;

/** Public names that a deploy wrote to, and what it entered into the registry; only a node with an index knows. */
export function DeployWrites({ deployId, blockHash }: { readonly deployId: string; readonly blockHash: string }) {
  const { data } = useQuery({
    queryKey: ["deployWrites", deployId, blockHash],
    queryFn: ({ signal }) => queryIndex<Writes>(document, { deploy: deployId, block: blockHash }, signal),
    retry: false,
    // The index comes a moment after the chain.
    refetchInterval: ({ state }) => (state.data !== undefined && isNothing(state.data) ? 5_000 : false),
    staleTime: 30_000,
  });
  const [isWhole, setWhole] = useState(false);
  if (data === undefined || isNothing(data)) return null;
  const names = data.name_writes.slice(0, isWhole ? undefined : atOnce);
  return (
    <Card title="Names and registry entries">
      <Table head={["Written", { name: "Times", isRight: true }]}>
        {data.registered_contracts.map(({ uri, kind }) => (
          <tr key={uri}>
            <td>
              <ContractUri of={uri} /> <span className="muted">in the registry, {kind}</span>
            </td>
            <td className="right number">1</td>
          </tr>
        ))}
        {names.map(({ name, writes }) => (
          <tr key={name}>
            <td>
              <Link className="mono" to="/explorer/state" search={{ by: "name", of: name.slice(1) }}>
                <Text of={name} />
              </Link>
            </td>
            <td className="right number">{printWhole(writes)}</td>
          </tr>
        ))}
      </Table>
      {names.length < data.name_writes.length && (
        <p className="more">
          <button type="button" className="button small" onClick={() => setWhole(true)}>
            Show all {printWhole(data.name_writes.length)} names
          </button>
        </p>
      )}
    </Card>
  );
}

function isNothing({ name_writes: names, registered_contracts: entries }: Writes): boolean {
  return names.length + entries.length === 0;
}
