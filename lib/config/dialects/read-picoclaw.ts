import { z } from 'zod';
import { schemaIssues } from '../issues/schema-issues.ts';
import type { HookEntry } from '../native-schema.ts';
import { prune } from '../prune.ts';
import type { ConfigPath } from '../source/source.ts';
import type { Reader } from './dialect.ts';
import { noticeOthers } from './notice-others.ts';
import { createPathMap } from './path-map.ts';

const milliseconds = z.int().optional();
const names = z.array(z.string()).optional();

const builtInSchema = z.strictObject({
  enabled: z.boolean().optional(),
  priority: z.int().optional(),
  config: z.record(z.string(), z.json()).nullish(),
});

const processSchema = z.strictObject({
  enabled: z.boolean().optional(),
  priority: z.int().optional(),
  transport: z.enum(['', 'stdio'], 'unsupported transport, expected "stdio"').optional(),
  command: z.array(z.string(), 'command is required').min(1, 'command is required'),
  dir: z.string().optional(),
  env: z.record(z.string(), z.string().meta({ secret: true })).optional(),
  observe: names,
  intercept: names,
});

/** Disabled entries are not checked. */
const offSchema = z.looseObject({ enabled: z.literal(false).optional() });

const hooksSchema = z.strictObject({
  enabled: z.boolean().optional(),
  defaults: z
    .strictObject({
      observer_timeout_ms: milliseconds,
      interceptor_timeout_ms: milliseconds,
      approval_timeout_ms: milliseconds,
    })
    .optional(),
  builtins: z.record(z.string(), z.looseObject({})).optional(),
  processes: z.record(z.string(), z.looseObject({})).optional(),
});

/**
 * The `hooks` of a PicoClaw configuration. Off by default, priority 0; built-ins before processes, ties by name.
 */
export const readPicoClaw: Reader = (source, findings) => {
  const { hooks: given = {} } = source.value as { hooks?: unknown };
  findings.issues.push(...schemaIssues(source, hooksSchema, given, (path) => ['hooks', ...path]));
  noticeOthers(source, ['hooks'], 'PicoClaw', findings);
  const paths = createPathMap();
  const hooks: Record<string, HookEntry> = {};
  const parsed = prune(hooksSchema, given) ?? {};
  const allOff = parsed.enabled === false;
  const timeouts = timeoutsOf(parsed.defaults ?? {});
  const add = (name: string, at: ConfigPath, entry: HookEntry): void => {
    if (Object.hasOwn(hooks, name)) {
      const message = 'a built-in hook already has this name. Rename yours.';
      findings.issues.push({ file: source.file, ...source.placeOf(at, 'key'), path: at, message });
    }
    paths.add(['hooks', name], at);
    // Their place, or their name, determines their kind.
    paths.add(['hooks', name, 'type'], at);
    hooks[name] = entry;
  };

  for (const [name, raw] of inOrder(parsed.builtins)) {
    const at: ConfigPath = ['hooks', 'builtins', name];
    const off = offSchema.safeParse(raw).success;
    const entry = off ? undefined : checked(builtInSchema, raw, at);
    if (!off && !entry) continue;
    paths.add(['hooks', name, 'options'], [...at, 'config']);
    const config = entry?.config;
    add(name, at, {
      type: name.replaceAll('_', '-'),
      ...((off || allOff) && { enabled: false }),
      priority: entry?.priority ?? 0,
      ...(config && { options: config }),
    });
  }
  for (const [name, raw] of inOrder(parsed.processes)) {
    const at: ConfigPath = ['hooks', 'processes', name];
    const off = offSchema.safeParse(raw).success;
    const entry = off ? processSchema.safeParse(raw).data : checked(processSchema, raw, at);
    if (!off && !entry) continue;
    paths.add(['hooks', name, 'options'], at);
    paths.add(['hooks', name, 'options', 'timeouts'], ['hooks', 'defaults']);
    const { command = [], dir, env, observe = [], intercept = [] } = entry ?? {};
    const options = {
      command,
      // An empty `dir` counts as missing.
      ...(dir && { dir }),
      ...(env && { env }),
      ...(observe.length > 0 && { observe }),
      ...(intercept.length > 0 && { intercept: intercept.filter((one) => one !== '') }),
      ...(Object.keys(timeouts).length > 0 && { timeouts }),
    };
    add(name, at, {
      type: 'process',
      ...((off || allOff) && { enabled: false }),
      priority: entry?.priority ?? 0,
      options,
    });
  }
  return { source, dialect: 'picoclaw', config: { hooks }, toSource: paths.toSource };

  function checked<S extends z.ZodType>(schema: S, raw: unknown, at: ConfigPath): z.output<S> | undefined {
    const wrong = schemaIssues(source, schema, raw, (path) => [...at, ...path]);
    findings.issues.push(...wrong);
    return wrong.length > 0 ? undefined : schema.parse(raw);
  }
};

/** By priority, then by name, as they are mounted. */
function inOrder(entries: Record<string, object> = {}): [string, object][] {
  const priorityOf = (entry: object) => Number((entry as { priority?: unknown }).priority ?? 0) || 0;
  return Object.entries(entries).sort(
    ([a, one], [b, other]) => priorityOf(one) - priorityOf(other) || (a < b ? -1 : Number(a > b)),
  );
}

/** Ignores timeouts of zero or less. */
function timeoutsOf(defaults: z.output<typeof hooksSchema>['defaults'] & {}): Record<string, number> {
  const given = {
    observerMs: defaults.observer_timeout_ms,
    interceptorMs: defaults.interceptor_timeout_ms,
    approvalMs: defaults.approval_timeout_ms,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, ms]) => (ms !== undefined && ms > 0 ? [[name, ms]] : [])),
  );
}
