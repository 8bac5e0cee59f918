import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useDialect } from "../../data/useDialect.js";
import { useSettings } from "../../data/useSettings.js";
import { Card, PageHead } from "../../part/Card.js";
import { Copy } from "../../part/Hash.js";
import { Questions } from "./ContractMethods.js";
import { contracts, processes } from "./knownUris.js";
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
            Contracts with a URI, and the messages that they receive, read from the state. Genesis registers the first
            ones; deploys register others under <code>rho:id:…</code>. To look up any URI, open{" "}
            <Link to="/explorer/state" search={{ by: "uri" }}>
              State
            </Link>
            .
          </>
        }
      />
      <div className="stack">
        <Card title="Contracts of genesis">
          {contracts[dialect].map(({ uri, about }) => (
            <Contract key={uri} uri={uri} about={about} />
          ))}
        </Card>
        {settings?.hasIndex === true && <RegisteredContracts />}
        <Card title="Processes of the system">
          <ul className="rows">
            {processes.map(({ uri, about }) => (
              <li key={uri}>
                <div className="grow">
                  <span className="hash">
                    <span className="mono">{uri}</span>
                    <Copy text={`\`${uri}\``} what="URI" />
                  </span>
                  <div className="sub">{about}</div>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </>
  );
}

function Contract({ uri, about }: { readonly uri: string; readonly about: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{uri}</code> <span className="muted">{about}</span>
      </summary>
      {isOpen && <Questions uri={uri} />}
    </details>
  );
}
