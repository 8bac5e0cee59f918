import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, type LinkProps } from "@tanstack/react-router";
import { printTokens } from "@vedette/client";
import { node } from "../../data/node.js";
import { useChain } from "../../data/useChain.js";
import { useHeights } from "../../data/useHeights.js";
import { useSettings } from "../../data/useSettings.js";
import { useToken } from "../../data/useToken.js";
import { Badge } from "../../part/Badge.js";
import { Card, DescriptionList, Empty, Fact, PageHead, QueryView } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { Validator } from "../../part/Hash.js";
import { ShareBar } from "../../part/ShareBar.js";
import { type ColumnHead, columnSort, Table } from "../../part/Table.js";
import { Time } from "../../part/Time.js";
import { csvOf } from "../../text/csv.js";
import { printCoins, printWhole } from "../../text/numbers.js";
import { heightsBetween, readValidators, type SpanName, spanNames, timesOf } from "./readValidators.js";
import { sortedBy, type ValidatorOrder } from "./sortedBy.js";
import { type ValidatorActivity, validatorActivity } from "./validatorActivity.js";

const heights = 100;
const route = getRouteApi("/explorer/validators");

/** Shows the validators, and how well they work. */
export function ValidatorsPage() {
  const { over } = route.useSearch();
  const settings = useSettings();
  return (
    <>
      <PageHead
        title="Validators"
        about="Stake and work of each validator. Validators take turns: at most heights another validator proposes."
      >
        {settings?.hasIndex === true && (
          <Link className="button small" to="/explorer/epochs">
            Epochs
          </Link>
        )}
      </PageHead>
      <div className="stack">
        <FaultTolerance />
        <Card>
          <header>
            <h2>{over === undefined ? `The newest ${heights} heights` : titleOf(over)}</h2>
            {settings?.hasIndex === true && <Spans chosen={over} />}
          </header>
          {over === undefined ? <Newest /> : <Counted over={over} />}
        </Card>
      </div>
    </>
  );
}

const titleOf = (span: SpanName) => `${spanNames[span][0]!.toUpperCase()}${spanNames[span].slice(1)}`;

function Spans({ chosen }: { readonly chosen: SpanName | undefined }) {
  const { sort } = route.useSearch();
  const by = sort === undefined ? {} : { sort };
  return (
    <nav className="aside buttons" aria-label="Counted over">
      <SpanLink isChosen={chosen === undefined} to={{ to: "/explorer/validators", search: by }}>
        {`${heights} heights`}
      </SpanLink>
      {(Object.keys(spanNames) as SpanName[]).map((over) => (
        <SpanLink key={over} isChosen={chosen === over} to={{ to: "/explorer/validators", search: { over, ...by } }}>
          {spanNames[over]}
        </SpanLink>
      ))}
    </nav>
  );
}

interface SpanLinkProps {
  readonly to: LinkProps;
  readonly isChosen: boolean;
  readonly children: string;
}

function SpanLink({ to, isChosen, children }: SpanLinkProps) {
  return (
    <Link {...to} className={isChosen ? "button small primary" : "button small"}>
      {children}
    </Link>
  );
}

function useLastFinalized() {
  const { lastFinalized } = useChain();
  return useQuery({
    queryKey: ["validators", lastFinalized?.hash],
    queryFn: ({ signal }) => node.lastFinalizedBlock({ signal }),
    placeholderData: (before) => before,
  });
}

function FaultTolerance() {
  return (
    <Card>
      <QueryView query={useLastFinalized()}>
        {({ blockInfo: { blockNumber, faultTolerance } }) => (
          <DescriptionList>
            <Fact name="Fault tolerance">
              <span className="number">{faultTolerance.toFixed(3)}</span>{" "}
              <span className="muted">
                of the last finalized block, #{printWhole(blockNumber)}; −1 to 1, finalized above the network’s
                threshold
              </span>
            </Fact>
          </DescriptionList>
        )}
      </QueryView>
    </Card>
  );
}

/** Without an index: shows the facts from the newest blocks. */
function Newest() {
  const query = useLastFinalized();
  const { blocks } = useHeights(heights);
  return (
    <QueryView query={query}>
      {({ blockInfo: { bonds } }) => <Activities of={validatorActivity(bonds, blocks)} name="newest" />}
    </QueryView>
  );
}

