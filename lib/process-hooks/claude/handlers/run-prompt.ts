import { firstValueFrom, fromEvent, map, merge, type Observable, take } from 'rxjs';
import { z } from 'zod';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { systemMessage, textOf, userMessage } from '../../../events/parts/messages.ts';
import { parseJson } from '../../../events/values/parse-json.ts';
import type { HookContext } from '../../../pipeline/define/hook-context.ts';
import type { Printed } from '../output/read-output.ts';
import type { ClaudeEvent } from '../settings/event-names.ts';
import type { PromptHandler } from '../settings/settings.ts';
import type { NotEnded } from './run-command.ts';

const answerSchema = z.looseObject({
  ok: z.boolean(),
  reason: z.string().nullish(),
  impossible: z.boolean().nullish(),
});

const INSTRUCTIONS = `You judge one step of an agent. Answer with JSON and nothing else: {"ok": true}, or {"ok": false, "reason": "<why not, and what to do>"}. If what is asked for can never be reached, add "impossible": true.`;

/** Options of a prompt request. */
export interface PromptPlace {
  readonly event: ClaudeEvent;
  readonly ask: HookContext['ask'] | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a model about an event. `$ARGUMENTS` in the prompt is replaced by the input, which is otherwise appended. The model answers `{ ok, reason,
 * impossible }`. An answer that is not ok blocks, like a command.
 */
export async function runPrompt(
  { prompt, model }: PromptHandler,
  input: string,
  { event, ask, timeoutMs, signal }: PromptPlace,
): Promise<Printed | NotEnded> {
  if (!ask) return { failure: 'has no model for this event' };
  if (signal.aborted) return { failure: 'was cancelled' };
  const text = prompt.includes('$ARGUMENTS') ? prompt.replaceAll('$ARGUMENTS', () => input) : `${prompt}\n\n${input}`;
  const late = AbortSignal.timeout(timeoutMs);
  const answered$ = ask(
    { messages: [systemMessage(INSTRUCTIONS), userMessage(text)] },
    model === undefined ? {} : { model },
  ).pipe(map(({ message }) => decided(textOf(message), event)));
  const cut$: Observable<NotEnded> = merge(
    fromEvent(late, 'abort').pipe(map(() => ({ failure: `got no answer within ${timeoutMs} ms` }))),
    fromEvent(signal, 'abort').pipe(map(() => ({ failure: 'was cancelled' }))),
  );
  try {
    return await firstValueFrom(merge(answered$, cut$).pipe(take(1)));
  } catch (thrown) {
    return { failure: `got no answer: ${messageOf(thrown)}` };
  }
}

/** Converts an answer to the output of a command. */
function decided(text: string, event: ClaudeEvent): Printed | NotEnded {
  const printed = (output: object | undefined) => ({
    code: 0,
    stdout: output ? JSON.stringify(output) : '',
    stderr: '',
  });
  const parsed = answerSchema.safeParse(jsonIn(text));
  if (!parsed.success)
    return {
      failure: `got an answer other than {"ok": true} or {"ok": false, ..}: ${JSON.stringify(text.slice(0, 200))}`,
    };
  const { ok, impossible } = parsed.data;
  const reason = parsed.data.reason || 'The model denied it.';
  if (ok) return printed(undefined);
  if (impossible && (event === 'Stop' || event === 'SubagentStop')) return printed({ systemMessage: reason });
  if (event !== 'PermissionRequest') return printed({ decision: 'block', reason });
  return printed({ hookSpecificOutput: { hookEventName: event, decision: { behavior: 'deny', message: reason } } });
}

/** Parses the object in a text. It may be in a code fence or between words. */
function jsonIn(text: string): unknown {
  return parseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}
