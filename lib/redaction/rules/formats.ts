import type { Rule } from '../compile/rule.ts';

/** What may be said of a format besides its shape. */
export type FormatExtras = Pick<Rule, 'entropy' | 'keywords' | 'check' | 'maxLength' | 'wraps'>;

/** A credential that can be told by itself. A shape as `shapePattern` reads it, or a pattern whose first group is the secret. */
export type TokenFormat = readonly [id: string, description: string, shape: string | RegExp, extras?: FormatExtras];

/** A credential that looks like any other: told by the name of its service in what it is assigned to. */
export type KeyedFormat = readonly [id: string, description: string, service: string, shape: string];

/** The formats of one kind of service. */
export interface Formats {
  readonly tokens: readonly TokenFormat[];
  readonly keyed: readonly KeyedFormat[];
}
