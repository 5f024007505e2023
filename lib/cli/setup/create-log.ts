import { type Logger, pino } from 'pino';
import { harmlessJson } from '../terminal/harmless-json.ts';

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Creates a logger that writes one JSON object per line. */
export function createLog(level: (typeof logLevels)[number], write: (line: string) => void): Logger {
  return pino({ level, base: null }, { write: (line) => write(harmlessJson(line)) });
}
