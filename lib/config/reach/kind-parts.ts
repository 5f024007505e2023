import type { JsonObject } from '../../events/values/json-value.ts';
import type { ConfigPath } from '../source/source.ts';
import type { HostPart } from './host-parts.ts';

/** The parts of a host that a hook kind acts on. */
export interface KindParts {
  /** The hook has an effect if the host has one of these parts. */
  readonly any: readonly HostPart[];
  /** Returns the parts that the configured options act on. */
  readonly options?: (options: JsonObject) => readonly OptionPart[];
}

/** An option that acts on one part only. */
export interface OptionPart {
  readonly path: ConfigPath;
  readonly part: HostPart;
}

const surfaces: Readonly<Record<string, HostPart>> = {
  prompt: 'prompts',
  context: 'requests',
  text: 'answers',
  thinking: 'streams',
  toolInput: 'calls',
  toolResult: 'results',
  toolProgress: 'steps',
};
const judged: Readonly<Record<string, HostPart>> = { prompt: 'prompts', toolResult: 'results', answer: 'answers' };
const filtered: Readonly<Record<string, HostPart>> = {
  prompts: 'prompts',
  answers: 'answers',
  results: 'results',
  calls: 'calls',
};

/**
 * The parts that the built-in kinds act on, which determine the hosts they have an effect in. `process`, `command`, `module` and kinds of other
 * catalogues are missing, because their parts are defined by their code.
 */
export const kindParts: Readonly<Record<string, KindParts>> = {
  'audit-log': { any: ['calls'] },
  'auto-context': { any: ['requests'] },
  budget: {
    any: ['calls'],
    options: ({ limits }) =>
      itemsOf(limits).map(({ of, per = 'run' }, at) => ({ path: ['limits', at], part: spentOn(of, per === 'run') })),
  },
  'dangerous-confirmation': { any: ['calls'] },
  judge: { any: ['prompts', 'answers', 'results'], options: ({ of }) => namedIn(of, judged, ['of']) },
  'long-term-memory': { any: ['requests'] },
  'loop-guard': { any: ['requests'] },
  'model-fallback': { any: ['requests'] },
  'model-retry': { any: ['requests'] },
  monitor: { any: ['calls'] },
  otel: { any: ['calls'] },
  permission: { any: ['calls'] },
  'plan-hint': { any: ['requests'] },
  'prompt-hint': { any: ['requests'] },
  rag: { any: ['requests'] },
  'rate-limit': {
    any: ['calls'],
    options: ({ limits }) =>
      itemsOf(limits).map(({ of = 'calls', per }, at) => ({
        path: ['limits', at],
        part: spentOn(of, Array.isArray(per) && per.includes('run')),
      })),
  },
  recorder: { any: ['calls'] },
  'security-scan': {
    any: ['calls', 'results'],
    options: ({ policies = {} }) => switchedOn(policies as JsonObject, surfaces, ['policies']),
  },
  skills: { any: ['requests'] },
  streaming: { any: ['streams'] },
  'structured-output': { any: ['requests'] },
  timing: { any: ['calls'] },
  todo: { any: ['requests'] },
  'tool-cache': { any: ['steps'] },
  'tool-params': { any: ['calls'] },
  'tool-result-limit': { any: ['results'] },
  'tool-retry': { any: ['steps'] },
  'tool-selection': { any: ['calls', 'requests'] },
  'tool-time-limit': { any: ['steps'] },
  webhook: { any: ['calls'] },
  'word-filter': {
    any: ['prompts', 'answers', 'results', 'calls'],
    options: (options) => switchedOn(options, filtered, []),
  },
};

function itemsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value : [];
}

/** A limit per run has no effect if each call is a separate run. */
function spentOn(of: unknown, perRun: boolean): HostPart {
  if (of !== 'calls' && of !== 'ms') return 'requests';
  return perRun ? 'runs' : 'calls';
}

function namedIn(value: unknown, parts: Readonly<Record<string, HostPart>>, path: ConfigPath): OptionPart[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  return names.flatMap((name, at) => partNamed(parts, String(name), [...path, at]));
}

function switchedOn(options: JsonObject, parts: Readonly<Record<string, HostPart>>, path: ConfigPath): OptionPart[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === 'off' ? [] : partNamed(parts, name, [...path, name]),
  );
}

function partNamed(parts: Readonly<Record<string, HostPart>>, name: string, path: ConfigPath): OptionPart[] {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  return part === undefined ? [] : [{ path, part }];
}
