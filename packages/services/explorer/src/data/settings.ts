import { addressOfAccount } from "./addressOfAccount.js";

/** What only the node knows of itself, for its explorer. */
export interface ExplorerSettings {
  /** Who takes deploys, where this node does not. */
  readonly validator: string | null;
  /** Where the routes for development are, on a chain of `vedette dev`. */
  readonly development: string | null;
  /** Whether there is an index to ask by GraphQL. */
  readonly hasIndex: boolean;
  /** The operator's names for accounts, by address. */
  readonly labels: ReadonlyMap<string, string>;
}

const place = "/explorer/settings.json";
let known: Promise<ExplorerSettings> | undefined;

/** Asked once; a node that does not answer is asked again by who comes next. */
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
  const { validator, development, hasIndex, labels } = given;
  return {
    validator: textOf(validator),
    development: textOf(development),
    hasIndex: hasIndex === true,
    labels: labelsOf(labels),
  };
}

/** Either form of an account has its name. */
function labelsOf(labels: unknown): ReadonlyMap<string, string> {
  if (typeof labels !== "object" || labels === null) return new Map();
  return new Map(Object.entries(labels).map(([account, label]) => [addressOfAccount(account), String(label)]));
}
