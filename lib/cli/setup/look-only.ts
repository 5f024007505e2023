import type { HookHost } from '../../config/index.ts';
import { memoryStateStore } from '../../hooks/index.ts';
import { hooksFolder } from './state-folder.ts';

/** For who only wants to know: hooks are made, no file is opened, nothing is recorded, and nothing counts. */
export const lookOnly: Pick<HookHost, 'options' | 'store' | 'stateFolder'> = {
  // Only named: a hook that is not run writes nothing there.
  stateFolder: hooksFolder(process.cwd()),
  store: memoryStateStore(),
  options: {
    // Nothing is recorded either, and the tables of a redactor take longer to make than all else.
    'audit-log': { file: undefined, rotate: undefined, chain: false, chainKey: undefined, redact: false },
    'dangerous-confirmation': { askBy: 'suspend' },
  },
};
