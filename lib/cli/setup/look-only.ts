import type { HookHost } from '../../config/index.ts';
import { memoryStateStore } from '../../hooks/index.ts';

/** For who only wants to know: hooks are made, no file is opened, nothing is recorded, and nothing counts. */
export const lookOnly: Pick<HookHost, 'options' | 'store'> = {
  store: memoryStateStore(),
  options: {
    // Nothing is recorded either, and the tables of a redactor take longer to make than all else.
    'audit-log': { file: undefined, rotate: undefined, chain: false, chainKey: undefined, redact: false },
    'dangerous-confirmation': { ask: 'suspend' },
  },
};
