import type { CompiledConfig } from '../../config/index.ts';
import type { Preset } from '../presets/preset.ts';

/** Where the audit goes: to the files that the configuration names, if it says anything of an audit, else to the usual one. */
export function auditFiles({ hooks }: CompiledConfig, usual: string, preset?: Preset): readonly string[] {
  const said = hooks.filter(({ kind }) => kind.name === 'audit-log');
  if (said.length === 0) return preset === 'none' ? [] : [usual];
  const files = said.flatMap(({ entry: { enabled, options } }) => {
    const file = options?.['file'];
    return enabled !== false && typeof file === 'string' ? [file] : [];
  });
  return [...new Set(files)];
}
