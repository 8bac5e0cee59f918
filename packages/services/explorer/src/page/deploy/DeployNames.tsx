import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { DeployStatus } from "@vedette/client";
import { useState } from "react";
import { queryIndex } from "../../data/queryIndex.js";
import { useSettings } from "../../data/useSettings.js";
import { Card } from "../../part/Card.js";
import { ContractUri } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { Text } from "../../part/Text.js";
import { printWhole } from "../../text/numbers.js";

/** Names that are shown at first. */
const atOnce = 12;

interface Entries {
  readonly registered_contracts: readonly { readonly uri: string; readonly kind: string }[];
}

const document = `query Entries($deploy: String!, $block: String!) {
  registered_contracts(where: {deploy_id: {_eq: $deploy}, block_hash: {_eq: $block}}, limit: 100) { uri kind }
}`;

/** Reads the entries that a deploy made in the registry; only a node with an index has them. */
function useEntries(deployId: string, blockHash: string): Entries["registered_contracts"] {
  const settings = useSettings();
  const { data } = useQuery({
    queryKey: ["deployEntries", deployId, blockHash],
    queryFn: ({ signal }) => queryIndex<Entries>(document, { deploy: deployId, block: blockHash }, signal),
    enabled: settings?.hasIndex === true,
    retry: false,
    // The index comes a moment after the chain.
    refetchInterval: ({ state }) => (state.data?.registered_contracts.length === 0 ? 5_000 : false),
    staleTime: 30_000,
  });
  return data?.registered_contracts ?? [];
}

/** Shows the public names that a deploy wrote and read, and what it entered into the registry. */
export function DeployNames({ of, blockHash }: { readonly of: DeployStatus; readonly blockHash: string }) {
  const entries = useEntries(of.deploy.deployId, blockHash);
  const [isWhole, setWhole] = useState(false);
  // Older nodes do not report names.
  const all = of.effects?.names ?? [];
  if (entries.length + all.length === 0) return null;
  const names = all.slice(0, isWhole ? undefined : atOnce);
  return (
    <Card title="Names and registry entries">
      <Table head={["Name", { name: "Written", isRight: true }, { name: "Read", isRight: true }]}>
        {entries.map(({ uri, kind }) => (
          <tr key={uri}>
            <td className="whole">
              <ContractUri of={uri} /> <span className="muted">in the registry, {kind}</span>
            </td>
            <Count of={1} />
            <Count of={0} />
          </tr>
        ))}
        {names.map(({ name, writes, reads }) => (
          <tr key={name}>
            <td className="whole">
              <Link className="mono" to="/explorer/state" search={{ by: "name", of: name.slice(1) }}>
                <Text of={name} />
              </Link>
            </td>
            <Count of={writes} />
            <Count of={reads} />
          </tr>
        ))}
      </Table>
      {names.length < all.length && (
        <p className="more">
          <button type="button" className="button small" onClick={() => setWhole(true)}>
            Show all {printWhole(all.length)} names
          </button>
        </p>
      )}
    </Card>
  );
}

function Count({ of }: { readonly of: number }) {
  return <td className="right number">{of === 0 ? <span className="muted">–</span> : printWhole(of)}</td>;
}
