import type { DeployStatus } from "@vedette/client";
import { useToken } from "../../data/useToken.js";
import { Badge } from "../../part/Badge.js";
import { Card } from "../../part/Card.js";
import { Account } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { Text } from "../../part/Text.js";
import { printCoins } from "../../text/numbers.js";

/** Shows the transfers of a deploy, also those that contracts made. */
export function DeployTransfers({ of: { effects } }: { readonly of: DeployStatus }) {
  const token = useToken();
  const transfers = effects?.transfers ?? [];
  if (transfers.length === 0) return null;
  return (
    <Card title="Transfers">
      <Table head={["From", "To", { name: `Amount, ${token.symbol}`, isRight: true }, "Outcome"]}>
        {transfers.map(({ from, to, amount, isSuccessful, failReason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same transfer may be made twice
          <tr key={index}>
            <td>
              <Account of={from} />
            </td>
            <td>
              <Account of={to} />
            </td>
            <td className="right number">{printCoins(amount, token)}</td>
            <td>
              {isSuccessful ? (
                <Badge tone="good">Done</Badge>
              ) : (
                <Badge tone="bad">
                  <Text of={failReason ?? "Failed"} />
                </Badge>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
