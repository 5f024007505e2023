import { checkFields } from '../../errors/check-fields.ts';
import { HooklineError } from '../../errors.ts';
import type { Message } from '../../events/parts/message.ts';
import { type RunInfo, runInfoSchema } from '../../events/parts/run-info.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import { sessionOf, userOf } from '../../events/parts/user-of.ts';
import { freezeLasting, isDeepFrozen } from '../../events/values/deep-freeze.ts';
import { ignoreRejection } from '../../events/values/is-async.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { RunOptions } from '../run/run.ts';
import type { Settings } from '../settings.ts';

/** Throws `INPUT_INVALID` with `where` and the field, if a value from plain JavaScript is not an object with these fields. */
export function checkKeys(where: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(where, `needs an object, and was given ${shown(value)}.`);
  const problem = checkFields(value, known);
  if (problem !== undefined) throw invalid(where, `what it is given ${problem}.`);
}

/** Throws if the value is not a list. */
export function checkList(where: string, what: string, list: unknown): void {
  if (!Array.isArray(list)) throw invalid(where, `${what} must be a list, and is ${shown(list)}.`);
}

/** Throws if the value is not a list of messages. */
export function checkMessages(where: string, messages: readonly Message[]): void {
  checkList(where, 'messages', messages);
  // The agent's own list, which grows with its conversation. Its messages were checked when they were added.
  if (isDeepFrozen(messages)) return;
  // By index: `entries()` creates an array for each item, and a conversation may be long.
  for (let at = 0; at < messages.length; at++) {
    const { role, parts } = (messages[at] ?? {}) as Partial<Message>;
    if (typeof role !== 'string' || !Array.isArray(parts))
      throw invalid(where, `messages[${at}] is not a message; make one with userMessage(..), or give { role, parts }.`);
  }
}

/** Throws if the value is not a list of tool descriptions. */
export function checkDescribed(where: string, tools: readonly ToolDescription[]): void {
  checkList(where, 'tools', tools);
  for (const [at, tool] of tools.entries()) {
    if (typeof tool !== 'object' || tool === null) throw invalid(where, `tools[${at}] is ${shown(tool)}.`);
    if ('execute' in tool)
      throw invalid(where, 'tools must be descriptions, without "execute". Use tools.map(describeTool).');
  }
}

/** Copies a list before it is frozen, because the caller may add to its own. */
export function ownList<T>(list: readonly T[]): readonly T[] {
  return Object.isFrozen(list) ? list : [...list];
}

export function invalid(where: string, problem: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `${where}: ${problem}`);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}

/** Returns the identity of a run, checked and frozen. */
export function runInfoOf(options: RunOptions, settings: Settings): RunInfo {
  const { agent, sessionId, metadata, parent, resumedFrom } = options;
  // Hooks use it as a key. Anything but text is rejected below.
  const userId = typeof options.userId === 'string' ? userOf(options) : options.userId;
  const info = {
    runId: settings.newId(),
    sessionId: (typeof sessionId === 'string' ? sessionOf(options) : sessionId) ?? settings.newId(),
    ...(userId !== undefined && { userId }),
    agent,
    ...(parent && { parentRunId: parent.run.runId }),
    depth: parent ? parent.run.depth + 1 : 0,
    ...(resumedFrom !== undefined && { resumedFrom }),
    ...(metadata !== undefined && { metadata: toJson(metadata, 'metadata') as JsonObject }),
  };
  const checked = runInfoSchema.safeParse(info);
  if (checked.success) {
    // Node's randomUUID returns a chain of thirteen pieces; reading one character joins them.
    checked.data.runId.charCodeAt(0);
    return freezeLasting(checked.data);
  }
  // For example, an ID that is a promise.
  for (const value of Object.values(info)) ignoreRejection(value);
  const problems = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new HooklineError('OPTIONS_INVALID', `pipeline.start(): ${problems.join('; ')}`);
}
