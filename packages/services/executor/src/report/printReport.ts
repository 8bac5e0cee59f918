import { toHex } from "@vedette/crypto";
import type { DeployReport, ReportSink } from "@vedette/execution";
import type { Block, ProcessedDeploy, SystemDeploy } from "@vedette/protocol";
import type { ReportConsume, ReportEvent, ReportProduce } from "@vedette/tuplespace";
import { printPar, printPars, printRemainder } from "./printPar.js";
import { TextWriter } from "./TextWriter.js";

/** Prints the reports of a block's deploys: the arrays `deploys` and `system-deploys`. @spec 50 §2.2 */
export class ReportPrinter implements ReportSink {
  readonly #block: Block;
  readonly #deploys: TextWriter;
  readonly #systemDeploys: TextWriter;

  /** @param maxUnits how long each of both arrays may become, in UTF-16 units */
  constructor(block: Block, maxUnits: number) {
    this.#block = block;
    this.#deploys = new TextWriter(maxUnits);
    this.#systemDeploys = new TextWriter(maxUnits);
  }

  /** `"deploys":[…],"system-deploys":[…]` */
  get text(): string {
    return `"deploys":[${this.#deploys.text}],"system-deploys":[${this.#systemDeploys.text}]`;
  }

  /** @throws {ReportTooLargeError} */
  deploy(index: number, report: DeployReport): void {
    const out = this.#deploys;
    if (index > 0) out.write(",");
    out.write(`{"deploy-info":${deployText(this.#block.body.deploys[index]!)},"report":`);
    printGroups(out, report);
    out.write("}");
  }

  /** @throws {ReportTooLargeError} */
  systemDeploy(index: number, report: DeployReport): void {
    const out = this.#systemDeploys;
    const { systemDeploy } = this.#block.body.systemDeploys[index]!;
    if (index > 0) out.write(",");
    out.write(`{"system-deploy":{"system-deploy":${systemDeployText(systemDeploy)}},"report":`);
    printGroups(out, report);
    out.write("}");
  }
}

function deployText({ deploy, cost, failed, systemDeployError }: ProcessedDeploy): string {
  const head = `{"deployer":"${toHex(deploy.deployer)}","term":${JSON.stringify(deploy.term)}`;
  const signed = `"timestamp":${deploy.timestamp},"sig":"${toHex(deploy.signature)}","sig-algorithm":"${deploy.algorithm}"`;
  const phlo = `"phlo-price":${deploy.phloPrice},"phlo-limit":${deploy.phloLimit}`;
  const valid = `"valid-after-block-number":${deploy.validAfterBlockNumber}`;
  const outcome = `"cost":${cost},"errored":${failed},"system-deploy-error":${JSON.stringify(systemDeployError)}`;
  return `${head},${signed},${phlo},${valid},${outcome}}`;
}

function systemDeployText(systemDeploy: SystemDeploy): string {
  switch (systemDeploy.kind) {
    case "slash": {
      const invalid = toHex(systemDeploy.invalidBlockHash);
      const issuer = toHex(systemDeploy.issuerPublicKey);
      return `{"value":{"invalid-block-hash":"${invalid}","issuer-public-key":"${issuer}"},"type":"slash-system-deploy"}`;
    }
    case "closeBlock":
      return '{"value":{},"type":"close-block-system-deploy"}';
    case "empty":
      return '{"type":"empty"}';
  }
}

function printGroups(out: TextWriter, report: DeployReport): void {
  out.list(report, (events) => {
    out.write('{"events":');
    out.list(events, (event) => printEvent(out, event));
    out.write("}");
  });
}

function printEvent(out: TextWriter, event: ReportEvent): void {
  out.write('{"report":{"value":');
  switch (event.kind) {
    case "produce":
      printProduce(out, event);
      break;
    case "consume":
      printConsume(out, event);
      break;
    case "comm":
      out.write('{"consume":');
      printConsume(out, event.consume);
      out.write(',"produces":');
      out.list(event.produces, (produce) => printProduce(out, produce));
      out.write("}");
  }
  out.write(`,"type":"${event.kind}"}}`);
}

function printProduce(out: TextWriter, { channel, data }: ReportProduce): void {
  out.write('{"channel":');
  printPar(out, channel);
  out.write(',"data":{"pars":');
  printPars(out, data.pars);
  out.write(',"random-state":{}}}');
}

function printConsume(out: TextWriter, { channels, patterns, peeks }: ReportConsume): void {
  out.write('{"channels":');
  printPars(out, channels);
  out.write(',"patterns":');
  out.list(patterns, ({ patterns: pars, remainder, freeCount }) => {
    out.write('{"patterns":');
    printPars(out, pars);
    out.write(',"remainder":');
    printRemainder(out, remainder);
    out.write(`,"free-count":${freeCount}}`);
  });
  out.write(',"peeks":');
  out.list(peeks, (index) => out.write(`{"channel-index":${index}}`));
  out.write("}");
}
