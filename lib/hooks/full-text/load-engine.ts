import type MiniSearch from 'minisearch';
import { HooklineError } from '../../errors.ts';

const PEER = 'minisearch';

/** The class of the full-text engine; `OPTIONS_INVALID` says what to install where it is missing. */
export function loadEngine(hook: string): typeof MiniSearch {
  try {
    const loaded: typeof MiniSearch & { readonly default?: typeof MiniSearch } = require('minisearch');
    return loaded.default ?? loaded;
  } catch (cause) {
    const message = `The hook "${hook}" searches texts, which needs the package ${PEER}. Run: npm install ${PEER}.`;
    throw new HooklineError('OPTIONS_INVALID', message, { cause });
  }
}
