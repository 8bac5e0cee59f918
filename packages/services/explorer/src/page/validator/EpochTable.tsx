import { Link } from "@tanstack/react-router";
import { printTokens } from "@vedette/client";
import { useToken } from "../../data/useToken.js";
import { Empty } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { Table } from "../../part/Table.js";
import { Time } from "../../part/Time.js";
import { csvOf } from "../../text/csv.js";
import { printCoins, printWhole } from "../../text/numbers.js";
import type { EpochOfValidator } from "./readHistory.js";

interface EpochTableProps {
  readonly epochs: readonly EpochOfValidator[];
  readonly validator: string;
  readonly hasMore: boolean;
}

/** A validator's epochs, the newest first. */
export function EpochTable({ epochs, validator, hasMore }: EpochTableProps) {
  const token = useToken();
  const right = (name: string) => ({ name, isRight: true });
  if (epochs.length === 0) return <Empty>No epochs in the index yet.</Empty>;
  const least = epochs.at(-1)!.number;
  return (
    <>
      <Table
        head={[
          right("Epoch"),
          { name: "Began", isTime: true },
          right(`Stake, ${token.symbol}`),
          right("Proposed"),
          right("Heights without own block"),
          right("Orphaned"),
          right(`Rewards paid, ${token.symbol}`),
        ]}
      >
        {epochs.map((epoch) => (
          <tr key={epoch.number}>
            <td className="right number">
              <Link to="/explorer/epochs" search={{ from: epoch.number }}>
                {printWhole(epoch.number)}
              </Link>
            </td>
            <td>
              <Time at={Date.parse(epoch.began)} />
            </td>
            <td className="right number">{printCoins(epoch.stake, token)}</td>
            <td className="right number">{printWhole(epoch.proposed)}</td>
            <td className="right number">{printWhole(epoch.withoutBlock)}</td>
            <td className="right number">{printWhole(epoch.orphaned)}</td>
            <td className="right number">{printCoins(epoch.paid, token)}</td>
          </tr>
        ))}
      </Table>
      <div className="more">
        <div className="buttons">
          <Download
            name="validator-epochs.csv"
            what="these epochs"
            make={async () => historyCsv(epochs, token.decimals)}
          />
          {hasMore && least > 0 && (
            <Link
              className="button small"
              to="/explorer/validator/$key"
              params={{ key: validator }}
              search={{ from: least - 1 }}
            >
              Older
            </Link>
          )}
        </div>
      </div>
    </>
  );
}

function historyCsv(epochs: readonly EpochOfValidator[], decimals: number): string {
  const head = ["epoch", "began", "stake", "proposed", "heights_without_own_block", "orphaned", "rewards_paid"];
  return csvOf(
    head,
    epochs.map(({ number, began, stake, proposed, withoutBlock, orphaned, paid }) => [
      ...[
        String(number),
        began,
        printTokens(stake, decimals),
        String(proposed),
        String(withoutBlock),
        String(orphaned),
      ],
      printTokens(paid, decimals),
    ]),
  );
}
