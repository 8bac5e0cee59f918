import pino, { type Logger } from "pino";
import type { Line } from "./Line.js";

/** Takes lines of the log. */
export type Log = (line: Line) => void;

/** Human lines on a terminal, JSON elsewhere. */
export function createLog(stream: NodeJS.WriteStream, level: string): { readonly log: Log; readonly pino: Logger } {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream.isTTY ? humanStream(stream) : stream,
  );
  const log: Log = ({ level: lineLevel, text }) => {
    for (const part of text.split("\n")) logger[lineLevel](part);
  };
  return { log, pino: logger };
}

/** `HH:mm:ss.SSS [LEVEL] message`. @spec 50 §6.3 */
function humanStream(stream: NodeJS.WriteStream): { write(text: string): void } {
  return {
    write(text) {
      const { time, level, msg } = JSON.parse(text) as { time: string; level: string; msg: string };
      stream.write(`${time.slice(11, 23)} [${level.toUpperCase()}] ${msg}\n`);
    },
  };
}
