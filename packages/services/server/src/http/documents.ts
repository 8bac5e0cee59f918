import fastifySwagger from "@fastify/swagger";
import fastifySwaggerUi from "@fastify/swagger-ui";
import { openApiDocument, type openApiRoute, printJson } from "@vedette/api";
import { version } from "@vedette/config";
import type { FastifyInstance } from "fastify";
import { pageHeader, pageMark, pageStyle, themeScript } from "../guide/index.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

const facts = {
  title: "Vedette",
  version,
  description:
    "The HTTP API of a Vedette node. Routes below `/api`, and `/status`, follow rnode; on f1r3node networks they follow f1r3node. rnode refuses with status 400 and a JSON string (`/api/v1`: an array of strings), f1r3node with an object of `error` and `message`. Routes below `/v2` are Vedette extensions and refuse with `application/problem+json`. Amounts in answers of `/v2` are decimal strings; all other 64-bit integers are JSON numbers, which clients must parse without rounding. Requests accept both forms.",
};

/** What makes the pages of the description look like the explorer. */
const style = `.swagger-ui { font-family: var(--sans); }
html.dark-mode, html.dark-mode body, html.dark-mode .swagger-ui { background: var(--bg); }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container { background: var(--panel); box-shadow: none; }
.swagger-ui .wrapper { padding: 0 24px; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .opblock-summary-path { max-width: 100%; }
  .swagger-ui .opblock-summary-description { display: none; }
}
`;
/** Runs behind the pages' own scripts. */
const script = `${themeScript}
const root = document.documentElement;
const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
root.classList.toggle("dark-mode", isDark);
const view = document.createElement("meta");
view.name = "viewport";
view.content = "width=device-width, initial-scale=1";
document.head.append(view);
document.body.insertAdjacentHTML("afterbegin", ${JSON.stringify(pageHeader("/", "API"))});
`;

/** `GET /openapi.json`, and pages that show it at `/docs`. Has to come after all other routes. */
export function registerDocuments(server: FastifyInstance, route: typeof openApiRoute): void {
  let known: string | undefined;
  const text = () => {
    known ??= printJson(openApiDocument(server.contracts, facts));
    return known;
  };
  serve(server, route, () => new JsonText(text()));
  // Runs when the routes of all plugins are there.
  // biome-ignore lint/nursery/noMisusedPromises: a plugin may be asynchronous, the server waits for it
  void server.register(async (pages) => {
    // Written when somebody asks for it: it is long, and most servers begin and end without.
    const document = { toJSON: () => JSON.parse(text()) as object };
    await pages.register(fastifySwagger, { mode: "static", specification: { document: document as never } });
    await pages.register(fastifySwaggerUi, {
      routePrefix: "/docs",
      theme: {
        title: "Vedette: HTTP API",
        css: [{ filename: "vedette.css", content: `${pageStyle}${style}` }],
        js: [{ filename: "vedette.js", content: script }],
        favicon: [{ filename: "mark.svg", rel: "icon", type: "image/svg+xml", sizes: "any", content: pageMark }],
      },
      staticCSP: true,
      // The node has no TLS of its own, and the pages need nobody else's help.
      transformStaticCSP: (policy) =>
        policy.replace(/ ?upgrade-insecure-requests;?/, "").replace(" validator.swagger.io", ""),
      // Without the bar, which has the logo of another product.
      uiConfig: {
        layout: "BaseLayout",
        validatorUrl: null,
        docExpansion: "list",
        deepLinking: true,
        tryItOutEnabled: true,
      },
    });
  });
}
