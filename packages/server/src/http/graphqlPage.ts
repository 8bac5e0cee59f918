import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";

const style = `body{font:14px system-ui,sans-serif;margin:0;display:grid;grid-template:auto 1fr/1fr 1fr;height:100vh;color-scheme:light dark}
header{grid-column:1/3;padding:.6rem 1rem;display:flex;gap:1rem;align-items:center}
h1{font-size:1rem;margin:0}textarea,pre{font:13px ui-monospace,monospace;margin:0;padding:1rem;border:0;border-top:1px solid #8888;overflow:auto}
textarea{resize:none;border-right:1px solid #8888}details{margin-left:auto;max-width:50%}
@media(max-width:700px){body{grid-template:auto 1fr 1fr/1fr}header{grid-column:1}}`;

const script = `const q=document.querySelector("textarea"),a=document.querySelector("pre"),n=document.querySelector("#tables");
const ask=async(query)=>(await fetch(location.pathname,{method:"POST",body:JSON.stringify({query})})).json();
const run=async()=>{a.textContent="…";try{a.textContent=JSON.stringify(await ask(q.value),null,2)}catch(e){a.textContent=String(e)}};
document.querySelector("button").onclick=run;
q.onkeydown=(e)=>{if(e.key==="Enter"&&(e.ctrlKey||e.metaKey)){e.preventDefault();run()}};
ask("{ __schema { queryType { fields { name description } } } }").then(({data})=>{n.textContent=data.__schema.queryType.fields.filter(({name})=>!/_by_pk$|_aggregate$/.test(name)).map(({name})=>name).join(", ")});`;

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>GraphQL</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>
<header><h1>GraphQL</h1><button type="button">Run (Ctrl+Enter)</button><details><summary>Tables</summary><p id="tables"></p></details></header>
<textarea aria-label="Query" spellcheck="false">{
  blocks(limit: 5, order_by: {block_number: desc}) {
    block_number
    block_hash
    proposer
    deployments { deploy_id errored phlo_cost }
  }
}</textarea><pre aria-label="Answer" aria-live="polite"></pre><script>${script}</script></body></html>`;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page on which queries can be tried; it loads nothing from elsewhere. */
export function graphqlPage(reply: FastifyReply): FastifyReply {
  return reply
    .header("content-type", "text/html; charset=UTF-8")
    .header("content-security-policy", policy)
    .header("cache-control", "no-store")
    .send(Buffer.from(page));
}
