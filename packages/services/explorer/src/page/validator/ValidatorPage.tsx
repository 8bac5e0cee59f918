import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { addressOfAccount } from "../../data/addressOfAccount.js";
import { shorten } from "../../data/shorten.js";
import { useChain } from "../../data/useChain.js";
import { useSettings } from "../../data/useSettings.js";
import { useToken } from "../../data/useToken.js";
import { Badge } from "../../part/Badge.js";
import { Card, DescriptionList, Empty, Fact, Loading, PageHead, QueryView } from "../../part/Card.js";
import { Account, BlockHash, BlockHeight, Hex, Validator } from "../../part/Hash.js";
import { Identicon } from "../../part/Identicon.js";
import { NoIndex } from "../../part/NoIndex.js";
import { Table } from "../../part/Table.js";
import { Tabs } from "../../part/Tabs.js";
import { Text } from "../../part/Text.js";
import { printAmount, printCoins, printWhole } from "../../text/numbers.js";
import { EpochTable } from "./EpochTable.js";
import { epochsAtOnce, readHistory, readSlashes, readValidator } from "./readHistory.js";
import { ValidatorBlocks } from "./ValidatorBlocks.js";

const Plot = lazy(() => import("../statistics/Plot.js").then((part) => ({ default: part.Plot })));
const route = getRouteApi("/explorer/validator/$key");

/** Shows the work of one validator: by epochs, block by block, and its slashings. */
export function ValidatorPage() {
  const { key } = route.useParams();
  const settings = useSettings();
  return (
    <>
      <PageHead
        name={`Validator ${shorten(key)}`}
        title={
          <span className="hash">
            <span className="big-face">
              <Identicon of={key} />
            </span>
            Validator
          </span>
        }
      />
      {settings === undefined && <Loading lines={8} />}
      {settings?.hasIndex === false && (
        <Card>
          <NoIndex without="The history of validators comes from it." />
          <p className="card-body">
            <Account of={addressOfAccount(key)} isWhole />
          </p>
        </Card>
      )}
      {settings?.hasIndex === true && <Known key={key} of={key} />}
    </>
  );
}

function Known({ of }: { readonly of: string }) {
  const token = useToken();
  const query = useQuery({
    queryKey: ["validator", of],
    queryFn: ({ signal }) => readValidator(of, signal),
    refetchInterval: 30_000,
  });
  return (
    <QueryView query={query}>
      {(found) =>
        found === null ? (
          <Card>
            <Empty>This key never had a stake.</Empty>
          </Card>
        ) : (
          <div className="stack">
            <Card>
              <DescriptionList>
                <Fact name="Stake">
                  <span className="amount number">{printCoins(found.stake, token)}</span>{" "}
                  <span className="muted">{token.symbol}</span>{" "}
                  {found.stake === 0n && <Badge tone="bad">No stake</Badge>}
                </Fact>
                <Fact name="Bonded">
                  <span className="number">
                    from height {printWhole(found.first)} to {printWhole(found.last)}
                  </span>
                </Fact>
                <Fact name="Public key">
                  <Hex of={of} what="public key" isWhole />
                </Fact>
                <Fact name="Account">
                  <Account of={addressOfAccount(of)} isWhole />
                </Fact>
              </DescriptionList>
            </Card>
            <History of={of} />
          </div>
        )
      }
    </QueryView>
  );
}

function History({ of }: { readonly of: string }) {
  const { from } = route.useSearch();
  const { lastFinalized } = useChain();
  const height = lastFinalized?.number;
  const query = useQuery({
    queryKey: ["validatorHistory", of, from, height === undefined ? undefined : Math.floor(height / 10)],
    queryFn: ({ signal }) => readHistory({ key: of, from, height: height! }, signal),
    enabled: height !== undefined,
    placeholderData: (before) => before,
  });
  const token = useToken();
  return (
    <QueryView query={query}>
      {(epochs) => (
        <>
          {epochs.length > 1 && (
            <Card title="Stake over epochs">
              <Suspense fallback={<Loading />}>
                <Plot
                  name={`Stake, ${token.symbol}`}
                  series={stakeSeries(epochs, token.decimals)}
                  print={printAmount}
                />
              </Suspense>
            </Card>
          )}
          <Card>
            <Tabs
              label="What it did"
              tabs={[
                {
                  name: "Epochs",
                  content: <EpochTable epochs={epochs} validator={of} hasMore={epochs.length === epochsAtOnce} />,
                },
                { name: "Blocks", content: <ValidatorBlocks of={of} /> },
                { name: "Slashes", content: <Slashes of={of} /> },
              ]}
            />
          </Card>
        </>
      )}
    </QueryView>
  );
}

/** The oldest epoch first. */
function stakeSeries(
  epochs: readonly { readonly start: number; readonly stake: bigint }[],
  decimals: number,
): [number[], number[]] {
  const sorted = epochs.toReversed();
  return [sorted.map(({ start }) => start), sorted.map(({ stake }) => Number(stake) / 10 ** decimals)];
}

function Slashes({ of }: { readonly of: string }) {
  const query = useQuery({ queryKey: ["slashes", of], queryFn: ({ signal }) => readSlashes(of, signal) });
  return (
    <QueryView query={query}>
      {(slashes) =>
        slashes.length === 0 ? (
          <Empty>No slashing of this validator.</Empty>
        ) : (
          <Table head={["Block", "Slashed by", "Invalid block", "Outcome"]}>
            {slashes.map(({ blockHash, blockNumber, issuer, invalidHash, error }) => (
              <tr key={blockHash + invalidHash}>
                <td>
                  <BlockHeight hash={blockHash} number={blockNumber} />
                </td>
                <td>
                  <Validator of={issuer} hasCopy={false} />
                </td>
                <td>
                  <BlockHash of={invalidHash} />
                </td>
                <td>{error === null ? <Badge tone="bad">Slashed</Badge> : <Text of={error} />}</td>
              </tr>
            ))}
          </Table>
        )
      }
    </QueryView>
  );
}
