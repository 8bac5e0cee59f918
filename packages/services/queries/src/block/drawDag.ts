import type { BlockMetadata } from "@vedette/chain";
import { compareBytes } from "@vedette/crypto";
import { shortHash } from "@vedette/protocol";

/** The content of a drawing, and its options. */
export interface DagDrawing {
  /** In ascending order of height. */
  readonly blocks: readonly BlockMetadata[];
  readonly lastFinalized: Uint8Array | undefined;
  readonly showsJustifications: boolean;
}

/**
 * The lines of a Graphviz text: one cluster a sender, with the heights above each other.
 *
 * @returns each with its line feed, except the last one
 * @spec 50 §3.6
 */
export function drawDag({ blocks, lastFinalized, showsJustifications }: DagDrawing): string[] {
  const heights = [...new Set(blocks.map(({ number }) => number))];
  const columns = columnsOf(blocks);
  const finalName = lastFinalized === undefined ? undefined : shortHash(lastFinalized);
  const lines = ['digraph "dag" {', "  rankdir=BT", "  node [width=0 height=0 margin=0.03 fontsize=8]"];
  lines.push("  splines=false", ...beginning(columns, heights[0], finalName));
  for (const column of columns) lines.push(...cluster(column, heights, finalName));
  for (const block of blocks)
    for (const parent of distinctNames(block.parents))
      lines.push(edge(shortHash(block.hash), parent, "constraint=false"));
  if (showsJustifications)
    for (const block of blocks)
      for (const justified of distinctNames(block.justifications.map(({ latestBlockHash }) => latestBlockHash)))
        lines.push(edge(shortHash(block.hash), justified, "constraint=false style=dotted arrowhead=none"));
  return [...lines.map((line) => `${line}\n`), "}"];
}

/** The lines `<block> <parent>` in full hexadecimal digits, the highest blocks first. @spec 50 §3.4 */
export function verifiableLines(blocks: readonly BlockMetadata[], print: (hash: Uint8Array) => string): string[] {
  return blocks.toReversed().flatMap(({ hash, parents }) => parents.map((parent) => `${print(hash)} ${print(parent)}`));
}

interface Column {
  readonly sender: string;
  readonly byHeight: Map<bigint, BlockMetadata[]>;
}

function columnsOf(blocks: readonly BlockMetadata[]): Column[] {
  const columns = new Map<string, Column>();
  for (const block of blocks) {
    const sender = shortHash(block.sender);
    const column = columns.get(sender) ?? { sender, byHeight: new Map() };
    columns.set(sender, column);
    column.byHeight.set(block.number, [...(column.byHeight.get(block.number) ?? []), block]);
  }
  return [...columns.values()].sort((left, right) => (left.sender < right.sender ? -1 : 1));
}

/** The parents of the lowest blocks drawn, from which invisible edges keep the columns in line. */
function beginning(columns: readonly Column[], lowest: bigint | undefined, finalName: string | undefined): string[] {
  if (lowest === undefined) return [];
  const parents = columns.flatMap(({ byHeight }) => (byHeight.get(lowest) ?? []).flatMap(({ parents }) => parents));
  const ancestors = distinctNames(parents.toSorted(compareBytes));
  const lines = ancestors.map((name) => `  ${node(name, finalName)}`);
  for (const column of columns)
    for (const ancestor of ancestors)
      for (const name of namesAt(column, lowest)) lines.push(edge(ancestor, name, "style=invis"));
  return lines;
}

function cluster(column: Column, heights: readonly bigint[], finalName: string | undefined): string[] {
  const lines = [`  subgraph "cluster_${column.sender}" {`, `    label = "${column.sender}"`];
  for (const height of heights) {
    const isEmpty = !column.byHeight.has(height);
    for (const name of namesAt(column, height))
      lines.push(`    ${isEmpty ? `"${name}" [style=invis shape=box]` : node(name, finalName)}`);
  }
  for (const [index, height] of heights.entries()) {
    const above = heights[index + 1];
    if (above === undefined) continue;
    for (const name of namesAt(column, height))
      for (const next of namesAt(column, above)) lines.push(`  ${edge(name, next, "style=invis")}`);
  }
  lines.push("  }");
  return lines;
}

/** A height at which a sender has no block is held by an invisible node. */
function namesAt({ sender, byHeight }: Column, height: bigint): string[] {
  const blocks = byHeight.get(height);
  return blocks === undefined ? [`${height}_${sender}`] : distinctNames(blocks.map(({ hash }) => hash));
}

function node(name: string, finalName: string | undefined): string {
  return `"${name}" [${name === finalName ? "style=filled " : ""}shape=box]`;
}

function edge(from: string, to: string, attributes: string): string {
  return `  "${from}" -> "${to}" [${attributes}]`;
}

function distinctNames(hashes: readonly Uint8Array[]): string[] {
  return [...new Set(hashes.map(shortHash))];
}
