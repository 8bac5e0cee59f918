import { serveRanges } from "./seedProcesses.js";

serveRanges();
