import type { TSchema } from "typebox";
import * as Type from "typebox";
import type { JsonValue } from "../json/printJson.js";
import type { RefusalForm } from "./RouteContract.js";
import { int32, named } from "./scalars.js";

/** A refusal as RFC 9457 has it. */
export const problem = named(
  "Problem",
  Type.Object({
    type: Type.String(),
    title: Type.String({ description: "Name of the HTTP status." }),
    status: int32(),
    detail: Type.String({ description: "Problem and remedy." }),
    field: Type.Optional(Type.String({ description: "Invalid part of the request, for example `body.depth`." })),
  }),
);

const text = named("RefusalText", Type.String({ description: "Description of the problem." }));
const texts = named("RefusalTexts", Type.Array(Type.String({ description: "Description of the problem." })));

const kind = named(
  "RefusalKind",
  Type.Object({
    error: Type.String({ description: "Error code, for example `rholang_bad_term`." }),
    message: Type.String({ description: "Description of the problem." }),
  }),
);

/** Returns the content of refusals in a form. @spec 50 §1.3, §1.10, §1.14 */
export function refusalContent(
  form: RefusalForm,
  shown: (schema: TSchema) => JsonValue,
): { readonly [type: string]: JsonValue } {
  switch (form) {
    case "problem":
      return { "application/problem+json": { schema: shown(problem) } };
    case "texts":
      return { "application/json": { schema: shown(texts) } };
    case "text":
      return { "application/json": { schema: shown(text) } };
    case "kind":
      return { "application/json": { schema: shown(kind) } };
  }
}
