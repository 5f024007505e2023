import { z } from 'zod';
import { type HookHost, requirePart } from '../hook-host.ts';
import type { AskFunction } from './ask-function.ts';
import { askTerminal } from './ask-terminal.ts';

/** The approver of a call. */
export type Asker = 'terminal' | 'suspend' | 'inbox' | AskFunction;

/** The schema of the `askBy` option. */
export const askerSchema = z.union(
  [z.enum(['terminal', 'suspend', 'inbox']), z.custom<AskFunction>((value) => typeof value === 'function')],
  'must be "terminal", "suspend", "inbox" or a function',
);

/** Returns the function that asks. For `inbox`, the host must provide one; otherwise throws `OPTIONS_INVALID`. */
export function askFunctionOf(asker: Exclude<Asker, 'suspend'>, host: HookHost, hook: string): AskFunction {
  if (asker === 'inbox') return requirePart(host, 'inbox', hook).ask;
  return asker === 'terminal' ? askTerminal : asker;
}
