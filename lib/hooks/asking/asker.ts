import { userInfo } from 'node:os';
import { map } from 'rxjs';
import { z } from 'zod';
import { type HookHost, requirePart } from '../hook-host.ts';
import type { Answer, AskFunction } from './ask-function.ts';
import { askTerminal } from './ask-terminal.ts';

/** The approver of a call. */
export type Asker = 'terminal' | 'suspend' | 'inbox' | AskFunction;

export const askerSchema = z.union(
  [z.enum(['terminal', 'suspend', 'inbox']), z.custom<AskFunction>((value) => typeof value === 'function')],
  'must be "terminal", "suspend", "inbox" or a function',
);

/** Returns the function that asks. For `inbox`, the host must provide one; otherwise throws `OPTIONS_INVALID`. */
export function askFunctionOf(asker: Exclude<Asker, 'suspend'>, host: HookHost, hook: string): AskFunction {
  if (asker === 'inbox') return requirePart(host, 'inbox', hook).ask;
  return asker === 'terminal' ? askByName : asker;
}

/** Returns the name of the approver on the terminal of this process. */
export function atTerminal(): string {
  try {
    return `${userInfo().username} on the terminal`;
  } catch {
    // In a container, the user of the process may have no name.
    return 'the terminal';
  }
}

/** Asks on the terminal, and names the approver: without a name, an approval in the audit log looks like that of a rule. One function for all hooks. */
const askByName: AskFunction = (question, asking) => askTerminal(question, asking).pipe(map(named));

function named(answer: Answer): Answer {
  const { approved, ...details } = typeof answer === 'object' ? answer : { approved: answer };
  // A refusal with a reason is that of a closed or missing terminal.
  return approved || details.reason === undefined ? { ...details, approved, by: atTerminal() } : answer;
}
