import type { CompiledConfig } from '../../config/index.ts';

/** Where the audit goes: to the files that the configuration names, if it says anything of an audit, else to the usual one. */
export function auditFiles({ hooks }: CompiledConfig, usual: string): readonly string[] {
  const said = hooks.filter(({ kind }) => kind.name === 'audit-log');
  if (said.length === 0) return [usual];
  const files = said.flatMap(({ entry: { enabled, options } }) => {
    const file = options?.['file'];
    return enabled !== false && typeof file === 'string' ? [file] : [];
  });
  return [...new Set(files)];
}
