import { escapeHtml, pageHeader } from "../../guide/index.js";
import type { Content, JsonSchema, OpenApi, OpenApiOperation, Parameter } from "./OpenApi.js";
import { shapeHtml, textHtml, valueHtml } from "./shapeHtml.js";

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
  /** Other paths of the same route. */
  readonly aliases: readonly string[];
}

/** The page of an OpenAPI document: every route with parameters, shapes, examples and a form that sends it. */
export function docsHtml(document: OpenApi): string {
  const { info, tags, components } = document;
  const routes = routesOf(document);
  const groups = tags.map((tag) => ({
    ...tag,
    id: `group-${anchorOf(tag.name)}`,
    routes: routes.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const contents = groups.map(
    ({ name, id, routes: own }) =>
      `<li><a href="#${id}">${escapeHtml(name)}</a><ul>${own.map(linkHtml).join("")}</ul></li>`,
  );
  const parts = groups.map(
    ({ name, id, description, routes: own }) =>
      `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(name)}</h2><p>${textHtml(description)}</p>${own.map(routeHtml).join("\n")}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>API · Vedette</title>
<link rel="icon" type="image/svg+xml" href="/docs/mark.svg"><link rel="stylesheet" href="/docs/style.css"><script src="/guide/frame.js"></script><script src="/docs/script.js" type="module"></script></head><body>
${pageHeader("/", "API")}
<div class="sides"><nav class="routes" aria-label="Routes"><details open><summary>Routes</summary><ul>${contents.join("")}<li><a href="#shapes">Shapes</a></li></ul></details></nav>
<main><h1>HTTP API</h1><p>${textHtml(info.description)}</p>
<p>Version ${escapeHtml(info.version)}. For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<div class="find" hidden><label for="find">Find a route</label><input id="find" type="search" autocomplete="off" spellcheck="false" placeholder="balance, /v2/deploy, proof"><p role="status"></p><details><summary>API key, if this node requires one</summary><input id="key" type="password" autocomplete="off" aria-label="API key"></details></div>
<section aria-labelledby="every"><h2 id="every">Every route</h2><p>Every route accepts these parameters, and answers with these headers.</p>
${parametersHtml(Object.values(components.parameters))}
<dl>${Object.entries(components.headers)
    .map(([name, { description }]) => `<dt><code>${escapeHtml(name)}</code></dt><dd>${textHtml(description)}</dd>`)
    .join("")}</dl></section>
${parts.join("\n")}
<section aria-labelledby="shapes"><h2 id="shapes">Shapes</h2><p>Values that several routes share.</p>
${Object.entries(components.schemas).map(namedShapeHtml).join("\n")}</section>
</main></div></body></html>`;
}

/** The routes, each once: the document lists each path of a route as an operation. */
function routesOf({ paths }: OpenApi): Route[] {
  const routes = new Map<string, Route & { readonly aliases: string[] }>();
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const [, first = ""] = /^(.+)Alias\d*$/.exec(operation.operationId) ?? [];
      const route = routes.get(first);
      if (route !== undefined) route.aliases.push(path);
      else routes.set(operation.operationId, { method: method.toUpperCase(), path, operation, aliases: [] });
    }
  return [...routes.values()];
}

function linkHtml({ method, path, operation }: Route): string {
  return `<li data-route="${operation.operationId}"><a href="#${operation.operationId}"><b>${method}</b> ${pathHtml(path)}</a></li>`;
}

/** A path may break behind its slashes. */
function pathHtml(path: string): string {
  return escapeHtml(path).replaceAll("/", "/<wbr>");
}

function routeHtml(route: Route): string {
  const { method, path, operation, aliases } = route;
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const own = parameters.filter((parameter) => "name" in parameter);
  const { 200: answer, ...others } = responses;
  return `<details class="route" id="${operationId}"><summary><b class="method">${method}</b> <code>${pathHtml(path)}</code> <span>${textHtml(summary)}</span></summary><div class="inner">
${description === undefined ? "" : `<p>${textHtml(description)}</p>`}<p>${aliases.length === 0 ? "" : `Also ${aliases.map(valueHtml).join(", ")}. `}<a href="#${operationId}">Link to this route</a></p>
${own.length === 0 ? "" : `<h3>Parameters</h3>${parametersHtml(own)}`}
${Object.entries(requestBody?.content ?? {})
  .map(([type, content]) => contentHtml(`Body: ${type}`, content))
  .join("")}
${
  answer === undefined
    ? ""
    : `<h3>Answer</h3><p>${textHtml(answer.description)}</p>${Object.entries(answer.content)
        .map(([type, content]) => contentHtml(type, content))
        .join("")}`
}
<h3>Other answers</h3><ul>${Object.entries(others)
    .map(
      ([status, { description: text, content }]) =>
        `<li><b>${status}</b> ${textHtml(text)}${refusalHtml(content)}</li>`,
    )
    .join("")}</ul>
${tryHtml(route, own)}</div></details>`;
}

function refusalHtml(content: Readonly<Record<string, Content>>): string {
  const shapes = Object.values(content).map(({ schema }) => shapeHtml(schema));
  return shapes.length === 0 ? "" : ` (${shapes.join(", ")})`;
}

function parametersHtml(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required = false, description = "", schema, example }) => {
    const shown = example === undefined ? "" : `<p class="example">Example: ${valueHtml(example)}</p>`;
    return `<li><code>${escapeHtml(name)}</code> ${shapeHtml(schema)} <span class="bounds">in the ${place}${required ? "" : ", optional"}</span><p>${textHtml(description)}</p>${shown}</li>`;
  });
  return `<ul class="members">${rows.join("")}</ul>`;
}

