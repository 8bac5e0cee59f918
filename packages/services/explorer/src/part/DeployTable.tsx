import type { ListedDeploy } from "../data/LiveChain.js";
import { useChain } from "../data/useChain.js";
import { useDeployBriefs } from "../data/useDeployBriefs.js";
import { printWhole } from "../text/numbers.js";
import { DeployStatusBadge } from "./Badge.js";
import { DeployEffects } from "./DeployEffects.js";
import { Account, BlockHeight, DeployId } from "./Hash.js";
import { type ColumnSort, Table } from "./Table.js";
import { Text } from "./Text.js";
import { Time } from "./Time.js";

interface DeployTableProps {
  readonly deploys: readonly ListedDeploy[];
  /** The column that is the same in all rows. */
  readonly without?: "block" | "deployer";
  /** How columns sort the list. */
  readonly sorts?: { readonly block: ColumnSort; readonly cost: ColumnSort };
}

/** Deploys in the width of a page: a line each. */
export function DeployTable({ deploys, without, sorts }: DeployTableProps) {
  const { arrived } = useChain();
  const briefOf = useDeployBriefs(deploys.map(({ id }) => id));
  return (
    <Table
      head={[
        "What it did",
        "Deploy",
        ...(without === "deployer" ? [] : ["Deployer"]),
        ...(without === "block" ? [] : [{ name: "Block", ...sorts?.block }]),
        { name: "Signed", isTime: true },
        { name: "Cost, phlo", isRight: true, ...sorts?.cost },
        "State",
      ]}
    >
      {deploys.map((deploy) => {
        const { id, deployer, blockHash, blockNumber, timestamp, term, cost, errored, fate } = deploy;
        const brief = briefOf(id);
        const signed = timestamp ?? (brief?.timestamp ? Number(brief.timestamp) : undefined);
        return (
          <tr key={id + blockHash} className={arrived.has(id) ? "new" : undefined}>
            <td className="what">
              {term !== undefined && !brief?.summary ? (
                <code className="muted">
                  <Text of={firstWords(term)} />
                </code>
              ) : (
                <DeployEffects of={brief?.summary} hasFailed={errored} />
              )}
            </td>
            <td>
              <DeployId of={id} hasCopy={false} />
            </td>
            {without !== "deployer" && (
              <td>
                <Account of={deployer} hasCopy={false} />
              </td>
            )}
            {without !== "block" && (
              <td>
                <BlockHeight hash={blockHash} number={blockNumber} />
              </td>
            )}
            <td>{signed === undefined ? <span className="muted">…</span> : <Time at={signed} />}</td>
            <td className="right number">{printWhole(cost)}</td>
            <td>
              <DeployStatusBadge of={brief?.status ?? fate ?? (errored ? "failedSoFar" : "included")} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
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
