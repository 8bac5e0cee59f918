import { BindPattern, EmptyContinuation, EVar, FreeVar, Par, printPar } from "@vedette/terms";
import { ExecutionError } from "../ExecutionError.js";
import type { MergeableChannels } from "../numberChannels.js";
import type { Runtime } from "../runtime/Runtime.js";
import type { SystemDeployTerm } from "./terms.js";

/** How a system deploy ended: `error` is the contract's refusal, if it refused. @spec 41 §3.1 */
export interface SystemDeployResult extends MergeableChannels {
  readonly error: string | undefined;
}

/** Made anew each time: what is remembered with a term is of one dialect. */
function anyPar(): BindPattern {
  return new BindPattern([Par.of({ exprs: [new EVar(new FreeVar(0))], connectiveUsed: true })], undefined, 1);
}

/**
 * Evaluates a system deploy and fetches its answer from the return channel.
 *
 * @throws {ExecutionError} `platform` when evaluation fails or the answer has not the agreed shape
 * @spec 41 §3.1
 */
export function runSystemDeploy(runtime: Runtime, deploy: SystemDeployTerm): SystemDeployResult {
  const { errors, mergeable, bitmasks } = runtime.evaluate(
    { par: deploy.term },
    runtime.form.systemPhloLimit,
    deploy.start,
  );
  if (errors.length > 0) {
    const texts = errors.map((error) => error.referenceText()).join(", ");
    throw platformFailure(`Caught errors in Rholang interpreter [${texts}]`);
  }
  return { error: refusalIn(takeAnswer(runtime, deploy.returnChannel), deploy.name), mergeable, bitmasks };
}

/** The consume and its COMM are part of the deploy's log. */
function takeAnswer(runtime: Runtime, channel: Par): Par {
  const match = runtime.space.consume([channel], [anyPar()], new EmptyContinuation(), false, []);
  if (match === undefined) throw platformFailure("Unable to consume results of system deploy");
  const { pars } = match.results[0]!.matched;
  if (pars.length !== 1) throw platformFailure(`Unable to proceed with ${pars.map((par) => printPar(par)).join(", ")}`);
  return pars[0]!;
}

/** `(true, _)` or `(false, message)`. */
function refusalIn(answer: Par, name: SystemDeployTerm["name"]): string | undefined {
  const tuple = soleExpr(answer);
  const flag = tuple?.kind === "ETuple" && tuple.ps.length === 2 ? soleExpr(tuple.ps[0]!) : undefined;
  if (tuple?.kind !== "ETuple" || flag?.kind !== "GBool") throw unexpected(answer);
  const message = tuple.ps[1]!;
  const text = soleExpr(message);
  const isText = text?.kind === "GString";
  if (!isText && !isNothing(message)) throw unexpected(answer);
  if (flag.value) return undefined;
  if (isText) return text.value;
  return name === "Slash" ? "Slashing failed unexpectedly" : "<no cause>";
}

function soleExpr(par: Par): Par["exprs"][number] | undefined {
  return par.exprs.length === 1 && termCount(par) === 1 ? par.exprs[0] : undefined;
}

function isNothing(par: Par): boolean {
  return termCount(par) === 0;
}

function termCount(par: Par): number {
  return (
    par.sends.length +
    par.receives.length +
    par.news.length +
    par.exprs.length +
    par.matches.length +
    par.unforgeables.length +
    par.bundles.length +
    par.connectives.length
  );
}

function unexpected(answer: Par): ExecutionError {
  return platformFailure(`Unable to proceed with ${printPar(answer)}`);
}

function platformFailure(message: string): ExecutionError {
  return new ExecutionError({ code: "platform", message });
}
