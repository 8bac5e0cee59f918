/** What only the node knows of itself, for its explorer. */
export interface ExplorerSettings {
  /** Who takes deploys, where this node does not. */
  readonly validator: string | null;
  /** Whether there is an index to ask by GraphQL. */
  readonly hasIndex: boolean;
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
  const told = (answer.ok ? await answer.json() : {}) as Partial<ExplorerSettings>;
  return { validator: typeof told.validator === "string" ? told.validator : null, hasIndex: told.hasIndex === true };
}
