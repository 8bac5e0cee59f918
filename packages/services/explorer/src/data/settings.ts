import { addressOfAccount } from "./addressOfAccount.js";

/** The facts that only the node has about itself, for its explorer. */
export interface ExplorerSettings {
  /** The node that accepts deploys, if this node does not. */
  readonly validator: string | null;
  /** Where the routes for development are, on a chain of `vedette dev`. */
  readonly development: string | null;
  /** Whether there is an index to query by GraphQL. */
  readonly hasIndex: boolean;
  /** Whether it runs programs on states: validators do not. */
  readonly runsPrograms: boolean;
  /** The operator's names for accounts, by address. */
  readonly labels: ReadonlyMap<string, string>;
}

const place = "/explorer/settings.json";
let known: Promise<ExplorerSettings> | undefined;

/** Requested once; if the node does not answer, the next caller requests again. */
export function explorerSettings(): Promise<ExplorerSettings> {
  known ??= read().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function read(): Promise<ExplorerSettings> {
  const answer = await fetch(place);
  const given = (answer.ok ? await answer.json() : {}) as Partial<Record<keyof ExplorerSettings, unknown>>;
  const textOf = (value: unknown) => (typeof value === "string" ? value : null);
  const { validator, development, hasIndex, runsPrograms, labels } = given;
  return {
    validator: textOf(validator),
    development: textOf(development),
    hasIndex: hasIndex === true,
    runsPrograms: runsPrograms !== false,
    labels: labelsOf(labels),
  };
}

/** Either form of an account has its name. */
function labelsOf(labels: unknown): ReadonlyMap<string, string> {
  if (typeof labels !== "object" || labels === null) return new Map();
  return new Map(Object.entries(labels).map(([account, label]) => [addressOfAccount(account), String(label)]));
}
