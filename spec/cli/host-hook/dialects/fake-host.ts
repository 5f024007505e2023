import type { Dialect } from '../../../../lib/cli/host-hook/dialects/dialect.ts';
import { readEventOf } from '../../../../lib/cli/host-hook/dialects/read-event-of.ts';
import type { HostAnswer } from '../../../../lib/cli/host-hook/host-answer.ts';
import { judgeMoment } from '../../../../lib/cli/host-hook/judge/judge-moment.ts';
import type { JsonObject, JsonValue } from '../../../../lib/events/values/json-value.ts';
import { createPipeline, defineHook, type Hook, type HookDefinition } from '../../../../lib/index.ts';

/** An action of an agent that every host has a tool for, unless its `has` says no. */
export type Action =
  | { readonly does: 'shell'; readonly command: string }
  | { readonly does: 'read'; readonly path: string }
  | { readonly does: 'write'; readonly path: string; readonly content: string }
  | { readonly does: 'fetch'; readonly url: string }
  | { readonly does: 'mcp'; readonly server: string; readonly tool: string; readonly input: JsonObject };

/** What a host does after an answer. */
export interface Outcome {
  readonly does: 'run' | 'refuse' | 'ask';
  readonly reason?: string | undefined;
  /** The input that the host runs, if the answer changed it. */
  readonly input?: JsonObject | undefined;
  /** The result that the model reads, if the answer changed it. */
  readonly output?: unknown;
  readonly context?: string | undefined;
  /** Why the turn ends. */
  readonly ended?: string | undefined;
  /** Why the model continues. */
  readonly again?: string | undefined;
}

/** A host that sends its events and reads answers as the facts say. */
export interface FakeHost {
  readonly dialect: Dialect;
  /** The events of the host. `undefined`: it has none. */
  call(action: Action): JsonObject | undefined;
  result(action: Action, output: string): JsonObject | undefined;
  prompt(text: string): JsonObject | undefined;
  stop(text: string, again?: boolean): JsonObject | undefined;
  /** Returns what the host does after an answer to an event. It continues if it does not understand the answer, where the real host does. */
  obey(event: JsonObject, answer: HostAnswer): Outcome;
  /** What the host cannot do. The contract compares it with what `hookline check --for` says. */
  readonly cannot: readonly ('ask' | 'rewrite' | 'replace' | 'context' | 'end' | 'again')[];
}

/** Passes an event through hooks, and the answer to the host. */
export async function outcomeOf(
  host: FakeHost,
  event: JsonObject,
  hooks: readonly (HookDefinition | Hook)[],
  ask?: 'ask' | 'deny',
): Promise<Outcome & { readonly answer: HostAnswer }> {
  const pipeline = createPipeline(hooks.map((hook) => (Object.isFrozen(hook) ? (hook as Hook) : defineHook(hook))));
  const moment = readEventOf(host.dialect, JSON.stringify(event));
  const { verdict } = await judgeMoment(pipeline, host.dialect, moment, { ask });
  const answer = host.dialect.write(moment, verdict);
  return { ...host.obey(event, answer), answer };
}

/** The fields of an answer, or `undefined` if it is not a JSON object. */
export function fieldsOf({ stdout }: HostAnswer): Readonly<Record<string, JsonValue>> | undefined {
  if (stdout.trim() === '') return {};
  try {
    const value = JSON.parse(stdout);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A text field of an answer, at any depth. */
export function textAt(fields: unknown, ...path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>((holder, key) => (holder as Record<string, unknown> | undefined)?.[key], fields);
  return typeof value === 'string' ? value : undefined;
}
