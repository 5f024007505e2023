import type { z } from 'zod';
import type { Hook } from '../pipeline/define/hook.ts';
import type { CompiledHook } from './compile-config.ts';

/** A hook that is on, as lists of hooks show it. */
export interface DescribedHook {
  readonly name: string;
  readonly enabled: true;
  readonly priority: number;
  /** The kind of the configured hook that it comes from. */
  readonly type?: string;
  readonly description?: string;
  readonly match?: z.core.util.JSONType;
}

/** Describes a hook of a pipeline. A configured hook may bring several, named `<its name>.<part>`; one of the exact name comes first. */
export function describeHook(
  { name, priority, description, match }: Hook,
  compiled: readonly CompiledHook[],
): DescribedHook {
  const own = compiled.find((one) => one.name === name) ?? compiled.find((one) => name.startsWith(`${one.name}.`));
  return {
    name,
    enabled: true,
    priority,
    ...(own && { type: own.kind.name }),
    ...(description !== undefined && { description }),
    ...(match && { match: shownMatch(match) }),
  };
}

function shownMatch(match: NonNullable<Hook['match']>): z.core.util.JSONType {
  return JSON.parse(JSON.stringify(match, (_, value) => (value instanceof RegExp ? String(value) : value)));
}
