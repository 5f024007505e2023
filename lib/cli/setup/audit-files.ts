import type { CompiledConfig } from '../../config/index.ts';

/** Returns the files of all audit logs of a configuration, including the one that is always on. */
export function auditFiles({ hooks }: CompiledConfig): readonly string[] {
  const files = hooks.flatMap(({ kind, entry: { enabled, options } }) => {
    const file = kind.name === 'audit-log' ? options?.['file'] : undefined;
    return enabled !== false && typeof file === 'string' ? [file] : [];
  });
  return [...new Set(files)];
}
