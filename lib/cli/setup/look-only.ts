import type { HookHost } from '../../config/index.ts';
import { memoryStateStore } from '../../hooks/index.ts';
import { hooksFolder } from './state-folder.ts';

/** Parts for commands that only inspect: hooks are created, no file is opened, and nothing is recorded or counted. */
export const lookOnly: Pick<HookHost, 'options' | 'store' | 'stateFolder'> = {
  // Only a path. A hook that does not run writes nothing there.
  stateFolder: hooksFolder(process.cwd()),
  store: memoryStateStore(),
  options: {
    // Nothing is recorded, and creating the redactor's tables takes longer than everything else.
    'audit-log': { file: undefined, rotate: undefined, chain: false, chainKey: undefined, redact: false },
    'dangerous-confirmation': { askBy: 'suspend' },
  },
};
