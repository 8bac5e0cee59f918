import { expect, test } from "vitest";
import { docsHtml } from "./docsHtml.js";
import type { JsonSchema, OpenApi, OpenApiOperation } from "./OpenApi.js";
import { shapeHtml } from "./shapeHtml.js";

const pageOf = (operation: Partial<OpenApiOperation>, method = "get") =>
  docsHtml({
    info: { title: "", version: "1", description: "" },
    tags: [{ name: "Node", description: "" }],
    paths: { "/v2/a/{id}": { [method]: { ...bare, ...operation } } },
    components: { parameters: {}, headers: {}, schemas: {} },
  } satisfies OpenApi);
const bare: OpenApiOperation = { operationId: "a", tags: ["Node"], summary: "", parameters: [], responses: {} };
const shown = (shape: JsonSchema) =>
  shapeHtml(shape)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

test("shapes say kind, bounds and members in words", () => {
  expect(shown({ type: "string", pattern: "^[0-9a-fA-F]{64}$" })).toBe("hex, 64 digits");
  expect(shown({ type: "string", format: "int64", pattern: "^-?[0-9]{1,19}$" })).toBe("decimal string, 64 bits");
  expect(shown({ type: "integer", minimum: 0, maximum: 5, default: 3 })).toBe(
    "integer at least 0, at most 5, default 3",
  );
  expect(shown({ anyOf: [{ $ref: "#/components/schemas/Peer" }, { type: "null" }] })).toBe("Peer or null");
  expect(shown({ enum: ["a", "b"] })).toBe("a or b");
  const member = { type: "string", description: "Its `name`." };
  const list = {
    type: "array",
    items: { type: "object", required: ["a"], properties: { a: member, b: { const: 1 } } },
  };
  expect(shown(list)).toBe("list of object a string Its name . b 1 optional");
  expect(shown({ type: "object", patternProperties: { "^.*$": { $ref: "#/components/schemas/RhoExpr" } } })).toBe(
    "map of RhoExpr",
  );
});

test("a route has a form with its parameters, its body and the first example", () => {
  const html = pageOf(
    {
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string" }, example: "abc" },
        { name: "n", in: "query", schema: { type: "integer" }, example: 2 },
        { $ref: "#/components/parameters/minBlock" },
      ],
      requestBody: {
        content: { "text/plain": { schema: { type: "string" }, examples: { x: { summary: "x", value: "1 + 1" } } } },
      },
    },
    "post",
  );
  expect(html).toContain('data-method="POST" data-path="/v2/a/{id}"');
  expect(html).toContain('name="id" data-in="path" value="abc" required');
  // An optional value is not sent by itself.
  expect(html).toContain('name="n" data-in="query" value=""');
  expect(html).toContain('data-type="text/plain" rows="8" spellcheck="false">1 + 1</textarea>');
});

test("a route with several paths stands once, and names them", () => {
  const html = docsHtml({
    ...{ info: { title: "", version: "1", description: "" }, tags: [{ name: "Node", description: "" }] },
    paths: { "/api/a": { get: bare }, "/a": { get: { ...bare, operationId: "aAlias" } } },
    components: { parameters: {}, headers: {}, schemas: {} },
  });
  expect(html.match(/<details class="route"/g)).toHaveLength(1);
  expect(html).toContain("Also <code>/a</code>");
});

test("no text of a contract becomes markup", () => {
  const hostile = `"><img src=x onerror=alert(1)>`;
  const html = pageOf({
    ...{ summary: hostile, description: hostile },
    parameters: [{ name: hostile, in: "path", required: true, description: hostile, schema: {}, example: hostile }],
    responses: { 200: { description: hostile, content: { [hostile]: { schema: { const: hostile } } } } },
  });
  expect(html).not.toContain("<img");
});
