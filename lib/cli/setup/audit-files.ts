import type { CompiledConfig } from '../../config/index.ts';

/** The files that the audits of a configuration write, that of the audit which is always on included. */
export function auditFiles({ hooks }: CompiledConfig): readonly string[] {
  const files = hooks.flatMap(({ kind, entry: { enabled, options } }) => {
    const file = kind.name === 'audit-log' ? options?.['file'] : undefined;
    return enabled !== false && typeof file === 'string' ? [file] : [];
  });
  return [...new Set(files)];
}
