import { type Logger, pino } from 'pino';
import { harmlessJson } from './harmless-json.ts';

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** A logger to stderr, one JSON object a line. */
export function createLog(level: (typeof logLevels)[number]): Logger {
  return pino({ level, base: null }, { write: (line) => void process.stderr.write(harmlessJson(line)) });
}