function Counted({ over }: { readonly over: SpanName }) {
  const query = useQuery({
    queryKey: ["validatorsOver", over],
    queryFn: async ({ signal }) => {
      const { from, to } = timesOf(over, new Date());
      const found = await heightsBetween(from, to, signal);
      return found === undefined ? undefined : { found, activities: await readValidators(found, signal) };
    },
    // No block is an answer, and queries have to answer something.
    select: (answer) => answer ?? null,
    refetchInterval: 30_000,
  });
  return (
    <QueryView query={query}>
      {(answer) =>
        answer === null ? (
          <Empty>No blocks in that time.</Empty>
        ) : (
          <>
            <p className="card-body muted">
              Heights {printWhole(answer.found.low)} to {printWhole(answer.found.high)}
            </p>
            <Activities of={answer.activities} name={over} />
          </>
        )
      }
    </QueryView>
  );
}

function Activities({ of, name }: { readonly of: readonly ValidatorActivity[]; readonly name: string }) {
  const search = route.useSearch();
  const token = useToken();
  const all = of.reduce((sum, { stake }) => sum + stake, 0n);
  const rows = sortedBy(of, search.sort ?? "stake");
  const column = (name: string, by: ValidatorOrder): ColumnHead => {
    return { name, isRight: true, ...columnSort("/explorer/validators", search, [by === "stake" ? undefined : by]) };
  };
  const hasOrphaned = of.some(({ orphaned }) => orphaned !== undefined);
  return (
    <>
      <Table
        head={[
          "Validator",
          column(`Stake, ${token.symbol}`, "stake"),
          "Share",
          column("Proposed", "proposed"),
          column("Heights without own block", "withoutBlock"),
          ...(hasOrphaned ? [column("Orphaned", "orphaned")] : []),
          "Last block",
        ]}
      >
        {rows.map((activity) => (
          <Row key={activity.validator} of={activity} all={all} hasOrphaned={hasOrphaned} />
        ))}
      </Table>
      <div className="more buttons">
        <Download
          name={`validators-${name}.csv`}
          what="the validators"
          make={async () => validatorsCsv(rows, token.decimals)}
        />
      </div>
    </>
  );
}

function validatorsCsv(rows: readonly ValidatorActivity[], decimals: number): string {
  const head = [
    "validator",
    "stake",
    "proposed",
    "heights_without_own_block",
    "orphaned",
    "last_block",
    "last_block_time",
  ];
  return csvOf(
    head,
    rows.map(({ validator, stake, proposed, withoutBlock, orphaned, latest }) => [
      ...[validator, printTokens(stake, decimals), String(proposed), String(withoutBlock), String(orphaned ?? "")],
      ...(latest === undefined ? ["", ""] : [String(latest.number), new Date(latest.timestamp).toISOString()]),
    ]),
  );
}

interface RowProps {
  readonly of: ValidatorActivity;
  readonly all: bigint;
  readonly hasOrphaned: boolean;
}

function Row({ of, all, hasOrphaned }: RowProps) {
  const { validator, stake, proposed, withoutBlock, orphaned, latest, hasEquivocated } = of;
  const token = useToken();
  return (
    <tr>
      <td>
        <span className="hash">
          <Validator of={validator} />
          {stake === 0n && <Badge tone="bad">No stake</Badge>}
          {hasEquivocated && <Badge tone="bad">Equivocated</Badge>}
        </span>
      </td>
      <td className="right number">{printCoins(stake, token)}</td>
      <td>
        <ShareBar part={stake} all={all} />
      </td>
      <td className="right number">{printWhole(proposed)}</td>
      <td className="right number">{printWhole(withoutBlock)}</td>
      {hasOrphaned && <td className="right number">{printWhole(orphaned ?? 0)}</td>}
      <td>
        {latest === undefined ? (
          <span className="muted">none lately</span>
        ) : (
          <>
            <Link className="number" to="/explorer/block/$hash" params={{ hash: latest.hash }}>
              #{printWhole(latest.number)}
            </Link>{" "}
            <span className="muted">
              <Time at={latest.timestamp} />
            </span>
          </>
        )}
      </td>
    </tr>
  );
}
