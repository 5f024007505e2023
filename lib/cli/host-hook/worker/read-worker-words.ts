import { presets } from '../../presets/preset.ts';
import { isDialect } from '../dialects/dialect-names.ts';
import {
  type HostHookFlags,
  isSeconds,
  MOST_IDLE,
  MOST_TIMEOUT,
  USUAL_IDLE,
  USUAL_TIMEOUT,
} from '../host-hook-flags.ts';
import type { JudgingFlags } from './serve-judging.ts';

type Flags = { -readonly [K in keyof JudgingFlags]?: JudgingFlags[K] } & { config: string[]; hooks: string[] };

/** Sets an option that is valid. */
type Take = (flags: Flags, value: string) => boolean;

const options: Readonly<Record<string, Take>> = {
  '--as': (flags, value) => isDialect(value) && put(flags, { as: value }),
  '--config': ({ config }, value) => config.push(value) > 0,
  '--hooks': ({ hooks }, value) => hooks.push(value) > 0,
  '--preset': (flags, value) => isOneOf(presets, value) && put(flags, { preset: value }),
  '--ask': (flags, value) => isOneOf(asks, value) && put(flags, { ask: value }),
  '--timeout': (flags, value) => isSeconds(value, MOST_TIMEOUT) && put(flags, { timeout: Number(value) }),
  '--idle': (flags, value) => isSeconds(value, MOST_IDLE) && put(flags, { idle: Number(value) }),
};

const asks: readonly NonNullable<HostHookFlags['ask']>[] = ['ask', 'deny'];

const switches: Readonly<Record<string, Flags | object>> = {
  '--allow-weaker': { allowWeaker: true },
  '--fail-open': { failOpen: true },
  '--daemon': { daemon: true },
  '--worker': {},
};

/**
 * Reads the words of a call as the option parser of the command would, without loading it, because each call of a tool waits for that. Returns `undefined`
 * for words that are rare or invalid: the command reads these.
 */
export function readWorkerWords(words: readonly string[]): JudgingFlags | undefined {
  const flags: Flags = { config: [], hooks: [] };
  for (let at = 1; at < words.length; at++) {
    const [, name = '', own] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(words[at]!) ?? [];
    if (Object.hasOwn(switches, name) && own === undefined) Object.assign(flags, switches[name]);
    else if (Object.hasOwn(options, name)) {
      const value = own ?? words[++at] ?? '';
      if (value === '' || value.startsWith('-') || !options[name]!(flags, value)) return undefined;
    } else return undefined;
  }
  const { as, daemon, idle = USUAL_IDLE, timeout = USUAL_TIMEOUT } = flags;
  if (words[0] !== 'hook' || as === undefined || (flags.idle !== undefined && !daemon)) return undefined;
  return { ...flags, as, idle, timeout };
}

function put(flags: Flags, values: Partial<JudgingFlags>): true {
  Object.assign(flags, values);
  return true;
}

function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value);
}
