import { type Logger, pino } from 'pino';
import { harmlessJson } from '../../events/values/harmless-json.ts';

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type Level = (typeof logLevels)[number];

/** Creates a logger that writes one JSON object per line. It loads pino before the first line, because most processes write none. */
export function createLog(level: Level, write: (line: string) => void): Logger {
  return lateLog(level, () => pino({ level, base: null }, { write: (line) => write(harmlessJson(line)) }));
}

/** Returns a logger that is made before its first line, or when anything but its methods is read. */
function lateLog(level: Level, make: () => Logger): Logger {
  let made: Logger | undefined;
  const log = (): Logger => {
    made ??= make();
    return made;
  };
  const isWritten = (name: Level): boolean => logLevels.indexOf(name) <= logLevels.indexOf(level);
  const lineOf = (name: Level) => (fields: object, message?: string) => isWritten(name) && log()[name](fields, message);
  const methods = new Map<PropertyKey, unknown>(logLevels.map((name) => [name, lineOf(name)]));
  methods.set('child', (bindings: object) => lateLog(level, () => log().child(bindings)));
  return new Proxy({} as Logger, {
    get(_, name) {
      if (methods.has(name)) return methods.get(name);
      const own: unknown = Reflect.get(log(), name);
      return typeof own === 'function' ? own.bind(log()) : own;
    },
  });
}
