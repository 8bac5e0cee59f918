import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { printTokens } from "@vedette/client";
import { addressOfAccount } from "../../data/addressOfAccount.js";
import { node } from "../../data/node.js";
import { useSettings } from "../../data/useSettings.js";
import { useToken } from "../../data/useToken.js";
import { Card, Empty, Loading, PageHead, QueryView } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { Account } from "../../part/Hash.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { NoIndex } from "../../part/NoIndex.js";
import { ShareBar } from "../../part/ShareBar.js";
import { Table } from "../../part/Table.js";
import { csvOf } from "../../text/csv.js";
import { printCoins, printShare, printWhole } from "../../text/numbers.js";
import { readTopAccounts, type TopAccountRow } from "./readTopAccounts.js";

const atOnce = 50;
/** Accounts of one file. */
const maxInFile = 5_000;

/** The accounts that hold the most, with their share of the supply. */
export function AccountsPage() {
  const settings = useSettings();
  return (
    <>
      <PageHead title="Accounts" about="Largest first: balance, stake, and share of the supply." />
      <Card>
        {settings === undefined && <Loading lines={8} />}
        {settings?.hasIndex === true && <Accounts />}
        {settings?.hasIndex === false && <NoIndex without="An account is found by its address or key in the search." />}
      </Card>
    </>
  );
}

function Accounts() {
  const query = useInfiniteQuery({
    queryKey: ["topAccounts"],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => readTopAccounts(pageParam, atOnce, signal),
    getNextPageParam: ({ rows }, pages) => (rows.length < atOnce ? undefined : pages.length * atOnce),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 15_000),
  });
  const stakes = useStakes();
  const staked = [...stakes.values()].reduce((sum, stake) => sum + stake, 0n);
  const token = useToken();
  const make = async (signal: AbortSignal) => {
    const { rows } = await readTopAccounts(0, maxInFile, signal);
    const cells = rows.map(({ address, balance_dust: balance }) => [
      ...[address, printTokens(BigInt(balance), token.decimals)],
      ...[printTokens(stakes.get(address) ?? 0n, token.decimals), token.symbol],
    ]);
    return csvOf(["address", "balance", "staked", "token"], cells);
  };
  return (
    <QueryView query={query}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows);
        const { count, sum } = pages[0]!;
        if (rows.length === 0) return <Empty>No accounts in the index yet.</Empty>;
        return (
          <>
            <header>
              <h2>
                <span className="number">{printWhole(count)}</span> accounts
              </h2>
              <div className="aside buttons">
                <span className="number">
                  {printCoins(sum + staked, token)} {token.symbol} in all, {printShare(staked, sum + staked)} of it
                  staked
                </span>
                <Download name="accounts.csv" what="the accounts" make={make} />
              </div>
            </header>
            <TopAccounts rows={rows} stakes={stakes} supply={sum + staked} />
            <LoadMoreButton query={query} />
          </>
        );
      }}
    </QueryView>
  );
}

/** Returns the stakes, by the address of the validator. */
function useStakes(): ReadonlyMap<string, bigint> {
  const { data } = useQuery({
    queryKey: ["stakesByAddress"],
    queryFn: ({ signal }) => node.lastFinalizedBlock({ signal }),
    refetchInterval: 15_000,
  });
  const bonds = data?.blockInfo.bonds ?? [];
  return new Map(bonds.map(({ validator, stake }) => [addressOfAccount(validator), stake]));
}

interface TopAccountsProps {
  readonly rows: readonly TopAccountRow[];
  readonly stakes: ReadonlyMap<string, bigint>;
  readonly supply: bigint;
}

function TopAccounts({ rows, stakes, supply }: TopAccountsProps) {
  const token = useToken();
  const right = (name: string) => ({ name, isRight: true });
  return (
    <Table
      head={[
        right("Rank"),
        "Account",
        right(`Balance, ${token.symbol}`),
        right(`Staked, ${token.symbol}`),
        "Share of supply",
        "Last change",
      ]}
    >
      {rows.map(({ address, balance_dust: dust, block_number: number, block_hash: hash }, index) => {
        const [balance, stake] = [BigInt(dust), stakes.get(address) ?? 0n];
        return (
          <tr key={address}>
            <td className="right number">{index + 1}</td>
            <td>
              <Account of={address} />
            </td>
            <td className="right number">{printCoins(balance, token)}</td>
            <td className="right number">{stake === 0n ? "–" : printCoins(stake, token)}</td>
            <td>
              <ShareBar part={balance + stake} all={supply} />
            </td>
            <td className="number">
              <Link to="/explorer/block/$hash" params={{ hash }}>
                #{printWhole(BigInt(number))}
              </Link>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
