import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { nearestName } from '../../../errors/nearest-name.ts';
import { HooklineError } from '../../../errors.ts';
import type { Diagnose } from '../diagnostic.ts';
import { type ClaudeEvent, claudeEvents, isClaudeEvent, unmatched } from './event-names.ts';
import { createMatcher } from './matcher.ts';
import { type ClaudeSettings, claudeSettingsSchema, type Handler, handlerSchema } from './settings.ts';

/** A handler with where it applies. */
export interface Entry {
  readonly handler: Handler;
  readonly matches: (field: string) => boolean;
}

/** The handlers of each event, in the order of the files. */
export type Entries = ReadonlyMap<ClaudeEvent, readonly Entry[]>;

/**
 * Reads settings, each given as an object or as the path of a file. All of them count; the same handler for the same matcher counts once.
 * A file that cannot be read, or does not fit, throws `INPUT_INVALID` with every fault; what has no effect here is diagnosed.
 */
export function compileSettings(sources: readonly (ClaudeSettings | string)[], diagnose: Diagnose): Entries {
  const entries = new Map<ClaudeEvent, Entry[]>(claudeEvents.map((event) => [event, []]));
  const seen = new Set<string>();
  for (const source of sources) {
    const where = typeof source === 'string' ? source : 'the settings';
    const { hooks, disableAllHooks } = parse(source, where);
    if (disableAllHooks) {
      diagnose({ code: 'disabled', message: `${where} sets disableAllHooks; its hooks are left out.` });
      continue;
    }
    for (const [event, groups] of Object.entries(hooks)) {
      if (!isClaudeEvent(event)) {
        const near = nearestName(event, claudeEvents);
        const hint = near === undefined ? '' : ` Did you mean ${near}?`;
        diagnose({
          code: 'no-moment',
          event,
          message: `${where} has hooks for ${event}, for which there is no moment here.${hint}`,
        });
        continue;
      }
      for (const { matcher = '', hooks: handlers } of groups) {
        const matches = unmatched.has(event) ? () => true : createMatcher(matcher);
        for (const given of handlers) {
          const handler = supported(given, event, where, diagnose);
          const key = JSON.stringify([event, matcher, given]);
          if (!handler || seen.has(key)) continue;
          seen.add(key);
          entries.get(event)?.push({ handler, matches });
        }
      }
    }
  }
  return entries;
}

function parse(source: ClaudeSettings | string, where: string): z.output<typeof claudeSettingsSchema> {
  const parsed = claudeSettingsSchema.safeParse(typeof source === 'string' ? read(source) : source);
  if (parsed.success) return parsed.data;
  throw new HooklineError('INPUT_INVALID', `Claude settings (${where}):\n${z.prettifyError(parsed.error)}`);
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (thrown) {
    const why = messageOf(thrown);
    throw new HooklineError('INPUT_INVALID', `Claude settings: "${file}" cannot be read: ${why}`, { cause: thrown });
  }
}

function supported(given: unknown, event: ClaudeEvent, where: string, diagnose: Diagnose): Handler | undefined {
  const parsed = handlerSchema.safeParse(given);
  const type = (given as { type: string }).type;
  if (!parsed.success) {
    diagnose({
      code: 'no-handler',
      event,
      message: `${where} has a handler of type ${type} for ${event}; only command and http are run.`,
    });
    return undefined;
  }
  if (parsed.data.if !== undefined) {
    const message = `${where} has a hook for ${event} with if: "${parsed.data.if}". Such rules are not understood, and without its rule the hook would run more often than written, so it is left out.`;
    diagnose({ code: 'if-not-supported', event, message });
    return undefined;
  }
  return parsed.data;
}
