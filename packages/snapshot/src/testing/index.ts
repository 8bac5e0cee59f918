export { SnapshotWorld } from "./SnapshotWorld.js";
