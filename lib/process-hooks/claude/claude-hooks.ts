import { ignoreElements, lastValueFrom, type Observable } from 'rxjs';
import { parseOptions } from '../../errors/parse-options.ts';
import type { ErrorEvent } from '../../events/error-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Handlers, Hook } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { consoleLogger, safeLogger } from '../../pipeline/logger.ts';
import { type ClaudeHooksOptions, claudeHooksOptionsSchema } from './claude-options.ts';
import { type ClaudeSession, createClaudeSession } from './claude-session.ts';
import type { Diagnostic } from './diagnostic.ts';
import { SESSION_END_MS } from './handlers/run-handlers.ts';
import { createStopMoment } from './moments/stop-moment.ts';
import { createToolDone } from './moments/tool-done.ts';
import { createToolUse } from './moments/tool-use.ts';
import { createUserPrompt } from './moments/user-prompt.ts';
import { checkScript } from './settings/check-script.ts';
import { compileSettings } from './settings/compile-settings.ts';
import type { ClaudeSettings } from './settings/settings.ts';

/** Maximum total time of SessionEnd hooks, even if they set longer timeouts. */
const LONGEST_SESSION_END_MS = 60_000;

/** Owner of events outside of runs. */
const OUTSIDE: RunInfo = { runId: 'configuration', sessionId: 'configuration', agent: 'hookline', depth: 0 };

/** Claude Code hooks as one hook. */
export interface ClaudeHooks extends Hook {
  /**
   * Ends all sessions and the `async` handlers. SessionEnd hooks get 1.5 seconds in total, or their own timeouts up to a minute. `async` handlers get
   * two seconds to finish. The files for scripts are removed.
   */
  close(): Promise<void>;
  /**
   * Asks the ConfigChange hooks whether the settings may change. Resolves with the reason if one blocks. `source` is compared with matchers, and
   * `file` is the path of the change. Only live hooks call it automatically, before they reload.
   */
  mayChange(change: {
    readonly source: string;
    readonly file: string;
    readonly signal?: AbortSignal;
  }): Promise<string | undefined>;
}

/**
 * Runs the command, http and prompt hooks of unchanged Claude Code settings. `settings` is one or several objects or file paths, which are merged.
 * Source of the format and its rules: the Claude Code hooks reference. Where it is ambiguous, deny takes precedence over ask, and ask over allow, and
 * hooks run in sequence.
 */
export function claudeHooks(
  settings: ClaudeSettings | string | readonly (ClaudeSettings | string)[],
  options: ClaudeHooksOptions = {},
): ClaudeHooks {
  const own = parseOptions('claudeHooks', claudeHooksOptionsSchema, options);
  const sources = Array.isArray(settings) ? settings : [settings as ClaudeSettings | string];
  const report = (diagnostic: Diagnostic): void => {
    own.onDiagnostic?.(diagnostic);
    own.log?.warn({ code: diagnostic.code, event: diagnostic.event }, diagnostic.message);
  };
  const entries = compileSettings(sources, report, own);
  const session = createClaudeSession(entries, own);
  const cwd = own.cwd ?? process.cwd();
  for (const [event, handlers] of entries) {
    for (const { handler } of handlers) {
      const issue = handler.type === 'command' && checkScript(handler, cwd, { CLAUDE_PROJECT_DIR: cwd, ...own.env });
      if (issue) session.diagnose({ code: 'script', event, hook: handler.command as string, message: `${issue}.` });
    }
  }

  const tools = createToolUse(session, own);
  const sessions = new Map<string, { readonly run: RunInfo; readonly context: HookContext }>();
  const judges = session.has('PreToolUse');
  const hook = defineHook({
    name: own.name,
    description: 'Claude Code hooks.',
    ...(own.priority !== undefined && { priority: own.priority }),
    on: handlersOf(session, own, tools, sessions),
    ...(judges && { approve: tools.approve }),
    onFailure: 'block',
    // Each script has a separate timeout.
    timeoutMs: Number.POSITIVE_INFINITY,
  });
  const ending = (entries.get('SessionEnd') ?? []).map(({ handler: { timeout = 0 } }) => timeout * 1_000);
  const endMs = Math.min(LONGEST_SESSION_END_MS, Math.ceil(Math.max(SESSION_END_MS, ...ending)));
  const close = async (): Promise<void> => {
    const ends = [...sessions.values()].map(({ run, context: { transcript, log } }) =>
      lastValueFrom(
        session.fire(
          'SessionEnd',
          'other',
          { reason: 'other' },
          { run },
          { transcript, log, signal: AbortSignal.timeout(endMs) },
        ),
      ),
    );
    sessions.clear();
    try {
      await Promise.all(ends);
    } finally {
      await session.end();
    }
  };
  const mayChange: ClaudeHooks['mayChange'] = async ({ source, file, signal = new AbortController().signal }) => {
    const context = { transcript: [], log: safeLogger(own.log ?? consoleLogger), signal };
    const at = { run: OUTSIDE };
    const { block, stop } = await lastValueFrom(
      session.fire('ConfigChange', source, { source, file_path: file }, at, context),
    );
    return block ?? stop;
  };
  return Object.freeze({ ...hook, close, mayChange });
}

function handlersOf(
  session: ClaudeSession,
  own: Parameters<typeof createToolUse>[1],
  tools: ReturnType<typeof createToolUse>,
  sessions: Map<string, { readonly run: RunInfo; readonly context: HookContext }>,
): Handlers {
  const stops = createStopMoment(session, own);
  return {
    preCall: createUserPrompt(session),
    ...(session.has('PreToolUse') && { preActing: tools.preActing }),
    postActing: createToolDone(session, own, tools.takeContexts),
    postReasoning: stops,
    error: (event, context) => stopFailure(session, event, context),
    postCall(event, context) {
      // A context keeps its whole run in memory. Without SessionEnd hooks, a host with many sessions would keep them for nothing.
      if (event.run.depth === 0 && session.has('SessionEnd'))
        sessions.set(event.run.sessionId, { run: event.run, context });
    },
  };
}

/** StopFailure: the model failed. Output of hooks is ignored. */
function stopFailure(session: ClaudeSession, event: ErrorEvent, context: HookContext): Observable<void> | undefined {
  if (event.source !== 'model' || !session.has('StopFailure')) return undefined;
  const own = { error: 'unknown', error_details: event.error.message };
  return session.fire('StopFailure', 'unknown', own, event, context).pipe(ignoreElements());
}
