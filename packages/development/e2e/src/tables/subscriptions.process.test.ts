import { DevProcess } from "@vedette/cli/testing";
import { type Client, createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";

let chain: DevProcess;
let client: Client;
/** Connections that the server ended; the client itself ends those that have nothing to do. */
const closed: number[] = [];

const noteEnd = (code: number) => code !== 1000 && closed.push(code);

beforeAll(async () => {
  chain = await DevProcess.start();
  client = createClient({
    url: `ws://127.0.0.1:${chain.ready.ports.http}/v1/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    on: { closed: (event) => void noteEnd((event as { readonly code: number }).code) },
  });
});
afterAll(async () => {
  await client?.dispose();
  await chain?.[Symbol.asyncDispose]();
});

const newest = "{ blocks(limit: 1, order_by: {block_number: desc}) { block_number deployment_count } }";

interface Newest {
  readonly blocks: readonly { readonly block_number: string; readonly deployment_count: number }[];
}

test("the client of graphql-ws follows a table until it has seen enough, and others go on meanwhile", async () => {
  const seen: string[] = [];
  const other = client.iterate<Newest>({ query: `subscription { blocks_aggregate { aggregate { count } } }` });
  expect((await other.next()).value?.data).toMatchObject({ blocks_aggregate: { aggregate: {} } });
  for await (const { data, errors } of client.iterate<Newest>({ query: `subscription ${newest}` })) {
    expect(errors).toBeUndefined();
    const number = data?.blocks[0]?.block_number;
    if (number === undefined) continue;
    seen.push(number);
    if (Number(number) >= 3) break;
    await chain.ask("/dev/mine", { toHeight: Number(number) + 1 });
  }
  expect(seen).toEqual([...new Set(seen)]);
  expect(seen.at(-1)).toBe("3");
  expect((await other.next()).value?.errors).toBeUndefined();
  await other.return?.();
  expect(closed).toEqual([]);
});

test("it takes queries with variables, and every refusal comes to the operation that it is of", async () => {
  const query = "query ($at: bigint!) { blocks(where: {block_number: {_eq: $at}}) { block_number } }";
  const answer = client.iterate<Newest>({ query, variables: { at: "0" } });
  expect((await answer.next()).value?.data).toEqual({ blocks: [{ block_number: "0" }] });
  expect((await answer.next()).done).toBe(true);
  const failures = await Promise.all(
    [
      "subscription { nothing { of_it } }",
      "subscription { blocks { block_hash } deployments { deploy_id } }",
      "{ blocks(where: {block_number: {_eq: null}}) { block_hash } }",
      "no document",
    ].map(async (wrong) => {
      try {
        const answer = await client.iterate({ query: wrong }).next();
        return answer.value?.errors?.[0]?.message;
      } catch (errors) {
        return (errors as readonly { readonly message: string }[])[0]?.message;
      }
    }),
  );
  expect(failures).toEqual([
    expect.stringContaining("nothing"),
    expect.stringContaining("one"),
    expect.stringContaining("_eq"),
    expect.stringContaining("Syntax Error"),
  ]);
  expect(closed).toEqual([]);
});

test("a client with a broken connection subscribes again by itself, and receives the present state", async () => {
  const again = createClient({ url: `ws://127.0.0.1:${chain.ready.ports.http}/graphql`, webSocketImpl: WebSocket });
  let before: number | undefined;
  for await (const { data } of again.iterate<Newest>({ query: `subscription ${newest}` })) {
    const number = Number(data?.blocks[0]?.block_number);
    if (before !== undefined && number >= before + 2) break;
    if (before !== undefined) continue;
    before = number;
    again.terminate();
    await chain.ask("/dev/mine", { blocks: 2 });
  }
  await again.dispose();
});
