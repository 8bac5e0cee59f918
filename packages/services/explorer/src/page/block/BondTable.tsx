import type { FullBlock } from "@vedette/client";
import { useToken } from "../../data/useToken.js";
import { Validator } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { printCoins, printShare } from "../../text/numbers.js";

type Bonds = FullBlock["blockInfo"]["bonds"];

/** Shows the stake of each validator. */
export function BondTable({ bonds }: { readonly bonds: Bonds }) {
  const token = useToken();
  const all = bonds.reduce((sum, { stake }) => sum + stake, 0n);
  const sorted = [...bonds].sort((one, other) => (one.stake < other.stake ? 1 : -1));
  return (
    <Table head={["Validator", { name: `Stake, ${token.symbol}`, isRight: true }, { name: "Share", isRight: true }]}>
      {sorted.map(({ validator, stake }) => (
        <tr key={validator}>
          <td>
            <Validator of={validator} />
          </td>
          <td className="right number">{printCoins(stake, token)}</td>
          <td className="right number">{printShare(stake, all)}</td>
        </tr>
      ))}
    </Table>
  );
}
