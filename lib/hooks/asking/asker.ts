import { z } from 'zod';
import { type HookHost, requirePart } from '../hook-host.ts';
import type { AskFunction } from './ask-function.ts';
import { askTerminal } from './ask-terminal.ts';

/** Who is asked about a call. */
export type Asker = 'terminal' | 'suspend' | 'inbox' | AskFunction;

/** An option that says who is asked. */
export const askerSchema = z.union(
  [z.enum(['terminal', 'suspend', 'inbox']), z.custom<AskFunction>((value) => typeof value === 'function')],
  'must be "terminal", "suspend", "inbox" or a function',
);

/** The function that asks; for an inbox that of the host, whose lack is `OPTIONS_INVALID`. */
export function askFunctionOf(asker: Exclude<Asker, 'suspend'>, host: HookHost, hook: string): AskFunction {
  if (asker === 'inbox') return requirePart(host, 'inbox', hook).ask;
  return asker === 'terminal' ? askTerminal : asker;
}
