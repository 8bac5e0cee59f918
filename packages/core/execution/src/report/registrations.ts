import type { Block } from "@vedette/protocol";
import type { Par, TermCodec } from "@vedette/terms";
import type { StateStore } from "@vedette/tuplespace";
import { byChannel, nameKey } from "./callsRegistry.js";
import { type DeployReport, type ReportedBlock, reportBlock } from "./reportBlock.js";

/** Something that a deploy entered into the registry. @spec 41 §5.2 */
export interface Registration {
  /** `rho:id:…` */
  readonly uri: string;
  /** By which of the registry's two ways. */
  readonly kind: "arbitrary" | "signed";
}

/** Returns the entries that each deploy of a block made in the registry. @throws as {@link reportBlock} */
export function reportRegistrations(store: StateStore, reported: ReportedBlock): Registration[][] {
  const { terms } = reported.form;
  const found: Registration[][] = reported.block.body.deploys.map(() => []);
  reportBlock(store, reported, {
    deploy: (index, report) => {
      if (!hasFailed(reported.block, index)) found[index] = registrationsInReport(report, terms);
    },
    systemDeploy: () => undefined,
  });
  return found;
}

function hasFailed({ body }: Block, index: number): boolean {
  return body.deploys[index]!.failed;
}

interface Answers {
  readonly kinds: Registration["kind"][];
  readonly said: (string | undefined)[];
}

/**
 * The registrations in a report: calls that the registry took, and its answers, which are the URI, or `Nil` where it
 * refused.
 *
 * Any program may send on the name of an answer. Where more was sent than was requested, the registry's answers
 * cannot be distinguished from others, and none of them is used.
 */
function registrationsInReport(report: DeployReport, terms: TermCodec): Registration[] {
  const asked = new Map<string, Answers>();
  for (const event of report.flat()) {
    const way = event.kind === "comm" ? byChannel.get(nameKey(event.consume.channels[0]!, terms)) : undefined;
    if (way === undefined || event.kind !== "comm") continue;
    const answerName = event.produces[0]?.data.pars[way.answerAt];
    if (answerName === undefined) continue;
    const key = nameKey(answerName, terms);
    const known = asked.get(key);
    if (known === undefined) asked.set(key, { kinds: [way.kind], said: [] });
    else known.kinds.push(way.kind);
  }
  for (const event of report.flat())
    if (event.kind === "produce") asked.get(nameKey(event.channel, terms))?.said.push(uriIn(event.data.pars[0]));
  return [...asked.values()].flatMap(({ kinds, said }) => {
    if (said.length > kinds.length) return [];
    const kind = kinds.every((one) => one === kinds[0]) ? kinds[0] : undefined;
    return said.flatMap((uri, index) => (uri === undefined ? [] : [{ uri, kind: kind ?? kinds[index]! }]));
  });
}

function uriIn(par: Par | undefined): string | undefined {
  const expr = par?.exprs[0];
  return expr?.kind === "GUri" ? expr.value : undefined;
}
