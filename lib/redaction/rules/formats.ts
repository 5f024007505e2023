import type { Rule } from '../compile/rule.ts';

/** Optional fields of a format besides its shape. */
export type FormatExtras = Pick<Rule, 'entropy' | 'keywords' | 'check' | 'maxLength' | 'wraps'>;

/** A credential with a distinctive format: a shape for `shapePattern`, or a pattern whose first group is the secret. */
export type TokenFormat = readonly [id: string, description: string, shape: string | RegExp, extras?: FormatExtras];

/** A credential without a distinctive format: recognized by the name of its service in the assigned name. */
export type KeyedFormat = readonly [id: string, description: string, service: string, shape: string];

export interface Formats {
  readonly tokens: readonly TokenFormat[];
  readonly keyed: readonly KeyedFormat[];
}
