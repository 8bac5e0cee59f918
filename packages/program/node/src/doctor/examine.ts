import { existsSync } from "node:fs";
import type { Config } from "@vedette/config";
import { isDirectoryLocked } from "../machine/dataDirectory.js";
import { bootstrapOf } from "../start/nodeNetwork.js";
import type { Diagnosis } from "./Diagnosis.js";
import { examineDisk } from "./disk.js";
import { examineClock, examineOpenFiles, examinePorts } from "./machine.js";
import { clockDifferenceMs, examineBootstrap, examineOwnAddress } from "./peers.js";
import { examineNode, examineSpeed } from "./program.js";

/** Looks at everything that a node with this configuration needs of its machine and its network; changes nothing. */
export async function* examine(config: Config): AsyncGenerator<Diagnosis> {
  const path = config["storage.data-dir"];
  const bootstrap = bootstrapOf(config);
  yield examineNode(process.versions.node);
  yield examineSpeed();
  yield* await examineDisk(path);
  yield examineOpenFiles(config);
  yield await examinePorts(config, existsSync(path) && (await isDirectoryLocked(path)));
  yield await examineOwnAddress(config);
  yield await examineBootstrap(bootstrap);
  yield examineClock(await clockDifferenceMs(bootstrap));
}
