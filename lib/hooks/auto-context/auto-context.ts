import { catchError, concat, concatMap, defer, ignoreElements, map, type Observable, of, timeout } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { modify } from '../../events/decisions/modify.ts';
import { retry } from '../../events/decisions/retry.ts';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import type { HookHost } from '../hook-host.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { tokenCounter } from '../tokens/count-tokens.ts';
import { rememberTokens } from '../tokens/remember-tokens.ts';
import { usualRedactor } from '../usual-redactor.ts';
import { type AutoContextOptions, autoContextOptionsSchema } from './auto-context-options.ts';
import { isOverflow } from './is-overflow.ts';
import { planShrink, type Sizes } from './plan-shrink.ts';
import { readResultTool } from './read-result.ts';
import { type RunSession, runSession, WHOLE } from './run-session.ts';
import { type SessionMemory, type Shrunk, sessionMemory } from './session-memory.ts';
import { resultShortener } from './shorten-results.ts';
import { shrinkNotes } from './shrink-notes.ts';
import { cutPlaces, requestSplitter, type SplitRequest } from './split-request.ts';
import { summarise } from './summarise.ts';

/** Timeout of the store in milliseconds. */
const STORE_MS = 10_000;
/** The factor for the budget after the provider rejects a request as too long, and the maximum number of rejections per run. */
const AFTER_REFUSAL = 0.7;
const MOST_REFUSED = 3;
/** The tokens of a summary in addition to its text. */
const AROUND_SUMMARY = 60;

/**
 * Keeps each request within a token budget. It shortens old tool results, offloads large ones, then summarises old messages. Only the
 * request is compacted; the transcript stays complete. System messages, the first and the last user message and the last exchange are
 * kept. A call is never separated from its result.
 *
 * If the store fails, the run continues with what it has in memory. If the model cannot summarise, old messages are dropped without a
 * summary. Both are logged.
 *
 * - Parallel calls: They do not change the budget.
 * - Sub-agents: Each has its own session, which is deleted when the sub-agent ends.
 * - Retry: The same request is compacted in the same way. A request that the provider rejects as too long is compacted further and sent
 *   again.
 * - Suspend and resume: The summary is kept with the session in the store. A resumed run and the next run use it.
 * - Cost: Counts the tokens of each request. One model request for each summary.
 */
