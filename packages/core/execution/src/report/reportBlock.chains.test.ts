import { compareBytes, toHex } from "@vedette/crypto";
import type { Block, Event } from "@vedette/protocol";
import { channelHash } from "@vedette/terms";
import { usualChains } from "@vedette/testing";
import { type ReportEvent, StateStore } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { type RecordedMoment, recordedReplay } from "../testing/recordedReplay.js";
import { droppingStore } from "./droppingStore.js";
import { type DeployReport, reportBlock, transfersInReport } from "./reportBlock.js";
import type { DeployTransferGroups } from "./Transfer.js";
import { transactionsOf } from "./transactions.js";
import { decodeTransfers, encodeTransfers } from "./transferRecord.js";

/** A block's reports, made without a trace in the store. */
function reportsOf({ store, replay }: RecordedMoment) {
  const deploys: DeployReport[] = [];
  const systemDeploys: DeployReport[] = [];
  const root = reportBlock(
    new StateStore(droppingStore(store)),
    { ...replay, form: rnodeExecution },
    {
      deploy: (_index, report) => deploys.push(report),
      systemDeploy: (_index, report) => systemDeploys.push(report),
    },
  );
  return { deploys, systemDeploys, root };
}

for (const chain of usualChains("solo", "trio", "merge", "equivocation-v1", "equivocation-v3b")) {
  test(`reports of ${chain} contain the events that its blocks record`, () => {
    for (const moment of recordedReplay(chain)) {
      const { block, replayed, name } = moment;
      // The long chains have many blocks of a kind.
      if ((chain === "solo" || chain === "trio") && block.number % 4n !== 0n) continue;
      const { deploys, systemDeploys, root } = reportsOf(moment);
      expect(toHex(root), name).toBe(toHex(block.body.state.postStateHash));
      checkParts(block, deploys, systemDeploys, name);
      for (const [index, { log, failed }] of block.body.deploys.entries())
        checkEvents(deploys[index]!, log, failed, `${name} deploy ${index}`);
      for (const [index, { log }] of block.body.systemDeploys.entries())
        checkEvents(systemDeploys[index]!, log, false, `${name} system deploy ${index}`);
      if ("failure" in replayed) expect.fail(`${name} is not replayed`);
      const { transfers } = replayed;
      const reported = {
        deploys: deploys.map((report) => transfersInReport(report, rnodeExecution)),
        systemDeploys: systemDeploys.map((report) => transfersInReport(report, rnodeExecution)),
      };
      expect(unmarked(transfers.deploys), name).toEqual(unmarked(reported.deploys));
      expect(transfers.systemDeploys, name).toEqual(reported.systemDeploys);
      expect(decodeTransfers(encodeTransfers(transfers))).toEqual(transfers);
      checkMoney(moment, transfers.deploys);
    }
  });
}

/** The number of parts by what became of a deploy. */
function checkParts(
  block: Block,
  deploys: readonly DeployReport[],
  systemDeploys: readonly DeployReport[],
  name: string,
) {
  for (const [index, { failed, systemDeployError }] of block.body.deploys.entries()) {
    const parts = deploys[index]!.length;
    if (block.parents.length === 0) expect(parts, name).toBe(1);
    else if (systemDeployError !== "") expect(parts, name).toBe(1);
    else if (failed) expect(parts, name).toBe(2);
    else expect([2, 3], name).toContain(parts);
  }
  for (const report of systemDeploys) expect(report, name).toHaveLength(1);
}

/**
 * Each COMM as often as in the block. The others may come in another order, and then a persistent receive is put
 * there more or less often.
 */
function checkEvents(report: DeployReport, log: readonly Event[], failed: boolean, name: string): void {
  const reported = count(report.flat().map(textOfReported));
  const recorded = count(log.map(textOfRecorded));
  for (const [text, times] of recorded) {
    if (text.startsWith("comm")) expect(reported.get(text), `${name}: ${text}`).toBe(times);
    else expect(reported.has(text), `${name}: ${text}`).toBe(true);
  }
  if (!failed) expect(reported.size, name).toBe(recorded.size);
}

function count(texts: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const text of texts) counted.set(text, (counted.get(text) ?? 0) + 1);
  return counted;
}

function textOfReported(event: ReportEvent): string {
  switch (event.kind) {
    case "produce":
      return `produce ${toHex(channelHash(event.channel))}`;
    case "consume":
      return `consume ${hashesText(event.channels.map(channelHash))}`;
    case "comm":
      return `comm ${hashesText(event.consume.channels.map(channelHash))} ${event.consume.peeks.length}`;
  }
}

function textOfRecorded(event: Event): string {
  switch (event.kind) {
    case "produce":
      return `produce ${toHex(event.channelsHash)}`;
    case "consume":
      return `consume ${hashesText(event.channelsHashes)}`;
    case "comm":
      return `comm ${hashesText(event.consume.channelsHashes)} ${event.peeks.length}`;
  }
}

function hashesText(hashes: readonly Uint8Array[]): string {
  return hashes.slice().sort(compareBytes).map(toHex).join(",");
}

/** Removes the marks of what was undone, which a report does not have. */
function unmarked(deploys: readonly DeployTransferGroups[]) {
  return deploys.map((groups) => groups.map((group) => group.map((one) => ({ ...one, isReverted: false }))));
}

/** Every deploy pays the limit in advance and gets back what it did not use. */
function checkMoney({ block, name }: RecordedMoment, deploys: readonly DeployTransferGroups[]): void {
  const transactions = transactionsOf(block, { deploys, systemDeploys: [] })!;
  if (block.parents.length === 0) return;
  for (const [index, { deploy, cost, failed, systemDeployError }] of block.body.deploys.entries()) {
    const own = transactions.filter((one) => one.index === index && !one.transfer.isReverted);
    const charge = own.filter(({ type }) => type === "PreCharge");
    expect(charge, name).toHaveLength(1);
    expect(charge[0]!.transfer.amount, name).toBe(deploy.phloLimit * deploy.phloPrice);
    expect(charge[0]!.transfer.failure ?? "", name).toBe(systemDeployError === "" ? "" : charge[0]!.transfer.failure);
    if (systemDeployError !== "") continue;
    const refund = own.filter(({ type }) => type === "Refund");
    const left = (deploy.phloLimit - cost) * deploy.phloPrice;
    expect(
      refund.map(({ transfer }) => transfer.amount),
      `${name} ${failed}`,
    ).toEqual(left === 0n ? [] : [left]);
  }
}
