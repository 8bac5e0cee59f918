import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FullBlock } from "@vedette/client";
import { lazy, Suspense, useMemo, useState } from "react";
import { briefOfBlock } from "../../data/BlockSummary.js";
import { node } from "../../data/node.js";
import { useChain } from "../../data/useChain.js";
import { useFinality } from "../../data/useFinality.js";
import { useHeights } from "../../data/useHeights.js";
import { FinalityBadge } from "../../part/Badge.js";
import { Card, DescriptionList, Fact, Loading, PageHead, QueryView } from "../../part/Card.js";
import { BlockHash, DeployId, Hex, Validator } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { Tabs } from "../../part/Tabs.js";
import { Text } from "../../part/Text.js";
import { Time } from "../../part/Time.js";
import { maxAutomaticDepth, VerifiedMark } from "../../part/VerifiedMark.js";
import { printBytes, printWhole } from "../../text/numbers.js";
import { DagLegend, DagStrip } from "../home/DagStrip.js";
import { BlockDeploys } from "./BlockDeploys.js";
import { BondTable } from "./BondTable.js";
import { useBlock } from "./useBlock.js";

const route = getRouteApi("/explorer/block/$hash");
// The block's decoder is loaded on demand.
const BlockContent = lazy(() => import("./BlockContent.js").then((part) => ({ default: part.BlockContent })));

/** Heights above the block that its picture has. */
const heightsAbove = 9;

/** Shows the block's parents and children. */
function Neighbourhood({ block: { blockInfo } }: { readonly block: FullBlock }) {
  const head = useChain().blocks[0]?.number;
  const number = Number(blockInfo.blockNumber);
  const { blocks } = useHeights(20, Math.min(number + heightsAbove, Math.max(number, head ?? number)));
  if (blocks.length === 0) return null;
  return (
    <Card title="Blocks around it" aside={<DagLegend />}>
      <DagStrip blocks={blocks} chosen={blockInfo.blockHash} />
    </Card>
  );
}

/** One block with its content and status. */
export function BlockPage() {
  const { hash } = route.useParams();
  const query = useBlock(hash);
  const number = query.data?.blockInfo.blockNumber;
  return (
    <>
      <PageHead title={number === undefined ? "Block" : `Block #${printWhole(number)}`}>
        {query.data && <Standing asked={hash} block={query.data} />}
        {number !== undefined && <Neighbours number={Number(number)} />}
      </PageHead>
      {query.data === undefined ? (
        <Card>
          <QueryView query={query}>{() => null}</QueryView>
        </Card>
      ) : (
        <Block key={query.data.blockInfo.blockHash} block={query.data} />
      )}
    </>
  );
}

/** The block's status, and which parts of the page this browser has verified. */
function Standing({ asked, block }: { readonly asked: string; readonly block: FullBlock }) {
  const head = useChain().lastFinalized?.number;
  const brief = briefOfBlock(block.blockInfo);
  const finality = useFinality([brief])(brief);
  const isInvalid = useIsInvalid(brief.hash, finality === "pending");
  // biome-ignore lint/correctness/useExhaustiveDependencies: fault tolerance changes often, what is checked does not
  const of = useMemo(() => ({ asked, block, finality }), [asked, printed(block), finality]);
  return (
    <>
      <FinalityBadge of={isInvalid ? "invalid" : finality} />
      <VerifiedMark
        of={of}
        run={(verifier) => verifier.checkBlock(of)}
        isCostly={head !== undefined && head - brief.number > maxAutomaticDepth}
      />
    </>
  );
}

/** Whether the node has the block, and does not list it among the valid ones. */
function useIsInvalid(hash: string, isPossible: boolean): boolean {
  const { data } = useQuery({
    queryKey: ["isInvalid", hash],
    queryFn: async ({ signal }) =>
      (await node.blocksOfHash(hash, { signal })).every(({ blockHash }) => blockHash !== hash),
    enabled: isPossible,
    refetchInterval: 20_000,
  });
  return isPossible && data === true;
}

function printed({ blockInfo: { faultTolerance, ...info }, deploys }: FullBlock): string {
  return JSON.stringify({ info, deploys }, (_name, value) => (typeof value === "bigint" ? String(value) : value));
}

function Neighbours({ number }: { readonly number: number }) {
  // Heights have no gaps: where there is a higher block there is a next one.
  const hasNext = useChain().blocks.some((block) => block.number > number);
  return (
    <span className="buttons">
      {number > 0 && (
        <Link className="button small" to="/explorer/block/$hash" params={{ hash: String(number - 1) }}>
          ← #{printWhole(number - 1)}
        </Link>
      )}
      {hasNext && (
        <Link className="button small" to="/explorer/block/$hash" params={{ hash: String(number + 1) }}>
          #{printWhole(number + 1)} →
        </Link>
      )}
    </span>
  );
}

