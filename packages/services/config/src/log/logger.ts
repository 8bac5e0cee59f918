import pino from "pino";
import type { Level, Line } from "./Line.js";
import type { LogLevels } from "./LogLevels.js";

/** Takes lines of the log. */
export type Log = (line: Line) => void;

/** Where the log goes. */
export interface LogStream {
  readonly isTTY?: boolean;
  /** Whether it ends in the journal of systemd. */
  readonly isJournal?: boolean;
  write(text: string): unknown;
}

/** Characters of one line; more than any line of ours has. */
const longestLine = 16_384;

/**
 * Human lines on a terminal and in systemd's journal, JSON elsewhere. A line of the log is one line of the output, whatever strangers put into
 * it.
 *
 * @spec 50 §6.3
 * @param count receives the level of every line that is written
 */
export function createLog(stream: LogStream, levels: LogLevels, count?: (level: Level) => void): Log {
  const write = writerOf(stream);
  return (line) => {
    if (!levels.isEnabled(line)) return;
    for (const text of [line.text, ...(line.more ?? [])]) write(line, short(text));
    count?.(line.level);
  };
}

type Write = (line: Line, text: string) => void;

function writerOf(stream: LogStream): Write {
  if (stream.isJournal === true) return journalWriter(stream);
  return stream.isTTY === true ? humanWriter(stream) : jsonWriter(stream);
}

/** As syslog counts them; the journal takes them from the beginning of a line. */
const priorities: { readonly [L in Level]: number } = { debug: 7, info: 6, warn: 4, error: 3 };

/** `<priority>[LEVEL] message`: the journal notes the time by itself. */
function journalWriter(stream: LogStream): Write {
  return ({ level }, text) => {
    stream.write(`<${priorities[level]}>[${level.toUpperCase()}] ${printable(text)}\n`);
  };
}

/** `HH:mm:ss.SSS [LEVEL] message`, times in UTC as everywhere. @spec 50 §6.3 */
function humanWriter(stream: LogStream): Write {
  return ({ level }, text) => {
    const time = new Date().toISOString().slice(11, 23);
    stream.write(`${time} [${level.toUpperCase()}] ${printable(text)}\n`);
  };
}

function jsonWriter(stream: LogStream): Write {
  const logger = pino(
    {
      level: "debug",
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // pino escapes what JSON wants escaped, which is less than what drives terminals.
    { write: (text: string) => void stream.write(`${printable(text.trimEnd())}\n`) },
  );
  return ({ level, area }, text) => logger[level]({ area }, text);
}

function short(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine)}… (${text.length} characters)` : text;
}

/** Characters that end lines, drive a terminal, turn the direction of writing, or are invisible. */
const unprintable = /[\p{Cc}\u061c\u180e\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const shortNames: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text without characters that do something: each is shown as an escape, which JSON reads as the same character. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => shortNames[character] ?? escaped(character));
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
