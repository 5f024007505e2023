import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { nearestName } from '../../../errors/nearest-name.ts';
import { HooklineError } from '../../../errors.ts';
import type { Diagnose } from '../diagnostic.ts';
import { type Condition, createCondition } from './condition.ts';
import { type ClaudeEvent, CONFIG_SOURCE, claudeEvents, isClaudeEvent, unmatched } from './event-names.ts';
import { createMatcher } from './matcher.ts';
import { type ClaudeSettings, claudeSettingsSchema, type Handler, handlerSchema, runTypes } from './settings.ts';

/** At these events a failure never blocks. */
export const FAILS_OPEN: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>(['Stop', 'SubagentStop']);

/** These events occur outside of runs. */
const WITHOUT_MODEL: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>(['SessionEnd', 'Notification', 'ConfigChange']);

/** A handler with its conditions. */
export interface Entry {
  readonly handler: Handler;
  /** Returns whether its matcher matches. */
  readonly matches: (field: string) => boolean;
  /** Returns whether its condition (`if`) matches, or cannot be evaluated from the input. */
  readonly applies: Condition;
}

/** Options that depend on the host. */
export interface CompileOptions {
  /** Base of relative paths in conditions. */
  readonly cwd?: string | undefined;
  /** Default for handlers that do not set it. */
  readonly onFailure?: 'continue' | 'block';
}

/** Handlers of each event, in the order of the files. */
export type Entries = ReadonlyMap<ClaudeEvent, readonly Entry[]>;

/**
 * Merges settings, each an object or the path of a file. The same handler for the same matcher counts once. An unreadable or invalid file
 * throws `INPUT_INVALID` with every problem. So does an unsupported handler with `onFailure: 'block'`. Settings without effect are diagnosed.
 */
export function compileSettings(
  sources: readonly (ClaudeSettings | string)[],
  diagnose: Diagnose,
  options: CompileOptions = {},
): Entries {
  const entries = new Map<ClaudeEvent, Entry[]>(claudeEvents.map((event) => [event, []]));
  const seen = new Set<string>();
  for (const source of sources) {
    const where = typeof source === 'string' ? source : 'the settings';
    const { hooks, disableAllHooks } = parse(source, where);
    if (disableAllHooks) {
      diagnose({ code: 'disabled', message: `${where} sets disableAllHooks; its hooks are ignored.` });
      continue;
    }
    for (const [event, groups] of Object.entries(hooks)) {
      if (!isClaudeEvent(event)) {
        const near = nearestName(event, claudeEvents);
        const hint = near === undefined ? '' : ` Did you mean ${near}?`;
        diagnose({
          code: 'no-moment',
          event,
          message: `${where} has hooks for ${event}, which never happens here.${hint}`,
        });
        continue;
      }
      for (const { matcher = '', hooks: handlers } of groups) {
        const matches = unmatched.has(event) ? () => true : createMatcher(matcher);
        if (event === 'ConfigChange' && !matches(CONFIG_SOURCE)) {
          const message = `${where} has hooks for ConfigChange that never run: their matcher is ${JSON.stringify(matcher)}, and changes come here as ${CONFIG_SOURCE}.`;
          diagnose({ code: 'never-matches', event, message });
        }
        for (const given of handlers) {
          const handler = supported(given, event, where, diagnose, options);
          const key = JSON.stringify([event, matcher, given]);
          if (!handler || seen.has(key)) continue;
          seen.add(key);
          if (handler.onFailure === 'block' && handler.type === 'command' && (handler.async || handler.asyncRewake)) {
            const message = `${where} has an async handler for ${event} with onFailure: "block", which has no effect, because Hookline does not wait for it.`;
            diagnose({ code: 'async-block', event, message });
          }
          const applies = createCondition(handler, event, options.cwd, (code, message) =>
            diagnose({ code, event, message: `${where} has a handler for ${event} ${message}` }),
          );
          entries.get(event)?.push({ handler, matches, applies });
        }
      }
    }
  }
  return entries;
}

function parse(source: ClaudeSettings | string, where: string): z.output<typeof claudeSettingsSchema> {
  const parsed = claudeSettingsSchema.safeParse(typeof source === 'string' ? read(source) : source);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap(ofItsType);
  throw new HooklineError('INPUT_INVALID', `Claude settings (${where}):\n${z.prettifyError(new z.ZodError(issues))}`);
}

/** Returns the issues of a handler for the type that it names. */
function ofItsType(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const own = issue.errors.find((issues) => !issues.some(({ path }) => path[0] === 'type')) ?? issue.errors[0] ?? [];
  return own.length === 0 ? [issue] : own.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

function read(file: string): unknown {
  try {
    // Some editors write a byte order mark.
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (thrown) {
    const why = messageOf(thrown);
    throw new HooklineError('INPUT_INVALID', `Claude settings: cannot read "${file}": ${why}`, { cause: thrown });
  }
}

function supported(
  given: unknown,
  event: ClaudeEvent,
  where: string,
  diagnose: Diagnose,
  { onFailure }: CompileOptions,
): Handler | undefined {
  const parsed = handlerSchema.safeParse(given);
  const { type, onFailure: own = onFailure } = given as { type: string; onFailure?: unknown };
  const problem = parsed.success
    ? checkHandler(parsed.data, event)
    : `of type ${type}; only ${runTypes.join(', ')} are supported`;
  const what = `${where} has a handler for ${event} ${problem}.`;
  if (problem === undefined) return parsed.data;
  if (own === 'block' && !FAILS_OPEN.has(event))
    throw new HooklineError(
      'INPUT_INVALID',
      `Claude settings: ${what} Its onFailure is block, so loading failed. Remove it, or set "onFailure": "continue".`,
    );
  diagnose({ code: 'no-handler', event, message: what });
  return undefined;
}

/** Returns why a handler cannot run here. */
function checkHandler(handler: Handler, event: ClaudeEvent): string | undefined {
  if (handler.type === 'command' && handler.shell === 'powershell')
    return 'that requires powershell, which is not supported';
  if (handler.type === 'prompt' && WITHOUT_MODEL.has(event)) return 'of type prompt, which requires a run with a model';
  return undefined;
}
