import { messageOf, propertyOf, textOf } from '../errors/describe-thrown.ts';

/** Lines of a stack on the console. */
const STACK_LINES = 6;

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Writes one line: `fields` are data, `message` says what happened. A plain text is a message without data. */
export type LogMethod = (fields: object | string, message?: string) => void;

/** Where the engine and its hooks write. A pino logger fits, and so do most others. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  /** A logger that adds `bindings` to each line. Without it, the engine adds them itself. */
  child?(bindings: object): Logger;
}

/** A logger that makes children. */
export interface ParentLogger extends Logger {
  child(bindings: object): ParentLogger;
}

/** Warnings and errors on the console: what a pipeline logs to that was given no logger. */
export const consoleLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => console.warn(consoleLine(fields, message)),
  error: (fields, message) => console.error(consoleLine(fields, message)),
};

/** For who wants to hear nothing. */
export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** `log` with children, and such that no line that cannot be written throws into the run. */
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

/** Whether `value` has the methods of a logger. */
export function isLogger(value: unknown): value is Logger {
  const log = value as Partial<Logger> | null | undefined;
  return [log?.debug, log?.info, log?.warn, log?.error].every((method) => typeof method === 'function');
}

/** The logger's own child; nothing where it makes none, or cannot. */
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

/** A logger that writes later may fail later. */
function letGo(written: unknown): void {
  if (typeof written === 'object' && written !== null) Promise.resolve(written).catch(() => {});
}

/** Data that the logger cannot write (somebody threw a value that has no text, say) goes as text. */
function writeAsText(log: Logger, level: Level, fields: object, message: string | undefined, thrown: unknown): void {
  const texts = Object.entries(fields).map(([key, value]) => [
    key,
    ['object', 'bigint'].includes(typeof value) ? messageOf(value) : value,
  ]);
  try {
    letGo(log[level]({ ...Object.fromEntries(texts), logFailed: messageOf(thrown) }, message));
  } catch {
    // A logger that does not even take text is its owner's affair.
  }
}

/** One line that says what happened and to whom, and the first frames of what was thrown. */
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

/** Logs at a level that not every logger has: `trace` goes as `debug` then, and `fatal` as `error`. */
export function logAt(log: Logger, level: Level | 'trace' | 'fatal', fields: object, message: string): void {
  const own = (log as unknown as Record<string, unknown>)[level];
  if (typeof own === 'function') own.call(log, fields, message);
  else log[level === 'fatal' ? 'error' : 'debug'](fields, message);
}

/** Logs what somebody threw who was let go of: nothing waits for that any more, so nothing fails of it. */
export function logTeardown(log: Logger | undefined, thrown: unknown): void {
  log?.error({ err: thrown }, 'something threw while it was let go of');
}
