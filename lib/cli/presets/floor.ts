import type { NativeConfig } from '../../config/index.ts';
import type { Preset } from './preset.ts';

/** What the hooks that are always on are given. */
export interface FloorParts {
  /** The file of the audit; without it there is none, and the log has it. */
  readonly audit?: string | undefined;
  /** Whether a call that is asked about suspends its run, since nobody else can be asked. */
  readonly suspends?: boolean;
}

/** The hooks that the command line puts on by itself, under every preset but none. */
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
