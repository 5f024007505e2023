import { concatMap, from, map, type Observable, of, toArray } from 'rxjs';
import { chunkText, withText } from '../../events/chunk-text.ts';
import { abort } from '../../events/decisions/abort.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { NoteInput } from '../../events/decisions/note.ts';
import { retry } from '../../events/decisions/retry.ts';
import type { ChunkEvent, EventOf } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { textOf, userMessage, withMessageText } from '../../events/parts/messages.ts';
import { errorResult } from '../../events/parts/tool-result.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { HookHost } from '../hook-host.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { judgeChunks } from './judge-chunks.ts';
import type { Judged } from './judge-function.ts';
import { type JudgeOptions, judgeOptionsSchema } from './judge-options.ts';
import { judgeResult } from './judge-result.ts';
import { judgedRuns, type Streamed } from './judged-runs.ts';
import { createJudge, type Ruling } from './judgement.ts';

const NAMES = { prompt: 'The prompt', toolResult: 'The result', answer: 'The answer' } as const;
const JUDGED_OUTCOMES: readonly string[] = ['executed', 'responded', 'failed'];

/**
 * Evaluates prompts, tool results or answers with a model or a function. `action` applies to text that fails or cannot be judged.
 * - Parallel calls: Each result is judged on its own.
 * - Sub-agents: Their texts are judged, too.
 * - Retry: Each attempt is judged again.
 * - Suspend and resume: Text that is not judged yet is judged after the resume.
 * - Cost: One model request for each judged text or part of a stream, which is delayed until it has passed.
 */
