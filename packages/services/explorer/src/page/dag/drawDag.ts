import type { BlockSummary, Finality } from "../../data/BlockSummary.js";

/** The visible part of a drawing that is larger than its frame. */
export interface DagViewport {
  /** Size of a step from height to height, in pixels. */
  readonly scale: number;
  /** The distance of the newest height from the right edge; a greater one shows older heights. */
  readonly offset: number;
}

/** A block where it is drawn, in pixels. */
export interface DrawnBlock {
  readonly block: BlockSummary;
  readonly x: number;
  readonly y: number;
  readonly finality: Finality;
  readonly isEquivocation: boolean;
}

export interface DagScene {
  readonly width: number;
  readonly height: number;
  readonly drawn: readonly DrawnBlock[];
}

export const laneHeight = 54;
const pad = { right: 36, top: 30, bottom: 40 };

/** How tall a drawing has to be for its lanes. */
export function heightOf(lanes: number): number {
  return pad.top + pad.bottom + Math.max(1, lanes) * laneHeight;
}

/** The validators of some blocks, in an order that does not change while they are the same. */
export function lanesOf(blocks: readonly BlockSummary[]): string[] {
  return [...new Set(blocks.map(({ sender }) => sender))].filter((sender) => sender !== "").sort();
}

/** Places blocks: heights from left to right, a lane for each sender. @param blocks the newest first */
export function placeDag(
  blocks: readonly BlockSummary[],
  finalityOf: (block: BlockSummary) => Finality,
  { scale, offset }: DagViewport,
  width: number,
): DagScene {
  const lanes = lanesOf(blocks);
  const head = blocks[0]?.number ?? 0;
  const signed = new Map<string, number>();
  for (const { sender, seqNum } of blocks)
    signed.set(`${sender} ${seqNum}`, (signed.get(`${sender} ${seqNum}`) ?? 0) + 1);
  const drawn = blocks.map((block): DrawnBlock => {
    const lane = block.sender === "" ? (lanes.length - 1) / 2 : lanes.indexOf(block.sender);
    return {
      block,
      x: width - pad.right - (head - block.number) * scale + offset,
      y: pad.top + (Math.max(0, lane) + 0.5) * laneHeight,
      finality: finalityOf(block),
      isEquivocation: block.sender !== "" && signed.get(`${block.sender} ${block.seqNum}`)! > 1,
    };
  });
  return { width, height: heightOf(lanes.length), drawn };
}

/** The block at a point, as near as a finger is. */
export function blockAt({ drawn }: DagScene, x: number, y: number): DrawnBlock | undefined {
  const near = drawn.filter((one) => Math.hypot(one.x - x, one.y - y) < 20);
  return near.sort((one, other) => Math.hypot(one.x - x, one.y - y) - Math.hypot(other.x - x, other.y - y))[0];
}

/** Colours by what they are for, as the page's theme has them. */
export type Colours = Readonly<
  Record<"panel" | "line" | "muted" | "text" | "good" | "goodSoft" | "accent" | "bad", string>
>;

/** Draws a scene. @param chosen a block that is pointed at, by its hash */
export function drawDag(
  context: CanvasRenderingContext2D,
  scene: DagScene,
  colours: Colours,
  chosen: string | undefined,
): void {
  const { width, height, drawn } = scene;
  context.clearRect(0, 0, width, height);
  const byHash = new Map(drawn.map((one) => [one.block.hash, one]));
  for (const one of drawn) drawEdges(context, one, byHash, colours, chosen);
  for (const one of drawn) drawBlock(context, one, colours, one.block.hash === chosen);
  drawHeights(context, scene, colours);
}

function drawEdges(
  context: CanvasRenderingContext2D,
  { block, x, y, finality }: DrawnBlock,
  byHash: ReadonlyMap<string, DrawnBlock>,
  colours: Colours,
  chosen: string | undefined,
): void {
  for (const [index, hash] of block.parents.entries()) {
    const parent = byHash.get(hash);
    if (parent === undefined) continue;
    const isMain = index === 0 && finality === "finalized";
    const bend = (x - parent.x) / 2;
    context.beginPath();
    context.moveTo(x, y);
    context.bezierCurveTo(x - bend, y, parent.x + bend, parent.y, parent.x, parent.y);
    context.lineWidth = isMain ? 2.4 : 1.2;
    context.strokeStyle = block.hash === chosen ? colours.text : isMain ? colours.good : colours.line;
    context.stroke();
  }
}

function drawBlock(context: CanvasRenderingContext2D, one: DrawnBlock, colours: Colours, isChosen: boolean): void {
  const { x, y, finality, block, isEquivocation } = one;
  const size = isChosen ? 11 : 9;
  context.beginPath();
  context.roundRect(x - size, y - size, 2 * size, 2 * size, 6);
  context.fillStyle = finality === "finalized" ? colours.goodSoft : colours.panel;
  context.fill();
  context.lineWidth = isChosen ? 3 : 2;
  context.setLineDash(finality === "forkedAway" ? [3, 2] : []);
  context.strokeStyle =
    finality === "finalized" ? colours.good : finality === "forkedAway" ? colours.bad : colours.accent;
  context.stroke();
  context.setLineDash([]);
  if (block.deployCount > 0) {
    context.beginPath();
    context.arc(x, y, Math.min(5, 2.4 + Math.log2(block.deployCount)), 0, 7);
    context.fillStyle = context.strokeStyle;
    context.fill();
  }
  if (!isEquivocation) return;
  context.beginPath();
  context.arc(x, y, size + 6, 0, 7);
  context.strokeStyle = colours.bad;
  context.stroke();
}

const minLabelGap = 56;

function drawHeights(context: CanvasRenderingContext2D, { drawn, height, width }: DagScene, colours: Colours): void {
  context.fillStyle = colours.muted;
  context.font = "500 11px Inter, system-ui, sans-serif";
  context.textAlign = "center";
  let last = Number.POSITIVE_INFINITY;
  for (const { x, block } of drawn) {
    if (x < 0 || x > width || last - x < minLabelGap) continue;
    context.fillText(String(block.number), x, height - 14);
    last = x;
  }
}
