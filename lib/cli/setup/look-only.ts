import type { HookHost } from '../../config/index.ts';

/** For who only wants to know: hooks are made, and no file is opened. */
export const lookOnly: NonNullable<HookHost['options']> = {
  'audit-log': { file: undefined, rotate: undefined, chain: false, chainKey: undefined },
  'dangerous-confirmation': { ask: 'suspend' },
};
