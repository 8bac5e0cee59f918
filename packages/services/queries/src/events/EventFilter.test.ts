import { toHex } from "@vedette/crypto";
import { type Dialect, f1r3node, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { f1r3nodeTerms, GString, parOfExpr, rnodeTerms } from "@vedette/terms";
import { expect, test } from "vitest";
import { EventFilter } from "./EventFilter.js";
import { NodeEvents } from "./NodeEvents.js";

test("a watched name has the hash that the logs of its network have", () => {
  const store = new MemoryStore(tablesOf("chain"));
  const hashOn = (dialect: Dialect) => {
    const { served } = new NodeEvents({ store, maximumParents: 1, dialect });
    return new EventFilter({ name: ["text:shelf"] }, served).names.map(({ channelHash }) => channelHash);
  };
  const name = () => parOfExpr(new GString("shelf"));
  expect(hashOn(rnode)).toEqual([toHex(rnodeTerms.channelHash(name()))]);
  expect(hashOn(f1r3node)).toEqual([toHex(f1r3nodeTerms.channelHash(name()))]);
  expect(hashOn(f1r3node)).not.toEqual(hashOn(rnode));
});
