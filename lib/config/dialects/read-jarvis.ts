import { z } from 'zod';
import { permissionSchema } from '../../events/parts/tool-description.ts';
import { schemaIssues } from '../issues/schema-issues.ts';
import { createFreeNames } from '../merge/free-name.ts';
import { type HookEntry, type ToolPhase, toolPhases } from '../native-schema.ts';
import { prune } from '../prune.ts';
import type { ConfigPath } from '../source/source.ts';
import type { Reader } from './dialect.ts';
import { noticeOthers } from './notice-others.ts';
import { createPathMap } from './path-map.ts';

const names = z.array(z.string().min(1));

const handlerSchema = z.strictObject({
  type: z.string().min(1),
  enabled: z.boolean().optional(),
  path: z.string().min(1).optional(),
  filter: z
    .strictObject({
      tools: names.nullish(),
      // `WRITE` = `write`.
      permissions: z.array(z.string().toLowerCase().pipe(permissionSchema)).nullish(),
      agents: names.nullish(),
    })
    .nullish(),
  options: z.record(z.string(), z.json()).nullish(),
});

const phaseSchema = z.strictObject({ enabled: z.boolean().optional(), handlers: z.array(handlerSchema).optional() });

const hooksSchema = z.strictObject({
  enabled: z.boolean().optional(),
  ...Object.fromEntries(toolPhases.map((phase) => [phase, phaseSchema.optional()])),
}) as z.ZodType<{ enabled?: boolean } & { [P in ToolPhase]?: z.output<typeof phaseSchema> }>;

/** All handlers of a phase run in the order of its list, regardless of the default priority of their kind. */
const PRIORITY = 100;

/**
 * Reads the format of the coding assistant JARVIS, with or without the wrapping `hooks`: lists of handlers by phase. Each handler becomes a
 * hook that is bound to its phase and named after both: `pre_tool_use.audit-log`, `pre_tool_use.audit-log.2`.
 */
export const readJarvis: Reader = (source, findings) => {
  const whole = source.value as { hooks?: object; enabled?: unknown };
  const wrapped = whole.hooks !== undefined;
  const base: ConfigPath = wrapped ? ['hooks'] : [];
  const inner = wrapped ? whole.hooks : whole;
  const enclosing = z.looseObject({ enabled: z.boolean().optional() });
  findings.issues.push(
    ...schemaIssues(source, hooksSchema, inner, (path) => [...base, ...path]),
    ...(wrapped ? schemaIssues(source, enclosing, whole) : []),
  );
  if (wrapped) noticeOthers(source, ['hooks', 'enabled'], 'JARVIS', findings);
  const paths = createPathMap();
  const parsed = prune(hooksSchema, inner) ?? {};
  const allOff = whole.enabled === false || parsed.enabled === false;
  const hooks: Record<string, HookEntry> = {};
  const freeName = createFreeNames((name) => Object.hasOwn(hooks, name));
  for (const phase of toolPhases) {
    const { enabled, handlers = [] } = parsed[phase] ?? {};
    for (const [index, handler] of handlers.entries()) {
      const type = handler.type.replaceAll('_', '-');
      const name = freeName(`${phase}.${type}`);
      const at = [...base, phase, 'handlers', index];
      paths.add(['hooks', name], at);
      paths.add(['hooks', name, 'match'], [...at, 'filter']);
      const { tools, permissions, agents } = handler.filter ?? {};
      const match = { ...(tools && { tools }), ...(permissions && { permissions }), ...(agents && { agents }) };
      hooks[name] = {
        type,
        ...((allOff || enabled === false || handler.enabled === false) && { enabled: false }),
        ...(handler.path !== undefined && { path: handler.path }),
        priority: PRIORITY,
        phase,
        ...(Object.keys(match).length > 0 && { match }),
        ...(handler.options && { options: handler.options }),
      };
    }
  }
  return { source, dialect: 'jarvis', config: { hooks }, toSource: paths.toSource };
};
