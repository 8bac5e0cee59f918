import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { frameScript, pageHeader, pageStyle } from "../guide/index.js";

const style = `${pageStyle}
body{display:grid;grid-template:auto auto 1fr/1fr 1fr;height:100vh}body>*{min-width:0}
.top,.tools{grid-column:1/3}.tools{padding:.6rem 24px;display:flex;gap:1rem;align-items:center}
h1{font-size:1rem;margin:0}main.about{grid-column:1/3;padding:32px 24px;max-width:44rem}
#run,summary{white-space:nowrap}#run{padding:6px 12px;border:1px solid var(--line-strong);border-radius:10px;background:var(--panel);color:var(--text);font:600 13px var(--sans)}
textarea,pre{font:13px/1.5 var(--mono);margin:0;padding:1rem 24px;border:0;border-top:1px solid var(--line);background:var(--panel);color:var(--text);overflow:auto}
textarea{resize:none;border-right:1px solid var(--line)}.tools details{margin-left:auto;max-width:50%}
code{font-family:var(--mono)}
@media(max-width:700px){body{grid-template:auto auto 1fr 1fr/minmax(0,1fr)}.top,.tools,main.about{grid-column:1}.tools{padding:.6rem 16px;gap:.6rem}}`;

const script = `const q=document.querySelector("textarea"),a=document.querySelector("pre"),n=document.querySelector("#tables");
const ask=async(query)=>(await fetch(location.pathname,{method:"POST",body:JSON.stringify({query})})).json();
const run=async()=>{a.textContent="…";try{a.textContent=JSON.stringify(await ask(q.value),null,2)}catch(e){a.textContent=String(e)}};
document.querySelector("#run").onclick=run;
q.onkeydown=(e)=>{if(e.key==="Enter"&&(e.ctrlKey||e.metaKey)){e.preventDefault();run()}};
ask("{ __schema { queryType { fields { name description } } } }").then(({data})=>{n.textContent=data.__schema.queryType.fields.filter(({name})=>!/_by_pk$|_aggregate$/.test(name)).map(({name})=>name).join(", ")});`;

const pageOf = (
  content: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>GraphQL · Vedette</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style><script>${frameScript}</script></head><body>
${pageHeader("/", "GraphQL")}${content}</body></html>`;

const queryPage =
  pageOf(`<div class="tools"><h1>GraphQL</h1><button type="button" id="run">Run (Ctrl+Enter)</button><details><summary>Tables</summary><p id="tables"></p></details></div>
<textarea aria-label="Query" spellcheck="false">{
  blocks(limit: 5, order_by: {block_number: desc}) {
    block_number
    block_hash
    proposer
    deployments { deploy_id errored phlo_cost }
  }
}</textarea><pre role="region" aria-label="Answer" aria-live="polite" tabindex="0"></pre><script>${script}</script>`);

const absentPage = pageOf(`<main class="about"><h1>GraphQL</h1>
<p>This node keeps no index, which GraphQL reads from. Set <code>index.enabled = true</code> in its configuration, or start it with <code>--index</code>.</p>
<p><a href="/guide/protocol/60-index">What the index has, and what it costs</a></p></main>`);

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)} ${hashOf(frameScript)}`,
  `style-src ${hashOf(style)}`,
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** A page on which queries can be tried; it loads nothing from elsewhere. */
export function graphqlPage(reply: FastifyReply): FastifyReply {
  return sendPage(reply, queryPage);
}

/** On a node without an index `/graphql` explains to a browser how to have one; programs find nothing there. */
export function serveGraphqlAbsence(server: FastifyInstance): void {
  server.get("/graphql", (request, reply) =>
    isPageWanted(request) ? sendPage(reply.code(404), absentPage) : server.conventions.answerNotFound(request, reply),
  );
}

/** A browser that shows a page. */
export function isPageWanted({ headers, query }: FastifyRequest): boolean {
  const accept = headers.accept ?? "";
  return (query as Record<string, unknown>)["query"] === undefined && accept.includes("text/html");
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header("content-type", "text/html; charset=UTF-8")
    .header("content-security-policy", policy)
    .header("cache-control", "no-store")
    .send(Buffer.from(page));
}
