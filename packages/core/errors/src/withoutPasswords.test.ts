import { expect, test } from "vitest";
import { withoutPasswords } from "./withoutPasswords.js";

test.each([
  ["https://ada:secret@host:40403/api", "https://host:40403/api"],
  [
    "No node at http://ada:sec@ret@host, nor at nats://token@other:4222",
    "No node at http://host, nor at nats://other:4222",
  ],
  ["postgres://ada:secret@[::1]:5432/database", "postgres://[::1]:5432/database"],
  ["http://:secret@host", "http://host"],
  ["https://host/an@sign?who=a@b", "https://host/an@sign?who=a@b"],
  ["rnode://abcdef@host?protocol=1&discovery=2", "rnode://abcdef@host?protocol=1&discovery=2"],
  ["no address, a@b", "no address, a@b"],
])("%j is shown as %j", (text, shown) => {
  expect(withoutPasswords(text)).toBe(shown);
});
