/** The position of a slot in its list of candidates. */
interface Place {
  readonly slot: number;
  readonly from: number;
}

interface Claim<R> {
  readonly place: Place;
  readonly result: R;
}

interface State<R> {
  readonly seen: ReadonlySet<number>;
  readonly claims: ReadonlyMap<number, Claim<R>>;
}

interface Answer<R> extends State<R> {
  readonly isFound: boolean;
}

/** The alternatives of one slot on one candidate; none if they do not go together. */
export type Test<R> = (slot: number, candidate: number) => readonly R[];

/**
 * Every assignment of slots to candidates that rnode's search finds, in its order: a tree of branches where a
 * test has several alternatives, each branch with a state of its own. @spec 22 §1.8
 *
 * @returns candidate → the slot that holds it and the result of its test
 */
export function* assignments<R>(
  slots: number,
  candidates: number,
  test: Test<R>,
): Generator<ReadonlyMap<number, { readonly slot: number; readonly result: R }>> {
  for (const claims of fill(0, slots, { candidates, test }, new Map()))
    yield new Map([...claims].map(([candidate, { place, result }]) => [candidate, { slot: place.slot, result }]));
}

interface Search<R> {
  readonly candidates: number;
  readonly test: Test<R>;
}

type Claims<R> = ReadonlyMap<number, Claim<R>>;

function* fill<R>(slot: number, slots: number, search: Search<R>, claims: Claims<R>): Generator<Claims<R>> {
  if (slot === slots) {
    yield claims;
    return;
  }
  for (const answer of findMatch({ slot, from: 0 }, search, { seen: new Set(), claims }))
    if (answer.isFound) yield* fill(slot + 1, slots, search, answer.claims);
}

function* findMatch<R>(place: Place, search: Search<R>, state: State<R>): Generator<Answer<R>> {
  const { slot, from } = place;
  if (from === search.candidates) {
    yield { ...state, isFound: false };
    return;
  }
  const next = { slot, from: from + 1 };
  const results = state.seen.has(from) ? [] : search.test(slot, from);
  if (results.length === 0) {
    yield* findMatch(next, search, state);
    return;
  }
  const seen = new Set([...state.seen, from]);
  for (const result of results) yield* tryClaim({ place, result }, search, { seen, claims: state.claims });
}

function* tryClaim<R>(claim: Claim<R>, search: Search<R>, state: State<R>): Generator<Answer<R>> {
  const candidate = claim.place.from;
  const holder = state.claims.get(candidate);
  if (holder === undefined) {
    yield { seen: state.seen, claims: new Map([...state.claims, [candidate, claim]]), isFound: true };
    return;
  }
  for (const answer of findMatch(holder.place, search, state)) {
    if (answer.isFound) yield { ...answer, claims: new Map([...answer.claims, [candidate, claim]]) };
    else yield* findMatch(claim.place, search, answer);
  }
}
