import type { DeployBrief, ProcessedDeployInfo } from "@vedette/client";
import { useState } from "react";
import { useDeployBriefs } from "../../data/useDeployBriefs.js";
import { Badge } from "../../part/Badge.js";
import { Account, DeployId } from "../../part/Hash.js";
import { Said } from "../../part/Said.js";
import { Table } from "../../part/Table.js";
import { Text } from "../../part/Text.js";
import { printWhole } from "../../text/numbers.js";

/** A block may have thousands. */
const atOnce = 100;

/** The deploys of a block, with cost and outcome. */
export function DeployTable({ deploys }: { readonly deploys: readonly ProcessedDeployInfo[] }) {
  const [shown, setShown] = useState(atOnce);
  const briefOf = useDeployBriefs(deploys.slice(0, shown).map(({ sig }) => sig));
  if (deploys.length === 0) return <p className="empty">This block has no deploys.</p>;
  return (
    <>
      <Table head={["Deploy", "Deployer", "What it did", { name: "Cost, phlo", isRight: true }, "Outcome"]}>
        {deploys.slice(0, shown).map((deploy) => (
          <tr key={deploy.sig}>
            <td>
              <DeployId of={deploy.sig} />
            </td>
            <td>
              <Account of={deploy.deployer} hasCopy={false} />
            </td>
            <td className="what">
              <What deploy={deploy} facts={briefOf(deploy.sig)?.summary} />
            </td>
            <td className="right number">{printWhole(deploy.cost)}</td>
            <td>{outcome(deploy)}</td>
          </tr>
        ))}
      </Table>
      {shown < deploys.length && (
        <p className="more">
          <button type="button" className="button small" onClick={() => setShown(shown + 10 * atOnce)}>
            Load the rest ({printWhole(deploys.length - shown)} more)
          </button>
        </p>
      )}
    </>
  );
}

interface WhatProps {
  readonly deploy: ProcessedDeployInfo;
  readonly facts: DeployBrief["summary"] | undefined;
}

/** Shows the effects of a deploy; until the node has looked into it, the beginning of its program. */
function What({ deploy, facts }: WhatProps) {
  if (facts) return <Said of={facts} />;
  return (
    <code className="muted">
      <Text of={firstWords(deploy.term)} />
    </code>
  );
}

function outcome({ errored, systemDeployError }: ProcessedDeployInfo) {
  if (systemDeployError !== "") return <Badge tone="bad">Could not pay</Badge>;
  return errored ? <Badge tone="bad">Failed</Badge> : <Badge tone="good">Done</Badge>;
}

/** The beginning of a program on one line. */
function firstWords(term: string): string {
  const line = term
    .slice(0, 400)
    .replaceAll(/\/\/[^\n]*\n/g, " ")
    .replaceAll(/[ \t\r\n]+/g, " ")
    .trim();
  return line.length > 44 ? `${line.slice(0, 44)}…` : line;
}