function Block({ block }: { readonly block: FullBlock }) {
  const { blockInfo: info } = block;
  return (
    <div className="stack">
      <Card>
        <DescriptionList>
          <Fact name="Hash">
            <BlockHash of={info.blockHash} isWhole />
          </Fact>
          <Fact name="Time">
            <Time at={Number(info.timestamp)} isWhole />
          </Fact>
          <Fact name="Proposer">
            {info.sender === "" ? "none: this is the genesis block" : <Validator of={info.sender} />}
            {info.sender !== "" && <span className="muted"> its block {printWhole(info.seqNum)}</span>}
          </Fact>
          <Fact name={info.parentsHashList.length === 1 ? "Parent" : "Parents"}>
            {info.parentsHashList.length === 0 && "none"}
            <span className="chips">
              {info.parentsHashList.map((parent) => (
                <BlockHash key={parent} of={parent} />
              ))}
            </span>
          </Fact>
          <Fact name="Children">
            <Children block={block} />
          </Fact>
          <Fact name="Fault tolerance">
            <span className="number">{info.faultTolerance.toFixed(3)}</span>{" "}
            <span className="muted">from −1 to 1; finalized above the network's threshold</span>
          </Fact>
          <Fact name="Size">
            {printBytes(Number(info.blockSize))}{" "}
            <span className="muted">version {printWhole(info.version)}, shard</span> <Text of={info.shardId} />
          </Fact>
          <Fact name="Signature">
            {info.sig === "" ? (
              "none"
            ) : (
              <>
                <Hex of={info.sig} what="signature" /> <span className="muted">{info.sigAlgorithm}</span>
              </>
            )}
          </Fact>
          <Fact name="State before">
            <Hex of={info.preStateHash} what="state root" />
          </Fact>
          <Fact name="State after">
            <Hex of={info.postStateHash} what="state root" isWhole />
          </Fact>
        </DescriptionList>
      </Card>
      <Neighbourhood block={block} />
      <Parts block={block} />
    </div>
  );
}

function Children({ block: { blockInfo } }: { readonly block: FullBlock }) {
  const { blocks } = useChain();
  const height = Number(blockInfo.blockNumber);
  const live = blocks.filter(({ number }) => number === height + 1).length;
  const query = useQuery({
    queryKey: ["children", blockInfo.blockHash, live],
    queryFn: ({ signal }) => node.blockSpan(height + 1, height + 3, { signal }),
    placeholderData: (before) => before,
  });
  const children = query.data?.filter(({ parentsHashList }) => parentsHashList.includes(blockInfo.blockHash));
  if (children === undefined) return <span className="muted">…</span>;
  if (children.length === 0) return <>none yet</>;
  return (
    <span className="chips">
      {children.map(({ blockHash }) => (
        <BlockHash key={blockHash} of={blockHash} />
      ))}
    </span>
  );
}

function Parts({ block }: { readonly block: FullBlock }) {
  const { blockInfo: info, deploys } = block;
  const [isContentWanted, wantContent] = useState(false);
  return (
    <Card>
      <Tabs
        label="Parts of the block"
        tabs={[
          { name: "Deploys", count: deploys.length, content: <BlockDeploys block={block} /> },
          { name: "Bonds", count: info.bonds.length, content: <BondTable bonds={info.bonds} /> },
          { name: "Justifications", count: info.justifications.length, content: <Justifications block={block} /> },
          { name: "Rejected", count: info.rejectedDeploys.length, content: <Rejected block={block} /> },
          {
            name: "System deploys, events, bytes",
            onOpen: () => wantContent(true),
            content: isContentWanted && (
              <Suspense fallback={<Loading />}>
                <BlockContent hash={info.blockHash} />
              </Suspense>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Justifications({ block: { blockInfo } }: { readonly block: FullBlock }) {
  if (blockInfo.justifications.length === 0)
    return <p className="empty">No justifications: no validator had proposed a block yet.</p>;
  return (
    <Table head={["Validator", "Latest block that the proposer knew"]}>
      {blockInfo.justifications.map(({ validator, latestBlockHash }) => (
        <tr key={validator + latestBlockHash}>
          <td>
            <Validator of={validator} />
          </td>
          <td>
            <BlockHash of={latestBlockHash} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Rejected({ block: { blockInfo } }: { readonly block: FullBlock }) {
  if (blockInfo.rejectedDeploys.length === 0)
    return <p className="empty">No deploys rejected in merging the parents of this block.</p>;
  return (
    <ul className="rows">
      {blockInfo.rejectedDeploys.map(({ sig }) => (
        <li key={sig}>
          <DeployId of={sig} />
        </li>
      ))}
    </ul>
  );
}
