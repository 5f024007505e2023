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

const NAMES = { prompt: 'What the user said', toolResult: 'The result', answer: 'The answer' } as const;
const JUDGED_OUTCOMES: readonly string[] = ['executed', 'responded', 'failed'];

/**
 * Has prompts, tool results or answers judged by a model or a function before anybody sees them. What does not pass, and what cannot be
 * judged, is flagged, withheld or rewritten, ends the run, or is asked for again. Streams go on sentence by sentence, as they are judged.
 *
 * Calls at once: each result is judged by itself. Sub-agents: what they say and get is judged too. Retry: each attempt is judged anew. Suspend
 * and resume: what is not yet judged is judged then.
 */
export function judge(options: JudgeOptions, host: HookHost = {}): Hook {
  const settings = parseHookOptions('judge', judgeOptionsSchema, options);
  const { name, of: judged, action, attempts, tools = ['*'], sentences } = settings;
  const rule = createJudge(settings, host);
  const fits = createMatcher(tools);
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

  /** The text that goes on in the place of one that does not pass; undefined where none may. */
  function otherText(text: string, { rewritten }: Ruling): string | undefined {
    if (action === 'flag') return text;
    return action === 'rewrite' ? rewritten : undefined;
  }

  /** Judges a part of a stream. `refuse` says what goes on where the text may not. */
  function judgePart<C extends ChunkEvent>(
    what: Judged,
    stream: Streamed,
    chunk: C,
    before: string,
    context: HookContext,
    refuse: (ruling: Ruling) => C,
  ): Observable<C> {
    const text = chunkText(chunk);
    // What is behind something that was refused may go on from it.
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

  /** What becomes of an answer that does not pass and has not been sent. */
  function refuseAnswer(
    event: EventOf<'postReasoning'>,
    ruling: Ruling,
    context: HookContext,
  ): EventOf<'postReasoning'> {
    const known = runOf(context.run);
    const why = whyNot('answer', ruling);
    if (action !== 'retry' || ruling.failed) return abort(event, why);
    known.rejected += 1;
    if (known.rejected >= attempts) return abort(event, `${why} That was the last of ${attempts} attempts.`);
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
    description: 'Has prompts, tool results or answers judged before anybody sees them.',
    priority: HookPriority.POSTPROCESSING,
    // Each judgement has its own.
    timeoutMs: Number.POSITIVE_INFINITY,
    on: {
      ...(judges('prompt') && {
        preCall(event, context) {
          if (context.dryRun) return undefined;
          return judgePrompts(event.messages, context).pipe(
            map((found) => {
              const faults = found.flatMap(({ ruling }) => (ruling && !ruling.pass ? [ruling] : []));
              if (faults.length === 0) return event;
              const refused = faults.find((ruling) => otherText('', ruling) === undefined);
              if (refused) return abort(event, whyNot('prompt', refused));
              const messages = found.map(({ message }) => message);
              return faults.reduce(
                (noted, ruling) => modify(noted, {}, { note: noteOf('prompt', ruling) }),
                modify(event, { messages }),
              );
            }),
          );
        },
        preReasoning(event, context) {
          if (context.dryRun || event.decision) return undefined;
          // What the user has said while the run went on.
          const last = event.messages.findLastIndex(({ role }) => role !== 'user');
          return judgePrompts(event.messages.slice(last + 1), context).pipe(
            map((found) => {
              const fault = found.find(({ ruling }) => ruling && !ruling.pass)?.ruling;
              if (!fault) return event;
              // It is in the transcript, where another text would hold for one question only, and would be refused in every later run.
              if (action !== 'flag') return abort(event, whyNot('prompt', fault), { rollback: true });
              return modify(event, {}, { note: noteOf('prompt', fault) });
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
          // Somebody has changed it since, or it never was a stream.
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
          if (context.dryRun || !fits(toolCall.name) || !JUDGED_OUTCOMES.includes(outcome)) return undefined;
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
              // Of an answer that is asked for again nothing is to be seen.
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
              applies: ({ toolCall }) => fits(toolCall.name) && !context.dryRun,
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