export function judge(options: JudgeOptions, host: HookHost = {}): Hook {
  const settings = parseHookOptions('judge', judgeOptionsSchema, options);
  const { name, of: judged, action, attempts, tools = ['*'], sentences } = settings;
  const rule = createJudge(settings, host);
  const matches = createMatcher(tools);
  const { runOf, answerOf, outputOf, endOf } = judgedRuns();
  const judges = (what: Judged): boolean => judged.includes(what);

  function noteOf(what: Judged, ruling: Ruling): NoteInput {
    const { score, failed } = ruling;
    const done = { block: 'blocked', flag: 'flagged', rewrite: 'rewritten', retry: 'rejected' }[action];
    return {
      code: failed ? 'judge-failed' : `judge-${done}`,
      message: whyNot(what, ruling),
      data: { of: what, ...(score !== undefined && { score }) },
    };
  }

  /** Replaces a text that does not pass. Returns undefined to withhold it. */
  function otherText(text: string, { rewritten }: Ruling): string | undefined {
    if (action === 'flag') return text;
    return action === 'rewrite' ? rewritten : undefined;
  }

  /** Judges a part of a stream. `refuse` returns the replacement of a refused text. */
  function judgePart<C extends ChunkEvent>(
    what: Judged,
    stream: Streamed,
    chunk: C,
    before: string,
    context: HookContext,
    refuse: (ruling: Ruling) => C,
  ): Observable<C> {
    const text = chunkText(chunk);
    // Text after a refused part may continue it.
    if (stream.refused) return of(withText(chunk, ''));
    return rule(text, { of: what, before, ...('toolCall' in chunk && { tool: chunk.toolCall.name }) }, context).pipe(
      map((ruling) => {
        const other = ruling.pass ? text : otherText(text, ruling);
        if (other === undefined) {
          stream.refused = ruling;
          return refuse(ruling);
        }
        stream.text.add(text, other);
        if (ruling.pass) return chunk;
        return modify(withText(chunk, other) as never, {}, { note: noteOf(what, ruling) }) as C;
      }),
    );
  }

  /** Handles a rejected answer that was not sent. */
  function refuseAnswer(
    event: EventOf<'postReasoning'>,
    ruling: Ruling,
    context: HookContext,
  ): EventOf<'postReasoning'> {
    const known = runOf(context.run);
    const why = whyNot('answer', ruling);
    if (action !== 'retry' || ruling.failed) return abort(event, why);
    known.rejected += 1;
    if (known.rejected >= attempts) return abort(event, `${why} This was the last of ${attempts} attempts.`);
    const without = modify(event, { message: withMessageText(event.message) }, { note: noteOf('answer', ruling) });
    return retry(without, [userMessage(`Your answer was not accepted: ${ruling.reason} Answer again.`)]);
  }

  function judgePrompts(messages: readonly Message[], context: HookContext) {
    const { prompts } = runOf(context.run);
    return from(messages).pipe(
      concatMap((message): Observable<{ message: Message; ruling?: Ruling }> => {
        const text = textOf(message);
        if (message.role !== 'user' || message.origin !== undefined || text === '' || prompts.has(text))
          return of({ message });
        return rule(text, { of: 'prompt', before: '' }, context).pipe(
          map((ruling) => {
            const other = ruling.pass ? text : otherText(text, ruling);
            if (other !== undefined) prompts.add(other);
            if (ruling.pass) return { message };
            return { message: other === undefined ? message : withMessageText(message, other), ruling };
          }),
        );
      }),
      toArray(),
    );
  }

  return defineHook({
    name,
    description: 'Judges prompts, tool results or answers before they are shown.',
    priority: HookPriority.POSTPROCESSING,
    // Each judgement has its own timeout.
    timeoutMs: Number.POSITIVE_INFINITY,
    on: {
      ...(judges('prompt') && {
        preCall(event, context) {
          if (context.dryRun) return undefined;
          return judgePrompts(event.messages, context).pipe(
            map((found) => {
              const issues = found.flatMap(({ ruling }) => (ruling && !ruling.pass ? [ruling] : []));
              if (issues.length === 0) return event;
              const refused = issues.find((ruling) => otherText('', ruling) === undefined);
              if (refused) return abort(event, whyNot('prompt', refused));
              const messages = found.map(({ message }) => message);
              return issues.reduce(
                (noted, ruling) => modify(noted, {}, { note: noteOf('prompt', ruling) }),
                modify(event, { messages }),
              );
            }),
          );
        },
        preReasoning(event, context) {
          if (context.dryRun || event.decision) return undefined;
          // User messages added while the run continued.
          const last = event.messages.findLastIndex(({ role }) => role !== 'user');
          return judgePrompts(event.messages.slice(last + 1), context).pipe(
            map((found) => {
              const issue = found.find(({ ruling }) => ruling && !ruling.pass)?.ruling;
              if (!issue) return event;
              // A stored prompt stays in the transcript. A replacement would apply to one request only, and every later run would reject it again.
              if (action !== 'flag') return abort(event, whyNot('prompt', issue), { rollback: true });
              return modify(event, {}, { note: noteOf('prompt', issue) });
            }),
          );
        },
      }),
      ...(judges('answer') && {
        postReasoning(event, context) {
          if (context.dryRun) return undefined;
          const stream = answerOf(context.run, event);
          if (stream.refused) return refuseAnswer(event, stream.refused, context);
          const text = textOf(event.message);
          if (text === '') return undefined;
          const passes = () => {
            runOf(context.run).rejected = 0;
            return event;
          };
          if (stream.text.isWhatWent(text)) return passes();
          // Another hook has changed it since, or it was not streamed.
          return rule(text, { of: 'answer', before: '' }, context).pipe(
            map((ruling) => {
              if (ruling.pass) return passes();
              const other = otherText(text, ruling);
              if (other === undefined) return refuseAnswer(event, ruling, context);
              const message = withMessageText(event.message, other);
              return modify(event, { message }, { note: noteOf('answer', ruling) });
            }),
          );
        },
      }),
      ...(judges('toolResult') && {
        postActing(event, context) {
          const { result, toolCall, outcome } = event;
          if (context.dryRun || !matches(toolCall.name) || !JUDGED_OUTCOMES.includes(outcome)) return undefined;
          const stream = endOf(context.run, toolCall.id);
          const withhold = (ruling: Ruling) =>
            modify(
              event,
              { result: errorResult(whyNot('toolResult', ruling, ' and is withheld')) },
              { note: noteOf('toolResult', ruling) },
            );
          if (stream.refused) return withhold(stream.refused);
          const about = { of: 'toolResult', before: '', tool: toolCall.name } as const;
          return judgeResult(result, (text) => {
            if (text === '' || stream.text.isWhatWent(text)) return of({ text, other: text });
            const went = stream.text.wentFor(text);
            if (went !== undefined) return of({ text, other: went });
            return rule(text, about, context).pipe(
              map((ruling) => (ruling.pass ? { text, other: text } : { text, other: otherText(text, ruling), ruling })),
            );
          }).pipe(
            map((settled) => {
              if (settled.refused) return withhold(settled.refused);
              return settled.rulings.reduce(
                (noted, ruling) => modify(noted, {}, { note: noteOf('toolResult', ruling) }),
                settled.result === result ? event : modify(event, { result: settled.result }),
              );
            }),
          );
        },
      }),
    },
    through: {
      ...(judges('answer') && {
        reasoningChunk: (chunks$, context) =>
          chunks$.pipe(
            judgeChunks({
              // With `retry`, a rejected answer must not be shown.
              minChars: action === 'retry' ? Number.POSITIVE_INFINITY : sentences,
              applies: ({ part }) => part === 'text' && !context.dryRun,
              judge: (chunk, _, before) =>
                judgePart('answer', answerOf(context.run, chunk), chunk, before, context, (ruling) => {
                  const empty = withText(chunk, '');
                  return action === 'retry' && !ruling.failed ? empty : abort(empty, whyNot('answer', ruling));
                }),
            }),
          ),
      }),
      ...(judges('toolResult') && {
        actingChunk: (chunks$, context) =>
          chunks$.pipe(
            judgeChunks({
              minChars: sentences,
              applies: ({ toolCall }) => matches(toolCall.name) && !context.dryRun,
              judge: (chunk, _, before) =>
                judgePart('toolResult', outputOf(context.run, chunk), chunk, before, context, () =>
                  withText(chunk, ''),
                ),
            }),
          ),
      }),
    },
  });
}

function whyNot(what: Judged, { failed, reason }: Ruling, done = ''): string {
  return `${NAMES[what]} ${failed ? 'was not judged' : 'does not pass'}${done}: ${reason}`;
}
