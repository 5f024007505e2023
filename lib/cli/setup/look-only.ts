import type { HookHost } from '../../config/index.ts';

/** For who only wants to know: hooks are made, no file is opened, and nothing is recorded. */
export const lookOnly: NonNullable<HookHost['options']> = {
  // Nothing is recorded either, and the tables of a redactor take longer to make than all else.
  'audit-log': { file: undefined, rotate: undefined, chain: false, chainKey: undefined, redact: false },
  'dangerous-confirmation': { ask: 'suspend' },
};
