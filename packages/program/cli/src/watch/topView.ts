import {
  countText,
  cutLine,
  memoryText,
  type Paint,
  plainText,
  progressText,
  unknownText,
  wrapLine,
} from "@vedette/terminal";
import type { NodeStatusSample } from "./readNode.js";

/** The sources of a node's view. */
export interface TopFacts {
  readonly look: NodeStatusSample;
  readonly url: string;
  readonly width: number;
  readonly paint: Paint;
}

const widestName = 11;

/** The live view of a node. */
export function renderLook({ look, url, width, paint }: TopFacts): string[] {
  const { sync, failure } = look;
  const row = (name: string, text: string) => cutLine(`${name.padEnd(widestName)} ${text}`, width);
  const phase = sync?.phase ?? unknownText;
  const notes = [...notesOf(sync), failure].filter((note) => note !== undefined && note !== null);
  return [
    "",
    cutLine(paint("bold", `${plainText(look.version)} at ${url}`), width),
    row("phase", paint(phase === "following" ? "green" : phase === "stalled" ? "red" : "yellow", phase)),
    row(
      "block",
      `${countText(known(sync?.blockNumber))} of ${countText(known(sync?.bestPeerBlockNumber))} that peers have`,
    ),
    ...progressRows(sync).map(([name, text]) => row(name, text)),
    row("finalized", countText(known(sync?.finalizedBlockNumber))),
    row("blocks/s", rateText(look.blocksPerSecond)),
    row("peers", countText(look.peers)),
    row("validators", validatorsText(look)),
    row("memory", memoryText(look.memoryBytes)),
    row("requests/s", rateText(look.requestsPerSecond)),
    ...notes.flatMap((note) =>
      wrapLine(plainText(note!).replaceAll(/[\n\t]/g, " "), width).map((part) => paint("yellow", part)),
    ),
    "",
    "Ctrl-C ends the view.",
  ];
}

/** Notes of the view: each condition with its remedy, then the state of finality and the last error if they differ. */
function notesOf(sync: NodeStatusSample["sync"]) {
  const { finality, lastError, conditions = [] } = sync ?? {};
  const isReported = (text: string | null | undefined) => conditions.some(({ reason }) => reason === text);
  const problems = conditions.map(({ code, reason, advice }) => `${code}: ${reason}. ${advice}`);
  return [...problems, ...[finality?.reason, lastError].filter((text) => !isReported(text))];
}

/** Returns the work of a node that is behind, and how far it has verified the chain before its own beginning. */
function progressRows(sync: NodeStatusSample["sync"]): readonly (readonly [name: string, text: string])[] {
  if (sync === undefined) return [];
  const { phase, progress, secondsLeft, bottleneck, sources, history, verifiedFrom } = sync;
  const rows: [string, string][] = [];
  if (phase === "replaying" || phase === "importingState") {
    const { done, total, perSecond } = progress;
    const unit = progress.unit === "blocks" ? "blocks" : "items";
    const left = { total: known(total), secondsLeft: known(secondsLeft) };
    const wait = bottleneck === "fetching" ? ", waits for peers" : "";
    rows.push(["progress", progressText({ done, perSecond, unit, ...left }) + wait]);
    if (sources !== undefined && sources.length > 0)
      rows.push(["given by", sources.map(({ address, given }) => `${plainText(address)} (${given})`).join(", ")]);
  }
  if (history != null) {
    const { blockNumber, target, blocksPerSecond: perSecond, reason, phase: state } = history;
    const shown = progressText({ done: Number(blockNumber ?? 0), total: Number(target), perSecond, unit: "blocks" });
    const why = reason === null ? "" : `; ${plainText(reason)}`;
    rows.push(["history", `${state}: ${shown}; verified from block ${verifiedFrom ?? unknownText}${why}`]);
  }
  return rows;
}

/** The same in one line, for what is no terminal. */
export function lookLine(look: NodeStatusSample): string {
  const { sync, failure } = look;
  if (failure !== undefined) return plainText(failure).replaceAll("\n", " ");
  const facts = [
    `phase ${sync?.phase ?? unknownText}`,
    `block ${countText(known(sync?.blockNumber))}/${countText(known(sync?.bestPeerBlockNumber))}`,
    `finalized ${countText(known(sync?.finalizedBlockNumber))}`,
    `${rateText(look.blocksPerSecond)} blocks/s`,
    `${look.peers} peers`,
    `validators ${validatorsText(look)}`,
    `memory ${memoryText(look.memoryBytes)}`,
    `${rateText(look.requestsPerSecond)} requests/s`,
  ];
  const held = sync?.conditions?.map(({ code }) => code) ?? [];
  const reason = sync?.finality?.reason;
  const notes = [...held, ...(reason == null ? [] : [reason])];
  return plainText([...facts, ...notes].join(", ")).replaceAll("\n", " ");
}

/** The same for programs; numbers that are not known are `null`. */
export function lookJson(look: NodeStatusSample): object {
  const { version, address, peers, sync, memoryBytes, blocksPerSecond, requestsPerSecond, failure } = look;
  return {
    ...{ version, address, peers },
    syncStatus: sync ?? null,
    memoryBytes: memoryBytes ?? null,
    blocksPerSecond: roundedOrNull(blocksPerSecond),
    requestsPerSecond: roundedOrNull(requestsPerSecond),
    failure: failure ?? null,
  };
}

function validatorsText({ sync }: NodeStatusSample): string {
  const finality = sync?.finality;
  if (finality == null) return unknownText;
  const silent = finality.inactiveValidators.length;
  return silent === 0 ? String(finality.validators) : `${finality.validators}, ${silent} of them silent`;
}

function roundedOrNull(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toFixed(2));
}

function rateText(value: number | undefined): string {
  return value === undefined ? unknownText : value.toFixed(value < 10 ? 1 : 0);
}

function known<T>(value: T | null | undefined): T | undefined {
  return value ?? undefined;
}
