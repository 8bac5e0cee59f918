import { useNavigate } from "@tanstack/react-router";
import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { BlockSummary, Finality } from "../../data/BlockSummary.js";
import { shorten } from "../../data/shorten.js";
import { Identicon } from "../../part/Identicon.js";
import { printDeployCount } from "../../text/numbers.js";
import {
  blockAt,
  type Colours,
  type DagScene,
  type DagViewport,
  drawDag,
  heightOf,
  laneHeight,
  lanesOf,
  placeDag,
} from "./drawDag.js";

interface DagCanvasProps {
  readonly blocks: readonly BlockSummary[];
  readonly finalityOf: (block: BlockSummary) => Finality;
}

const scales = { least: 8, most: 120, first: 34 };

/** The drawing, which is moved and zoomed by pointer, wheel and keys. */
export function DagCanvas({ blocks, finalityOf }: DagCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useRef<DagScene>(undefined);
  const drag = useRef<{ readonly x: number; readonly offset: number; moved: boolean }>(undefined);
  const [view, setView] = useState<DagViewport>({ scale: scales.first, offset: 0 });
  const [chosen, setChosen] = useState<BlockSummary>();
  const [width, setWidth] = useState(0);
  const navigate = useNavigate();
  const lanes = lanesOf(blocks);
  const height = heightOf(lanes.length);

  useEffect(() => {
    const element = canvas.current!;
    const seen = new ResizeObserver(() => setWidth(element.clientWidth));
    seen.observe(element);
    return () => seen.disconnect();
  }, []);
  useEffect(() => {
    const element = canvas.current!;
    const context = element.getContext("2d");
    if (context === null || width === 0) return;
    const ratio = devicePixelRatio || 1;
    element.width = width * ratio;
    element.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    scene.current = placeDag(blocks, finalityOf, view, width);
    drawDag(context, scene.current, coloursOf(element), chosen?.hash);
  });
  const zoom = (by: number) => setView(({ scale, offset }) => zoomed(scale, offset, by));
  useEffect(() => {
    const element = canvas.current!;
    const onWheel = (event: WheelEvent) => {
      // A page that scrolls past is not zoomed.
      if (!event.ctrlKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        return setView(({ scale, offset }) => ({ scale, offset: Math.max(0, offset - event.deltaX) }));
      }
      event.preventDefault();
      setView(({ scale, offset }) => zoomed(scale, offset, event.deltaY < 0 ? 1.15 : 1 / 1.15));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
  const at = (event: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return scene.current && blockAt(scene.current, event.clientX - box.left, event.clientY - box.top)?.block;
  };
  const onMove = (event: PointerEvent) => {
    const held = drag.current;
    if (held === undefined) return setChosen(at(event));
    if (Math.abs(event.clientX - held.x) > 4) held.moved = true;
    setView(({ scale }) => ({ scale, offset: Math.max(0, held.offset + event.clientX - held.x) }));
  };
  const onUp = (event: PointerEvent) => {
    const block = at(event);
    if (drag.current?.moved === false && block !== undefined)
      void navigate({ to: "/explorer/block/$hash", params: { hash: block.hash } });
    drag.current = undefined;
  };
  return (
    <>
      <div className="dag">
        <ul className="dag-lanes" style={{ paddingTop: 30 }}>
          {lanes.map((sender) => (
            <li key={sender} style={{ height: laneHeight }}>
              <Identicon of={sender} />
              <code>{shorten(sender, 4, 4)}</code>
            </li>
          ))}
        </ul>
        <canvas
          ref={canvas}
          style={{ height }}
          role="img"
          aria-label={`The blocks from height ${blocks.at(-1)?.number} to ${blocks[0]?.number} and what they build on; the list of blocks has the same in words`}
          onPointerMove={onMove}
          onPointerLeave={() => setChosen(undefined)}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            drag.current = { x: event.clientX, offset: view.offset, moved: false };
          }}
          onPointerUp={onUp}
          onPointerCancel={() => {
            drag.current = undefined;
          }}
        />
      </div>
      <div className="dag-foot">
        <span className="number" role="status">
          {chosen === undefined
            ? `${blocks.length} blocks`
            : `#${chosen.number} ${shorten(chosen.hash)}, ${printDeployCount(chosen.deployCount)}, ${chosen.parents.length} ${chosen.parents.length === 1 ? "parent" : "parents"}`}
        </span>
        <span className="buttons">
          <button type="button" className="button small" onClick={() => zoom(1 / 1.4)}>
            Zoom out
          </button>
          <button type="button" className="button small" onClick={() => zoom(1.4)}>
            Zoom in
          </button>
          <button type="button" className="button small" onClick={() => setView({ scale: scales.first, offset: 0 })}>
            Reset
          </button>
        </span>
      </div>
    </>
  );
}

function zoomed(scale: number, offset: number, by: number): DagViewport {
  const next = Math.min(scales.most, Math.max(scales.least, scale * by));
  return { scale: next, offset: (offset * next) / scale };
}

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    panel: colour("--panel"),
    line: colour("--line-strong"),
    muted: colour("--muted"),
    text: colour("--text"),
    good: colour("--good"),
    goodSoft: colour("--good-soft"),
    accent: colour("--accent"),
    bad: colour("--bad"),
  };
}
