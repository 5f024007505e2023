import { statSync } from 'node:fs';
import { defer, finalize, from, lastValueFrom, map, type Observable, of, tap } from 'rxjs';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { ClaudeHooksSettings } from './claude-options.ts';
import type { Diagnostic } from './diagnostic.ts';
import { runHandlers } from './handlers/run-handlers.ts';
import { type Folded, foldOutcomes } from './output/fold-outcomes.ts';
import { createScriptFiles } from './script-files.ts';
import type { Entries } from './settings/compile-settings.ts';
import type { ClaudeEvent } from './settings/event-names.ts';

/** The part of a hook context that a handler needs. */
export type FireContext = Pick<HookContext, 'transcript' | 'signal' | 'log'> & Partial<Pick<HookContext, 'ask'>>;

/** Runs the handlers of events, with the fields that all handlers receive. */
export interface ClaudeSession {
  has(event: ClaudeEvent): boolean;
  /** Runs the matching handlers. `field` is compared with matchers. `run` can replace how they run. */
  fire(
    event: ClaudeEvent,
    field: string,
    own: JsonObject,
    at: { readonly run: RunInfo },
    context: FireContext,
    run?: typeof runHandlers,
  ): Observable<Folded>;
  /** Does the same for an event whose outcome has no effect. The caller does not wait. */
  notify(event: ClaudeEvent, field: string, own: JsonObject, at: { readonly run: RunInfo }, context: FireContext): void;
  diagnose(diagnostic: Diagnostic, log?: Logger): void;
  /** Ends the handlers that still run in the background, and removes the files. */
  end(): Promise<void>;
}

/** Time for background handlers to finish. */
const ASYNC_GRACE_MS = 2_000;

const NO_EXPORTS = 'wrote variables to CLAUDE_ENV_FILE, which has no effect: tools do not get them here.';

/** Creates the session of one set of hooks. */
export function createClaudeSession(entries: Entries, settings: ClaudeHooksSettings): ClaudeSession {
  const files = createScriptFiles();
  const cwd = settings.cwd ?? process.cwd();
  const env = { CLAUDE_PROJECT_DIR: cwd, ...settings.env };

  const closing = new AbortController();
  const background = new Set<Promise<void>>();
  const goOn = (work: Promise<void>): void => {
    // A callback for failures may throw, and no caller handles that.
    const kept = work.catch(() => {}).finally(() => background.delete(kept));
    background.add(kept);
  };

  function diagnose(diagnostic: Diagnostic, log = settings.log): void {
    settings.onDiagnostic?.(diagnostic);
    const { hook, event, code, message } = diagnostic;
    const what = [event, hook && `hook "${hook}"`].filter(Boolean).join(' ');
    log?.warn({ code, event, hook }, what === '' ? message : `${what}: ${message}`);
  }

  const session: ClaudeSession = {
    has: (event) => (entries.get(event)?.length ?? 0) > 0,
    diagnose,
    fire: (event, field, own, at, context, run = runHandlers) =>
      defer(() => {
        const matching = (entries.get(event) ?? []).filter(({ matches }) => matches(field));
        // Without a handler, the conversation is not written, because it may be long.
        if (matching.length === 0) return of(foldOutcomes([]));
        const { sessionId, depth } = at.run;
        const scope = { sessionId, cwd, sidechain: depth > 0, tools: settings.tools };
        const transcript = files.transcript(context.transcript, scope);
        const input: JsonObject = {
          session_id: sessionId,
          transcript_path: transcript,
          cwd,
          hook_event_name: event,
          prompt_id: at.run.runId,
          permission_mode: settings.permissionMode,
          ...(depth > 0 && { agent_id: at.run.runId, agent_type: at.run.agent }),
          ...(event === 'SubagentStop' && { agent_transcript_path: transcript }),
          ...own,
        };
        // Scripts write to it without a check whether it exists.
        const exported = event === 'SessionStart' ? files.file('env-*.sh', '') : undefined;
        const moment = {
          ...{ event, field, input, cwd, env: exported === undefined ? env : { ...env, CLAUDE_ENV_FILE: exported } },
          ...{ signal: context.signal, ask: context.ask },
          background: { signal: closing.signal, add: goOn },
        };
        const outcomes = run(matching, moment, settings, (one) => diagnose(one, context.log));
        return from(outcomes).pipe(
          map(foldOutcomes),
          tap(({ messages }) => {
            if (exported !== undefined && statSync(exported, { throwIfNoEntry: false })?.size)
              diagnose({ code: 'env-file', event, message: NO_EXPORTS }, context.log);
            for (const message of messages) context.log.info({ event, message }, 'a hook has a message for the user');
          }),
          map((folded) => ({
            ...folded,
            contexts: folded.contexts.map((text) => files.bounded(text)),
            block: folded.block === undefined ? undefined : files.bounded(folded.block),
            reason: folded.reason === undefined ? undefined : files.bounded(folded.reason),
          })),
          finalize(() => files.done(sessionId)),
        );
      }),
    notify(event, field, own, at, context) {
      const told$ = session.fire(event, field, own, at, {
        transcript: context.transcript,
        log: context.log,
        signal: closing.signal,
      });
      goOn(lastValueFrom(told$).then(() => {}));
    },
    async end() {
      const ended = Promise.all(background);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ASYNC_GRACE_MS).unref())]);
      closing.abort();
      await ended;
      files.remove();
    },
  };
  return session;
}
