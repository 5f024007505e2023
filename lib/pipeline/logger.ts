import { messageOf, propertyOf, textOf } from '../errors/describe-thrown.ts';

/** Maximum lines of a stack on the console. */
const STACK_LINES = 6;

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Writes one line: `fields` are data, `message` describes the event. A plain text is a message without data. */
export type LogMethod = (fields: object | string, message?: string) => void;

/** The port for log lines of the engine and its hooks. A pino logger is valid, and so are most others. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  /** Returns a logger that adds `bindings` to each line. Without it, the engine adds them itself. */
  child?(bindings: object): Logger;
}

/** A logger that can create children. */
export interface ParentLogger extends Logger {
  child(bindings: object): ParentLogger;
}

/** Writes warnings and errors to the console. The default of a pipeline. */
export const consoleLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => console.warn(consoleLine(fields, message)),
  error: (fields, message) => console.error(consoleLine(fields, message)),
};

/** Discards all lines. */
export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Returns `log` with children. A line that cannot be written does not throw into the run. */
export function safeLogger(log: Logger, bindings: object = {}): ParentLogger {
  const method =
    (level: Level): LogMethod =>
    (fields, message) => {
      try {
        if (typeof fields === 'string') letGo(log[level](bindings, fields));
        else letGo(log[level]({ ...bindings, ...fields }, message));
      } catch (thrown) {
        writeAsText(log, level, typeof fields === 'string' ? bindings : { ...bindings, ...fields }, message, thrown);
      }
    };
  return {
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
    child(more) {
      const all = { ...bindings, ...more };
      const own = childOf(log, all);
      return own ? safeLogger(own) : safeLogger(log, all);
    },
  };
}

/** Returns whether `value` has the methods of a logger. */
export function isLogger(value: unknown): value is Logger {
  const log = value as Partial<Logger> | null | undefined;
  return [log?.debug, log?.info, log?.warn, log?.error].every((method) => typeof method === 'function');
}

/** Returns the logger's own child, or undefined if it cannot create one. */
function childOf(log: Logger, bindings: object): Logger | undefined {
  try {
    const made: unknown = log.child?.(bindings);
    if (isLogger(made)) return made;
    letGo(made);
    return undefined;
  } catch {
    return undefined;
  }
}

/** An asynchronous logger may fail later. */
function letGo(written: unknown): void {
  if (typeof written === 'object' && written !== null) Promise.resolve(written).catch(() => {});
}

/** Replaces data that the logger cannot write, such as a thrown value without a text, by text. */
function writeAsText(log: Logger, level: Level, fields: object, message: string | undefined, thrown: unknown): void {
  const texts = Object.entries(fields).map(([key, value]) => [
    key,
    ['object', 'bigint'].includes(typeof value) ? messageOf(value) : value,
  ]);
  try {
    letGo(log[level]({ ...Object.fromEntries(texts), logFailed: messageOf(thrown) }, message));
  } catch {
    // A logger that rejects even text is the host's problem.
  }
}

/** One line with the message, its bindings, and the first frames of the error. */
function consoleLine(fields: object | string, message = ''): string {
  if (typeof fields === 'string') return `hookline: ${fields}`;
  const { err, ...rest } = fields as { err?: unknown };
  const data = Object.keys(rest).length === 0 ? '' : ` ${textOf(rest)}`;
  return `hookline: ${message}${data}${err === undefined ? '' : `\n  ${thrownText(err)}`}`;
}

function thrownText(thrown: unknown): string {
  const stack = propertyOf(thrown, 'stack');
  return typeof stack === 'string' ? stack.split('\n').slice(0, STACK_LINES).join('\n  ') : messageOf(thrown);
}

/** Logs at a level that not every logger has: `trace` falls back to `debug`, and `fatal` to `error`. */
export function logAt(log: Logger, level: Level | 'trace' | 'fatal', fields: object, message: string): void {
  const own = (log as unknown as Record<string, unknown>)[level];
  if (typeof own === 'function') own.call(log, fields, message);
  else log[level === 'fatal' ? 'error' : 'debug'](fields, message);
}

/** Logs the error of an abandoned task. Nothing waits for the task, so nothing else fails. */
export function logTeardown(log: Logger | undefined, thrown: unknown): void {
  log?.error({ err: thrown }, 'a teardown threw');
}
