import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { StateProofJson } from "@vedette/client/proof";
import { GString, type Par, parOfExpr } from "@vedette/terms";
import { expect } from "vitest";

export const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface Facts {
  readonly port: number;
  /** The first one's state is not there. */
  readonly blocks: readonly { readonly hash: string; readonly root: string }[];
  readonly address: string;
}

export interface Entries {
  readonly root: string;
  readonly block: unknown;
  readonly names: readonly unknown[];
  readonly entries: readonly { readonly [name: string]: unknown }[];
  readonly count: number;
  readonly proof: StateProofJson;
}

export interface Problem {
  readonly status: number;
  readonly field: string;
  readonly detail: string;
}

let node: ChildProcess;
export let facts: Facts;

/** Starts the node. */
export async function startStateNode(): Promise<void> {
  node = spawn(process.execPath, [file("dist/state/stateNode.js")], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(createInterface(node.stdout!), "line")) as [string];
  facts = JSON.parse(line);
}
/** Ends it. */
export async function endStateNode(): Promise<void> {
  if (node.exitCode !== null) return;
  node.stdin!.end();
  await once(node, "exit");
}

export interface Ask {
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
  /** From which of this machine's addresses. */
  readonly from?: string;
  readonly signal?: AbortSignal;
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly json: T;
}

export function ask<T>(path: string, { query = {}, body, from = "127.0.0.1", signal }: Ask = {}): Promise<Answer<T>> {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, String(value)]),
    ),
  );
  const url = `http://127.0.0.1:${facts.port}${path}?${search}`;
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, localAddress: from, signal }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        resolve({ status: answer.statusCode!, headers: answer.headers, json: JSON.parse(text) as T });
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export const entries = async (path: string, question: Ask): Promise<Entries> => {
  const { status, json } = await ask<Entries>(`/v2/state/${path}`, question);
  expect([status, json]).toEqual([200, json]);
  return json;
};

export const text = (value: string): Par => parOfExpr(new GString(value));
export const shownText = (data: string) => ({ expr: { ExprString: { data } }, rholang: `"${data}"` });
export const last = () => facts.blocks[2]!;