export function autoContext(options: AutoContextOptions = {}, host: HookHost = {}): Hook {
  const settings = parseHookOptions('auto-context', autoContextOptionsSchema, options);
  const { name, maxTokens, shrinkTo, keepLast, toolName, summary: summarising } = settings;
  const count = tokenCounter(name, host.countTokens);
  const tokensOf = rememberTokens(count);
  const shorten = resultShortener(settings);
  const redact = (text: string): string => host.redact?.(text) ?? usualRedactor().redact(text).text;
  const sessions = new WeakMap<RunInfo, RunSession>();
  let memory: SessionMemory | undefined;
  let storeFailed = false;

  function memoryOf(now: () => number): SessionMemory {
    memory ??= sessionMemory(host.store ?? memoryStateStore({ now }), { name, keepDays: settings.keepDays, now });
    return memory;
  }

  /** Runs store operations. A failure is logged once. */
  function kept<T>(work: Observable<T>, { log, scheduler }: HookContext): Observable<T | undefined> {
    return work.pipe(
      timeout({ each: STORE_MS, scheduler }),
      catchError((err) => {
        if (!storeFailed) log.warn({ err }, 'the store failed; only this run can use the shortened content');
        storeFailed = true;
        return of(undefined);
      }),
    );
  }

  /** Opens the session of a run at its first request. */
  function openSession({ messages }: PreReasoning, context: HookContext): Observable<RunSession> {
    const { conversation } = requestSplitter()(messages, () => context.transcript);
    return kept(
      memoryOf(() => context.scheduler.now()).load(context.run, conversation, (what) => context.log.warn(what)),
      context,
    ).pipe(
      map((shrunk = WHOLE) => {
        const short = (message: Message) => shorten(message).message;
        const session = runSession(shrunk, { name, limit: maxTokens, short, sizeOf: tokensOf.message });
        sessions.set(context.run, session);
        return session;
      }),
    );
  }

  function apply(event: PreReasoning, session: RunSession, context: HookContext) {
    const split = session.split(event.messages, () => context.transcript);
    if (session.shrunk.shortened > split.conversation.length) session.shrinkTo(WHOLE);
    const messages = session.view(split);
    const tools = toolsOf(event, session);
    const tokens = session.sum(messages, event.model) + tokensOf.tools(tools, event.model);
    // The conversation may change before the summary is complete.
    if (tokens > session.limit)
      return shrink(event, { ...split, conversation: [...split.conversation] }, session, { context, tokens });
    session.sent = tokens;
    return changed(event, messages, tools);
  }

  /** Omits the reading tool if no result is offloaded. */
  function toolsOf({ tools }: PreReasoning, { shrunk }: RunSession): PreReasoning['tools'] {
    return shrunk.offloaded ? tools : tools.filter((tool) => tool.name !== toolName);
  }

  function shrink(
    event: PreReasoning,
    split: SplitRequest,
    session: RunSession,
    { context, tokens }: { readonly context: HookContext; readonly tokens: number },
  ): Observable<PreReasoning> {
    const { conversation, others } = split;
    const { model } = event;
    const before = session.shrunk;
    const sizes: Sizes = {
      fixed: others.reduce((sum, one) => sum + tokensOf.message(one, model), tokensOf.tools(event.tools, model)),
      summary: AROUND_SUMMARY + (summarising ? summarising.maxTokens : 0),
      whole: (at) => tokensOf.message(conversation[at] as Message, model),
      short: (at) => tokensOf.message(shorten(conversation[at] as Message).message, model),
    };
    const target = Math.floor(session.limit * shrinkTo);
    const { marks } = planShrink(split, cutPlaces(conversation), sizes, before, { target, keepLast });
    const noted = () => withNote(event, split, session, { before, tokens, context });
    if (marks.dropped === before.dropped && marks.shortened === before.shortened) return of(noted());
    const left = conversation.slice(before.dropped, marks.dropped);
    const offloads = conversation
      .slice(Math.max(before.shortened, marks.dropped), marks.shortened)
      .flatMap((message) => shorten(message).offloads)
      .map(({ id, text }) => ({ id, text: redact(text) }));
    const memory = memoryOf(() => context.scheduler.now());

    return (left.length === 0 ? of(before.summary) : summaryOf(before.summary, left, context)).pipe(
      concatMap((summary) => {
        session.shrinkTo({ ...marks, summary, offloaded: before.offloaded || offloads.length > 0 });
        const gone = left.flatMap((message) => shorten(message).offloads).map(({ id }) => id);
        const stored = concat(
          memory.offload(context.run, offloads),
          memory.save(context.run, conversation, session.shrunk),
          memory.drop(context.run, gone),
        );
        return concat(
          kept(stored, context).pipe(ignoreElements()),
          defer(() => of(noted())),
        );
      }),
    );
  }

  function summaryOf(before: string, left: readonly Message[], context: HookContext): Observable<string> {
    if (!summarising) return of('');
    const { model, ...bounds } = summarising;
    const sizeOf = (message: Message) => tokensOf.message(message);
    const how = {
      ...bounds,
      context,
      count,
      sizeOf,
      model: model === undefined ? undefined : (host.models?.[model] ?? model),
    };
    // In the form that the model saw last.
    const seen = left.map((message) => shorten(message).message);
    return summarise(before, seen, { ...how, pieceTokens: Math.floor(maxTokens / 2) }).pipe(
      map(redact),
      catchError((err) => {
        context.log.warn({ err }, `dropped ${left.length} old messages without a summary: ${messageOf(err)}`);
        return of([before, `[${left.length} messages are missing in this summary.]`].filter(Boolean).join('\n'));
      }),
    );
  }

  /** Returns the event with its shrunk messages and notes. */
  function withNote(
    event: PreReasoning,
    split: SplitRequest,
    session: RunSession,
    { before, tokens, context }: { readonly before: Shrunk; readonly tokens: number; readonly context: HookContext },
  ): PreReasoning {
    const messages = session.view(split);
    const tools = toolsOf(event, session);
    const after = session.sum(messages, event.model) + tokensOf.tools(tools, event.model);
    const { dropped, summary } = session.shrunk;
    session.sent = after;
    if (after > session.limit && !session.warned) {
      session.warned = true;
      const message = 'the request exceeds its token budget, and nothing is left to shorten';
      context.log.warn({ tokens: after, maxTokens: session.limit }, message);
    }
    const asIs = changed(event, messages, tools) ?? event;
    const remaining = split.conversation.length - dropped;
    const refused = session.refused > 0;
    const sizes = { before: tokens, after, remaining, refused, summary: summarising ? summary.length : undefined };
    return shrinkNotes(before, session.shrunk, sizes).reduce((noted, note) => modify(noted, {}, { note }), asIs);
  }

  const readTool = readResultTool(toolName, () => memoryOf(() => Date.now()));
  return defineHook({
    name,
    description: 'Keeps model requests under a token budget.',
    // After hooks that insert messages into the request.
    priority: HookPriority.POSTPROCESSING,
    // The summary has its own timeout.
    timeoutMs: Number.POSITIVE_INFINITY,
    ...(settings.offload && { tools: [readTool] }),
    on: {
      preReasoning(event, context) {
        if (context.dryRun || event.decision) return undefined;
        const session = sessions.get(context.run);
        if (session) return apply(event, session, context);
        return openSession(event, context).pipe(
          concatMap((opened) => {
            const applied = apply(event, opened, context);
            return applied === undefined || 'type' in applied ? of(applied ?? event) : applied;
          }),
        );
      },
      error(event, context) {
        const session = sessions.get(context.run);
        if (!session || event.phase !== 'reasoning' || event.source !== 'model' || event.decision) return undefined;
        if (session.refused >= MOST_REFUSED || !isOverflow(event.error.message)) return undefined;
        session.refused += 1;
        session.limit = Math.floor(Math.min(session.limit, session.sent) * AFTER_REFUSAL);
        return retry(event);
      },
    },
    observe(event) {
      // The session of a finished sub-agent is never continued.
      if (event.type !== 'postCall' || event.run.depth === 0 || event.outcome === 'suspended') return;
      const session = sessions.get(event.run);
      if (!session || session.shrunk.shortened === 0 || !memory) return;
      return memory.forget(event.run);
    },
  });
}

function changed(
  event: PreReasoning,
  messages: readonly Message[],
  tools: PreReasoning['tools'],
): PreReasoning | undefined {
  if (messages === event.messages && tools.length === event.tools.length) return undefined;
  return modify(event, { messages, tools });
}
