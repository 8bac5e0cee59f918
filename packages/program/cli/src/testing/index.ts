export { patienceMs, until } from "@vedette/testing";
export { DevProcess, type DevReady } from "./DevProcess.js";
export { freePorts, type NodePorts, NodeProcess, portOptions, program } from "./NodeProcess.js";
