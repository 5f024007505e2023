import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ClaudeHooksSettings } from '../claude-options.ts';
import type { Diagnose } from '../diagnostic.ts';
import type { Outcome } from '../output/output.ts';
import type { Entry } from '../settings/compile-settings.ts';
import { type Moment, runOne } from './run-handlers.ts';

/** Outcomes of the handlers of a call, each with the input that it received or produced. */
export type Judgements = Map<Entry, { readonly key: string; readonly outcome: Outcome }>;

/** Options for the evaluation of a call. */
export interface Judging {
  /** Earlier outcomes. Handlers that already evaluated the input are not called again. */
  readonly judgements: Judgements;
  /** Returns a key that identifies an input. */
  readonly keyOf: (input: JsonObject) => string;
  /** True if the call may still be rewritten. */
  readonly rewriting: boolean;
}

/** Outcomes of all handlers, each for the last input that it received. */
export interface Judged {
  readonly outcomes: readonly Outcome[];
  readonly input: JsonObject;
  /** True if every handler evaluated `input`. False if they keep rewriting it, or after a denial. */
  readonly still: boolean;
}

/** Maximum number of calls of a handler while others rewrite the input that it evaluated. */
const ROUNDS = 3;

/** Calls handlers until each has evaluated the final input. A handler before a rewriting one is called again with the new input. */
export async function judgeCall(
  entries: readonly Entry[],
  moment: Moment,
  { judgements, keyOf, rewriting }: Judging,
  settings: ClaudeHooksSettings,
  diagnose: Diagnose,
): Promise<Judged> {
  let input = moment.input['tool_input'] as JsonObject;
  const ask = async (entry: Entry, asked: JsonObject): Promise<Outcome> => {
    const outcome = await runOne(
      entry.handler,
      { ...moment, input: { ...moment.input, tool_input: asked } },
      settings,
      diagnose,
    );
    judgements.set(entry, { key: keyOf(asked), outcome });
    return outcome;
  };
  const rewrite = (entry: Entry, outcome: Outcome): void => {
    if (!outcome.updatedInput || !rewriting) return;
    input = outcome.updatedInput as JsonObject;
    judgements.set(entry, { key: keyOf(input), outcome });
  };
  const open = (entry: Entry) => {
    if (!entry.applies({ ...moment.input, tool_input: input })) return false;
    const before = judgements.get(entry);
    return before === undefined || (before.key !== keyOf(input) && !isAsync(entry));
  };
  const outcomes = () => entries.flatMap((entry) => judgements.get(entry)?.outcome ?? []);

  for (let round = 0; round < ROUNDS && entries.some(open) && !outcomes().some(refuses); round += 1) {
    if (settings.combine === 'parallel') {
      const asked = input;
      const outcomes = await Promise.all(
        entries.filter(open).map(async (entry) => [entry, await ask(entry, asked)] as const),
      );
      for (const [entry, outcome] of outcomes) rewrite(entry, outcome);
    } else for (const entry of entries) if (open(entry)) rewrite(entry, await ask(entry, input));
  }
  return { outcomes: outcomes(), input, still: !entries.some(open) };
}

function refuses({ block, stop, permission }: Outcome): boolean {
  return block !== undefined || stop !== undefined || permission === 'deny';
}

function isAsync({ handler }: Entry): boolean {
  return handler.type === 'command' && (handler.async === true || handler.asyncRewake === true);
}
