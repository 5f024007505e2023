import type { ConfigPath } from '../source/source.ts';

const POLICIES: Readonly<Record<string, string>> = { closed: 'block', open: 'skip' };

/** A configuration in today's words. */
export interface Renewed {
  readonly value: unknown;
  /** The members that were written in the words of an earlier version, and what they are now. */
  readonly renewed: readonly { readonly path: ConfigPath; readonly now: string }[];
  /** Where a part of `value` stands in what was written. */
  readonly toSource: (path: ConfigPath) => ConfigPath;
}

/** Reads `failure: closed | open` of earlier versions as `onFailure: block | skip`, at each hook and in `defaults`. */
export function renewWords(written: unknown): Renewed {
  const renewed: { path: ConfigPath; now: string }[] = [];
  const renew = (holder: unknown, path: ConfigPath): unknown => {
    if (!isObject(holder) || !Object.hasOwn(holder, 'failure') || Object.hasOwn(holder, 'onFailure')) return holder;
    const { failure, ...rest } = holder;
    const onFailure = POLICIES[String(failure)] ?? failure;
    renewed.push({ path: [...path, 'failure'], now: `onFailure: ${String(onFailure)}` });
    return { ...rest, onFailure };
  };
  if (!isObject(written)) return { value: written, renewed, toSource: (path) => path };
  const value = {
    ...written,
    ...('defaults' in written && { defaults: renew(written['defaults'], ['defaults']) }),
    ...(isObject(written['hooks']) && {
      hooks: Object.fromEntries(
        Object.entries(written['hooks']).map(([name, hook]) => [name, renew(hook, ['hooks', name])]),
      ),
    }),
  };
  const old = new Set(renewed.map(({ path }) => JSON.stringify(path)));
  return {
    value: renewed.length === 0 ? written : value,
    renewed,
    toSource(path) {
      const at = path.indexOf('onFailure');
      const before = [...path.slice(0, at), 'failure'];
      return at > 0 && old.has(JSON.stringify(before)) ? [...before, ...path.slice(at + 1)] : path;
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
