import type MiniSearch from 'minisearch';
import { HooklineError } from '../../errors.ts';

const PEER = 'minisearch';

/** Loads the class of the full-text engine. If it is missing, `OPTIONS_INVALID` names the package to install. */
export function loadEngine(hook: string): typeof MiniSearch {
  try {
    const loaded: typeof MiniSearch & { readonly default?: typeof MiniSearch } = require('minisearch');
    return loaded.default ?? loaded;
  } catch (cause) {
    const message = `The hook "${hook}" needs the package ${PEER} for text search. Run: npm install ${PEER}.`;
    throw new HooklineError('OPTIONS_INVALID', message, { cause });
  }
}
