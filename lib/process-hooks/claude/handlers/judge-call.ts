import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ClaudeHooksSettings } from '../claude-options.ts';
import type { Diagnose } from '../diagnostic.ts';
import type { Outcome } from '../output/output.ts';
import type { Entry } from '../settings/compile-settings.ts';
import { type Moment, runOne } from './run-handlers.ts';

/** What handlers have said of a call, each with the input that it saw or has made. */
export type Judgements = Map<Entry, { readonly key: string; readonly outcome: Outcome }>;

/** How a call is judged. */
export interface Judging {
  /** What was said before; handlers that have judged the input are not asked again. */
  readonly judgements: Judgements;
  /** Tells inputs apart. */
  readonly keyOf: (input: JsonObject) => string;
  /** Whether the call may still be rewritten. */
  readonly rewriting: boolean;
}

/** What all handlers have said, each of the last input that it saw. */
export interface Judged {
  readonly outcomes: readonly Outcome[];
  readonly input: JsonObject;
  /** Whether every handler has judged `input`; not where they go on rewriting it, nor behind a refusal. */
  readonly still: boolean;
}

/** How often a handler is asked at most, while others rewrite what it has judged. */
const ROUNDS = 3;

/**
 * Asks handlers about a call until each has judged the input that will run: one that stands in front of a rewriting one is asked again about
 * what that one has made.
 */
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
  const said = () => entries.flatMap((entry) => judgements.get(entry)?.outcome ?? []);

  for (let round = 0; round < ROUNDS && entries.some(open) && !said().some(refuses); round += 1) {
    if (settings.combine === 'parallel') {
      const asked = input;
      const outcomes = await Promise.all(
        entries.filter(open).map(async (entry) => [entry, await ask(entry, asked)] as const),
      );
      for (const [entry, outcome] of outcomes) rewrite(entry, outcome);
    } else for (const entry of entries) if (open(entry)) rewrite(entry, await ask(entry, input));
  }
  return { outcomes: said(), input, still: !entries.some(open) };
}

function refuses({ block, stop, permission }: Outcome): boolean {
  return block !== undefined || stop !== undefined || permission === 'deny';
}

function isAsync({ handler }: Entry): boolean {
  return handler.type === 'command' && (handler.async === true || handler.asyncRewake === true);
}
