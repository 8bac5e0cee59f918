import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { queryIndex } from "../../data/queryIndex.js";
import { useChain } from "../../data/useChain.js";
import { useToken } from "../../data/useToken.js";
import { Card, Loading } from "../../part/Card.js";
import { printWhole } from "../../text/numbers.js";
import { type BalanceState, balancesOver } from "./balancesOver.js";

const Plot = lazy(() => import("../statistics/Plot.js").then((part) => ({ default: part.Plot })));

/** States that are drawn: the newest ones. */
const most = 500;
const pauseMs = 15_000;
const document = `query Balances($address: String!, $most: Int!) {
  balance_states(where: {address: {_eq: $address}, block: {fate: {_neq: "forkedAway"}}},
    order_by: {block_number: desc}, limit: $most) { block_number unbonded_balance_dust }
}`;

/** Shows an account's balance after each block that named it; nothing on a node without an index. */
export function BalanceHistory({ address }: { readonly address: string }) {
  const { data } = useQuery({
    queryKey: ["balanceStates", address],
    queryFn: ({ signal }) =>
      queryIndex<{ readonly balance_states: readonly BalanceState[] }>(document, { address, most }, signal),
    retry: false,
    refetchInterval: pauseMs,
  });
  const { symbol, decimals } = useToken();
  const head = useChain().blocks[0]?.number;
  const states = data?.balance_states ?? [];
  if (states.length < 2) return null;
  const about =
    states.length === most ? `the last ${printWhole(most)} changes` : `${printWhole(states.length)} changes`;
  return (
    <Card title="Balance over heights" aside={<span className="muted">{about}</span>}>
      <Suspense fallback={<Loading />}>
        <Plot name={`Balance, ${symbol}`} series={balancesOver(states, decimals, head)} print={printAmount} />
      </Suspense>
    </Card>
  );
}

const printAmount = (coins: number) => coins.toLocaleString("en", { maximumFractionDigits: 4 });
