import { toHex } from "@vedette/client";
import { createLightClient, type LightClient, LightClientError } from "@vedette/light";
import { VerifiedExplorer } from "@vedette/light/explore";
import { type Par, PrintError } from "@vedette/terms";
import { failedFinding, wrongAnswer } from "./failedFinding.js";
import { proofTerms } from "./proofTerms.js";
import type { OwnName, OwnRun, ProgramTask, RunReply, RunRequest } from "./runMessages.js";

// Programs run here, so that a long one never stops the page. One explorer is kept: it has pieces of states.
let place: { readonly hash: string; readonly client: LightClient; readonly explorer: VerifiedExplorer } | undefined;

addEventListener("message", ({ data }: MessageEvent<RunRequest>) => {
  void replyTo(data).then((reply) => postMessage(reply));
});

async function replyTo(request: RunRequest): Promise<RunReply> {
  try {
    const { client, explorer } = await placeOf(request);
    const { task } = request;
    const own = "uri" in task ? await nameAt(explorer, client, task.uri) : await runOn(explorer, client, task);
    const wrong = client.servers.filter(({ state }) => state === "wrong");
    return { own, lies: wrong.map(({ reason }) => wrongAnswer("pieces of the state", reason)) };
  } catch (error) {
    if (!(error instanceof LightClientError)) return { problem: String((error as Error).message), lies: [] };
    const { lies, left } = failedFinding(error);
    return { problem: left.join("; "), lies };
  }
}

async function placeOf({ url, checkpoint }: RunRequest) {
  if (place?.hash !== checkpoint.blockHash) {
    const client = await createLightClient({ checkpoint, servers: [url] });
    place = { hash: checkpoint.blockHash, client, explorer: new VerifiedExplorer(client) };
  }
  return place;
}

async function runOn(
  explorer: VerifiedExplorer,
  { dialect }: LightClient,
  { source, phloLimit }: ProgramTask,
): Promise<OwnRun> {
  const { result, block, read } = await explorer.explore(source, { phloLimit });
  const values = result.kind === "values" ? result.pars : undefined;
  return {
    results: values?.map((par) => printed(par, proofTerms[dialect.name].print)),
    error: result.kind === "failed" ? result.error.message : undefined,
    cost: result.cost,
    root: toHex(block.postState),
    read: read.map(toHex),
  };
}

async function nameAt(explorer: VerifiedExplorer, { dialect }: LightClient, uri: string): Promise<OwnName> {
  const { name, read } = await explorer.getName(uri);
  const { form } = proofTerms[dialect.name];
  return { channel: name && toHex(form.encodeChannel(name)), read: read.map(toHex) };
}

function printed(par: Par, print: (par: Par) => string): string | null {
  try {
    return print(par);
  } catch (error) {
    if (error instanceof PrintError) return null;
    throw error;
  }
}
