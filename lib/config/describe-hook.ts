import type { z } from 'zod';
import type { Hook } from '../pipeline/define/hook.ts';
import type { CompiledHook } from './compile-config.ts';

/** An enabled hook, as shown in lists of hooks. */
export interface DescribedHook {
  readonly name: string;
  readonly enabled: true;
  readonly priority: number;
  /** The kind of the configured hook that created it. */
  readonly type?: string;
  readonly description?: string;
  readonly match?: z.core.util.JSONType;
}

/** Describes a hook of a pipeline. A configured hook may create several, named `<its name>.<part>`. An exact name takes precedence. */
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
