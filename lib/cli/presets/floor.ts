import type { NativeConfig } from '../../config/index.ts';
import type { Preset } from './preset.ts';

/** Options of the hooks that are always on. */
export interface FloorParts {
  /** File of the audit log. Without it, entries go to the log. */
  readonly audit?: string | undefined;
  /** True if a call that needs approval suspends its run, because there is no other approver. */
  readonly suspends?: boolean;
}

/** Returns the hooks that are always on, with every preset except none. */
export function floorHooks(preset: Preset | undefined, { audit, suspends = true }: FloorParts = {}): Floor {
  if (preset === 'none') return {};
  return {
    floor: {
      'audit-log': { type: 'audit-log', ...(audit !== undefined && { options: { file: audit } }) },
      'dangerous-confirmation': { type: 'dangerous-confirmation', ...(suspends && { options: { askBy: 'suspend' } }) },
    },
  };
}

interface Floor {
  readonly floor?: NonNullable<NativeConfig['hooks']>;
}
