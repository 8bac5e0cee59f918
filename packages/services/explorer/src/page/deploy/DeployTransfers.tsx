import { useQuery } from "@tanstack/react-query";
import { useToken } from "../../data/useToken.js";
import { Badge } from "../../part/Badge.js";
import { Card } from "../../part/Card.js";
import { Account } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { Text } from "../../part/Text.js";
import { printCoins } from "../../text/numbers.js";
import { readTransfers } from "./readTransfers.js";

/** The transfers of a deploy, on nodes that report them. */
export function DeployTransfers({ deployId, blockHash }: { readonly deployId: string; readonly blockHash: string }) {
  const { data: moved = [] } = useQuery({
    queryKey: ["transfers", deployId, blockHash],
    queryFn: ({ signal }) => readTransfers(deployId, blockHash, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const token = useToken();
  if (moved.length === 0) return null;
  return (
    <Card title="Transfers">
      <Table head={["From", "To", { name: `Amount, ${token.symbol}`, isRight: true }, "Outcome"]}>
        {moved.map(({ from, to, amount, failReason }, index) => (
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
              {failReason ? (
                <Badge tone="bad">
                  <Text of={failReason} />
                </Badge>
              ) : (
                <Badge tone="good">Done</Badge>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
