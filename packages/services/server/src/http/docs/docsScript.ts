/** Search, anchors that open their route, and sending a request to this node. Only text is ever added to the page. */
export const docsScript = `const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const routes = all("main .route");
const maxShown = 200000;

const openHash = () => {
  const at = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!at) return;
  if (at.matches(".route")) at.open = true;
  at.scrollIntoView();
};
addEventListener("hashchange", openHash);
if (matchMedia("(max-width: 900px)").matches) $("nav.routes details").open = false;

const find = $("#find");
const search = () => {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const links = new Map(all("[data-route]").map((link) => [link.dataset.route, link]));
  let found = 0;
  for (const route of routes) {
    const text = (route.id + " " + $("summary", route).textContent).toLowerCase();
    const isFound = words.every((word) => text.includes(word));
    route.hidden = !isFound;
    const link = links.get(route.id);
    if (link) { link.hidden = !isFound; if (isFound) found += 1; }
  }
  for (const part of all("main section")) part.hidden = words.length > 0 && !all(".route", part).some((route) => !route.hidden);
  for (const group of all("nav.routes details > ul > li")) group.hidden = words.length > 0 && !all("[data-route]", group).some((link) => !link.hidden);
  $(".find [role=status]").textContent = words.length === 0 ? "" : found === 1 ? "1 route" : found + " routes";
};
$(".find").hidden = false;
find.addEventListener("input", search);
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  find.focus();
});

const requestOf = (form) => {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const { name, value, dataset } of all("input", form))
    if (dataset.in === "path") path = path.replace("{" + name + "}", encodeURIComponent(value));
    else if (value !== "") query.append(name, value);
  const body = $("textarea", form);
  const headers = { ...(body && { "content-type": body.dataset.type }), ...($("#key").value && { "x-api-key": $("#key").value }) };
  return {
    headers,
    url: location.origin + path + (query.size === 0 ? "" : "?" + query),
    method: form.dataset.method,
    ...(body && { body: body.value }),
  };
};
const quoted = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'";
const showCommand = (form) => {
  const { url, method, body, headers } = requestOf(form);
  $(".curl", form).textContent = "curl " + (method === "GET" ? "" : "-X " + method + " ") + quoted(url) + (body === undefined ? "" : " -H " + quoted("content-type: " + headers["content-type"]) + " --data-binary " + quoted(body));
};
/** Lines for what came in one; numbers of 64 bits stay as the node wrote them. */
const indented = (text) => {
  let depth = 0, isText = false, shown = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isText) { shown += sign; if (sign === "\\\\") shown += text[++at] ?? ""; else if (sign === '"') isText = false; continue; }
    if (sign === '"') isText = true;
    if (/\\s/.test(sign)) continue;
    if ("}]".includes(sign)) { depth -= 1; shown += /[{[]$/.test(shown) ? "" : "\\n" + "  ".repeat(Math.max(0, depth)); }
    shown += sign === ":" ? ": " : sign;
    if ("{[".includes(sign)) { depth += 1; if (!/[}\\]]/.test(text[at + 1])) shown += "\\n" + "  ".repeat(depth); }
    if (sign === ",") shown += "\\n" + "  ".repeat(depth);
  }
  return shown;
};
const send = async (form, signal) => {
  const { url, ...request } = requestOf(form);
  const [status, shown] = [$("[role=status]", form), $(".answer", form)];
  const since = performance.now();
  status.textContent = "Sent…";
  shown.hidden = true;
  const answer = await fetch(url, { ...request, signal });
  const head = () => "Status " + answer.status + ", " + Math.round(performance.now() - since) + " ms, " + (answer.headers.get("content-type") ?? "no content");
  status.textContent = head();
  shown.hidden = false;
  shown.textContent = "";
  const isJson = /json/.test(answer.headers.get("content-type") ?? "");
  const decoder = new TextDecoder();
  let text = "";
  const reader = answer.body?.getReader();
  for (let part = await reader?.read(); part && !part.done && text.length < maxShown; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (!isJson) shown.textContent = text;
  }
  const isCut = text.length >= maxShown;
  if (isCut) void reader.cancel();
  shown.textContent = (isJson ? indented(text.slice(0, maxShown)) : text.slice(0, maxShown)) + (isCut ? "\\n… (cut here)" : "");
  status.textContent = head();
};
for (const form of all(".try")) {
  form.hidden = false;
  showCommand(form);
  form.addEventListener("input", () => showCommand(form));
  const stop = $(".stop", form);
  let ending = new AbortController();
  stop.addEventListener("click", () => ending.abort());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    ending.abort();
    const own = new AbortController();
    ending = own;
    stop.hidden = false;
    try { await send(form, own.signal); }
    catch (error) { if (ending === own) $("[role=status]", form).textContent = own.signal.aborted ? "Stopped." : "No answer: " + error.message; }
    finally { if (ending === own) stop.hidden = true; }
  });
}
openHash();
`;