function contentHtml(title: string, { schema, examples = {} }: Content): string {
  const shown = Object.values(examples).map(
    ({ summary, value }) =>
      `<details><summary>Example: ${escapeHtml(summary)}</summary>${boxHtml(`Example: ${summary}`, printed(value))}</details>`,
  );
  return `<details open><summary>${escapeHtml(title)}</summary>${shapeHtml(schema)}</details>${shown.join("")}`;
}

function boxHtml(name: string, text: string): string {
  return `<pre role="region" tabindex="0" aria-label="${escapeHtml(name)}">${escapeHtml(text)}</pre>`;
}

function printed(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Shown by the script only, which sends what is typed to this node. */
function tryHtml({ method, path, operation }: Route, parameters: readonly Parameter[]): string {
  const { operationId, requestBody } = operation;
  const fields = parameters.map(({ name, in: place, required = false, example = "" }) => {
    const id = escapeHtml(`${operationId}-${name}`);
    return `<label for="${id}">${escapeHtml(name)}</label><input id="${id}" name="${escapeHtml(name)}" data-in="${place}" value="${escapeHtml(required ? String(example) : "")}"${required ? " required" : ""} autocomplete="off" spellcheck="false">`;
  });
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type !== undefined) {
    const value = Object.values(content?.examples ?? {})[0]?.value ?? "";
    fields.push(
      `<label for="${operationId}-body">Body</label><textarea id="${operationId}-body" data-type="${type}" rows="8" spellcheck="false">${escapeHtml(printed(value))}</textarea>`,
    );
  }
  return `<form class="try" hidden data-method="${method}" data-path="${escapeHtml(path)}"><h3>Try it on this node</h3>${fields.join("")}
<div><button type="submit">Send</button> <button type="button" class="stop" hidden>Stop</button></div><pre class="curl" role="region" tabindex="0" aria-label="As a command"></pre>
<p role="status"></p><pre class="answer" role="region" tabindex="0" aria-label="Answer of the node" hidden></pre></form>`;
}

function namedShapeHtml([name, shape]: [string, JsonSchema]): string {
  const { description, ...bare } = shape;
  return `<details class="route" id="shape-${name}"><summary><code>${name}</code></summary><div class="inner">${description === undefined ? "" : `<p>${textHtml(description)}</p>`}${shapeHtml(bare)}</div></details>`;
}

function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}
