import { escapeHtml } from "../../guide/index.js";
import type { JsonSchema } from "./OpenApi.js";

/** The kind of a value in a few words, then its members as a list. */
export function shapeHtml(shape: JsonSchema): string {
  return `<span class="kind">${kindHtml(shape)}</span>${boundsHtml(shape)}${membersHtml(shape)}`;
}

/** A value of an example or a default, as JSON. */
export function valueHtml(value: unknown): string {
  return `<code>${escapeHtml(typeof value === "string" ? value : JSON.stringify(value))}</code>`;
}

/** Returns text of a contract as HTML: text in backticks is code. */
export function textHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function kindHtml(shape: JsonSchema): string {
  const { $ref, anyOf, items, type } = shape;
  if ($ref !== undefined) {
    const name = escapeHtml($ref.slice($ref.lastIndexOf("/") + 1));
    return `<a href="#shape-${name}">${name}</a>`;
  }
  if (shape.const !== undefined) return valueHtml(shape.const);
  if (shape.enum !== undefined) return shape.enum.map(valueHtml).join(" or ");
  if (anyOf !== undefined) return [...new Set(anyOf.map(kindHtml))].join(" or ");
  if (type === "array") return items === undefined || isTuple(items) ? "list" : `list of ${kindHtml(items)}`;
  if (type === "object") return shape.patternProperties === undefined ? "object" : `map of ${valuesOf(shape)}`;
  if (type === "null") return "null";
  return scalarKind(shape);
}

function valuesOf({ patternProperties = {} }: JsonSchema): string {
  return Object.values(patternProperties).map(kindHtml).join(" or ");
}

function scalarKind({ type, format, pattern }: JsonSchema): string {
  if (type === "string" && format === "int64") return "decimal string, 64 bits";
  if (type === "string" && pattern?.includes("a-fA-F") === true) {
    const digits = /\{(\d+)\}\$$/.exec(pattern)?.[1];
    return digits === undefined ? "hex" : `hex, ${digits} digits`;
  }
  if (type === "integer" && format === "int64") return "integer, 64 bits";
  return escapeHtml(type ?? "any value");
}

function boundsHtml({ minimum, maximum, maxLength, maxItems, default: usual }: JsonSchema): string {
  const bounds = [
    minimum === undefined ? "" : `at least ${minimum}`,
    maximum === undefined ? "" : `at most ${maximum}`,
    maxLength === undefined ? "" : `at most ${maxLength} characters`,
    maxItems === undefined ? "" : `at most ${maxItems} entries`,
    usual === undefined ? "" : `default ${valueHtml(usual)}`,
  ].filter((bound) => bound !== "");
  return bounds.length === 0 ? "" : ` <span class="bounds">${bounds.join(", ")}</span>`;
}

/** Members of an object, of the entries of a list, and of each of several forms. */
function membersHtml(shape: JsonSchema): string {
  const { items, anyOf, properties, required = [] } = shape;
  if (items !== undefined)
    return isTuple(items)
      ? `<ul class="members">${items.map((item) => `<li>${shapeHtml(item)}</li>`).join("")}</ul>`
      : membersHtml(items);
  if (anyOf !== undefined) return anyOf.map(membersHtml).join("");
  if (properties === undefined) return "";
  const members = Object.entries(properties).map(([name, member]) => {
    const optional = required.includes(name) ? "" : ' <span class="bounds">optional</span>';
    const text = member.description === undefined ? "" : `<p>${textHtml(member.description)}</p>`;
    const { description: _, ...bare } = member;
    return `<li><code>${escapeHtml(name)}</code> <span class="kind">${kindHtml(bare)}</span>${optional}${boundsHtml(bare)}${text}${membersHtml(bare)}</li>`;
  });
  return `<ul class="members">${members.join("")}</ul>`;
}

function isTuple(items: JsonSchema | readonly JsonSchema[]): items is readonly JsonSchema[] {
  return Array.isArray(items);
}
