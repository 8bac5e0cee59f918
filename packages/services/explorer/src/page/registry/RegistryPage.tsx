import { Link } from "@tanstack/react-router";
import { contracts, type KnownUri, processes } from "../../data/knownUris.js";
import { useDialect } from "../../data/useDialect.js";
import { useSettings } from "../../data/useSettings.js";
import { Card, PageHead } from "../../part/Card.js";
import { ContractUri } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { RegisteredContracts } from "./Registered.js";

/** Shows the URIs that can be called: contracts of genesis, and processes of the system. */
export function RegistryPage() {
  const settings = useSettings();
  const dialect = useDialect();
  return (
    <>
      <PageHead
        title="Contracts"
        about={
          <>
            Contracts with a URI. Genesis registers the first ones; deploys register others under <code>rho:id:…</code>.
            The page of each shows its methods and its calls. To look up any URI, open{" "}
            <Link to="/explorer/state" search={{ by: "uri" }}>
              State
            </Link>
            .
          </>
        }
      />
      <div className="stack">
        {settings?.hasIndex === true && <RegisteredContracts />}
        <Card title="Contracts of genesis">
          <Known of={contracts[dialect]} />
        </Card>
        <Card title="Processes of the system">
          <Known of={processes} />
        </Card>
      </div>
    </>
  );
}

function Known({ of }: { readonly of: readonly KnownUri[] }) {
  return (
    <Table head={["URI", "What it does"]}>
      {of.map(({ uri, about }) => (
        <tr key={uri}>
          <td className="whole">
            <ContractUri of={uri} />
          </td>
          <td className="prose">{about}</td>
        </tr>
      ))}
    </Table>
  );
}
