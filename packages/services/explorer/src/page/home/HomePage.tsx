import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { SyncProgress } from "@vedette/client";
import { blockTimeOf } from "../../data/BlockSummary.js";
import { node } from "../../data/node.js";
import { useChain } from "../../data/useChain.js";
import { useStatus } from "../../data/useStatus.js";
import { useToken } from "../../data/useToken.js";
import { BlockTable } from "../../part/BlockTable.js";
import { Card, Empty, Loading, Notice } from "../../part/Card.js";
import { DeployTable } from "../../part/DeployTable.js";
import { useTitle } from "../../part/useTitle.js";
import { printCoins, printDuration, printWhole } from "../../text/numbers.js";
import { printMoment } from "../../text/times.js";
import { DagLegend, DagStrip } from "./DagStrip.js";

const shown = 8;

/** The chain at a glance, as it grows. */
export function HomePage() {
  const { blocks, deploys, connection } = useChain();
  useTitle();
  return (
    <div className="stack">
      <h1 className="hidden-label">The chain now</h1>
      <SyncNotice />
      <Tiles />
      <Card title="The newest blocks and what they build on" aside={<DagLegend />}>
        {blocks.length === 0 ? <Loading lines={5} /> : <DagStrip blocks={blocks} />}
      </Card>
      <div className="stack latest">
        <Card title="Latest deploys" aside={<Link to="/explorer/deploys">All deploys</Link>}>
          {deploys.length > 0 && <DeployTable deploys={deploys.slice(0, shown)} />}
          {deploys.length === 0 && (connection === "live" ? <Empty>No recent deploys.</Empty> : <Loading lines={8} />)}
        </Card>
        <Card title="Latest blocks" aside={<Link to="/explorer/blocks">All blocks</Link>}>
          {blocks.length === 0 ? <Loading lines={8} /> : <BlockTable blocks={blocks.slice(0, shown)} />}
        </Card>
      </div>
    </div>
  );
}

function Tiles() {
  const { blocks, lastFinalized } = useChain();
  const { data: status } = useStatus();
  const token = useToken();
  const validators = useQuery({
    queryKey: ["validators", lastFinalized?.hash],
    queryFn: ({ signal }) => node.lastFinalizedBlock({ signal }),
    enabled: lastFinalized !== undefined,
    placeholderData: (before) => before,
  });
  const bonds = validators.data?.blockInfo.bonds.filter(({ stake }) => stake > 0n);
  const staked = bonds?.reduce((sum, { stake }) => sum + stake, 0n);
  const head = blocks[0];
  const blockTime = blockTimeOf(blocks.slice(0, 60));
  const distance = head && lastFinalized ? Math.max(0, head.number - lastFinalized.number) : undefined;
  return (
    <dl className="tiles">
      <Tile
        name="Head"
        note={head ? `${blocks.filter(({ number }) => number === head.number).length} at this height` : ""}
      >
        {head ? (
          <Link to="/explorer/block/$hash" params={{ hash: head.hash }}>
            {printWhole(head.number)}
          </Link>
        ) : (
          "–"
        )}
      </Tile>
      <Tile
        name="Finalized"
        note={distance === 0 ? "the head itself" : distance === undefined ? "" : `${distance} behind the head`}
      >
        {lastFinalized ? (
          <Link to="/explorer/block/$hash" params={{ hash: lastFinalized.hash }}>
            {printWhole(lastFinalized.number)}
          </Link>
        ) : (
          "–"
        )}
      </Tile>
      <Tile name="Block time" note="over the newest heights">
        {blockTime === undefined ? "–" : printDuration(blockTime)}
      </Tile>
      <Tile name="Deploys" note="a minute, lately">
        {rateOf(blocks)}
      </Tile>
      <Tile name="Validators" note={staked === undefined ? "" : `${printCoins(staked, token)} ${token.symbol} staked`}>
        {bonds === undefined ? "–" : printWhole(bonds.length)}
      </Tile>
      <Tile name="Peers" note={status?.syncStatus === undefined ? "" : phases[status.syncStatus.phase]}>
        {status === undefined ? "–" : printWhole(status.peers)}
      </Tile>
    </dl>
  );
}

function Tile({ name, note, children }: { name: string; note: string; children: React.ReactNode }) {
  return (
    <div className="tile">
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd className="note">{note}</dd>
    </div>
  );
}

/** Deploys a minute, over the blocks of the last ten minutes of the chain. */
function rateOf(
  blocks: readonly { readonly timestamp: number; readonly deployCount: number; readonly number: number }[],
): string {
  const newest = blocks[0];
  if (newest === undefined) return "–";
  const recent = blocks.filter(({ timestamp, number }) => number > 0 && newest.timestamp - timestamp <= 600_000);
  const span = newest.timestamp - (recent.at(-1)?.timestamp ?? newest.timestamp);
  if (span <= 0) return "–";
  const rate = (recent.slice(0, -1).reduce((sum, { deployCount }) => sum + deployCount, 0) * 60_000) / span;
  return rate < 10 ? rate.toFixed(1) : printWhole(Math.round(rate));
}

const phases = {
  connecting: "looking for peers",
  importingState: "fetching a state",
  replaying: "catching up",
  following: "following the chain",
  stalled: "stalled",
} as const;

/** How far the node has come, while it is behind. */
function SyncNotice() {
  const { data } = useStatus();
  const sync = data?.syncStatus;
  if (sync === undefined || sync === null || sync.phase === "following") return null;
  if (sync.phase === "connecting" && sync.blockNumber !== null) return null;
  const { done, total, unit, perSecond } = sync.progress;
  return (
    <Notice tone={sync.phase === "stalled" ? "bad" : "wait"}>
      <strong>This node is {phases[sync.phase]}.</strong> {progressText(sync)}
      {total !== null && total > 0 && (
        <div
          className="bar"
          style={{ marginTop: 10 }}
          role="progressbar"
          aria-label="Progress"
          aria-valuenow={done}
          aria-valuemax={total}
        >
          <span style={{ width: `${Math.min(100, (100 * done) / total)}%` }} />
        </div>
      )}
      {perSecond > 0 && (
        <p className="muted number">
          {printWhole(Math.round(perSecond))} {unit === "blocks" ? "blocks" : "entries of the state"} a second
          {sync.secondsLeft !== null &&
            `, some ${printDuration(sync.secondsLeft * 1_000)} left, until ${printMoment(Date.now() + sync.secondsLeft * 1_000)}`}
        </p>
      )}
    </Notice>
  );
}

function progressText({ blockNumber, bestPeerBlockNumber, lastError }: NonNullable<SyncProgress>): string {
  if (lastError !== null) return lastError;
  if (blockNumber === null || bestPeerBlockNumber === null) return "The data below may be old.";
  return `It is at #${printWhole(blockNumber)} of #${printWhole(bestPeerBlockNumber)}; the data below are as old.`;
}
