import { Observable, type Subscription } from 'rxjs';
import type { Agent } from '../../agent/agent.ts';
import type { HookConfigs, HookLease } from '../../config/index.ts';
import { cleanPrompt } from '../../events/clean-prompts.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import { redactText } from '../../pipeline/trace/redact-text.ts';
import type { RunOwner, RunPorts } from './run-ports.ts';

/**
 * Runs agents for the API. A run keeps the hooks that its owner had at its start, and gets those of `hooksFor`. The configuration files bound the
 * iterations.
 */
export function agentPorts(
  configs: Pick<HookConfigs, 'lease'>,
  agentFor: (lease: HookLease, owner: RunOwner) => Agent | Promise<Agent>,
  hooksFor: (sessionId: string) => readonly Hook[] = () => [],
): RunPorts {
  // The turn in the session is checked after a pause.
  const hooksOf = (sessionId: string, given: readonly Hook[] = []) => ({ hooks: [...given, ...hooksFor(sessionId)] });
  const leased = (
    owner: RunOwner,
    run: (agent: Agent, lease: HookLease) => Observable<SettledEvent>,
  ): Observable<SettledEvent> =>
    new Observable((subscriber) => {
      let running: Subscription | undefined;
      const begin = async (): Promise<void> => {
        const lease = await configs.lease(owner);
        if (subscriber.closed) return lease.release();
        // Added before the run, so that the lease is released before the subscriber receives the end.
        subscriber.add(() => lease.release());
        const agent = await agentFor(lease, owner);
        if (!subscriber.closed) running = run(agent, lease).subscribe(subscriber);
      };
      begin().catch((error: unknown) => subscriber.error(error));
      return () => running?.unsubscribe();
    });

  return {
    start: ({ user, scope, prompt, regenerate, maxIterations, ...rest }, signal, interrupt$, hooks) =>
      leased({ user, ...(scope !== undefined && { scope }) }, (agent, { config }) => {
        const bound = boundOf(config, maxIterations);
        const again = regenerate ? { regenerate } : {};
        return agent.run(regenerate ? [] : prompt, {
          ...rest,
          ...bound,
          ...again,
          ...hooksOf(rest.sessionId, hooks),
          userId: user,
          signal,
          interrupt$,
        });
      }),
    resume: (snapshot, answers, owner, signal, interrupt$, hooks) =>
      leased(owner, (agent) =>
        agent.resume(snapshot, answers, { ...hooksOf(snapshot.run.sessionId, hooks), signal, interrupt$ }),
      ),
    recover: ({ journal, writeAhead, owner, sessionId, maxIterations }, signal, interrupt$, hooks) =>
      leased(owner, (agent, { config }) => {
        const bound = boundOf(config, maxIterations);
        return agent.recover(journal, { ...hooksOf(sessionId, hooks), ...bound, writeAhead, signal, interrupt$ });
      }),
    async shown(messages, owner) {
      const { pipeline, release } = await configs.lease(owner);
      try {
        const redactors = pipeline.hooks.flatMap(({ name, redact }) => (redact ? [{ hook: name, redact }] : []));
        const scope = { plan: { redactors }, log: pipeline.options.log ?? consoleLogger };
        return messages.map((message) => cleanPrompt(message, (text) => redactText(scope, text)));
      } finally {
        release();
      }
    },
  };
}

/** The value of the files is an upper bound for requests over HTTP. */
function boundOf({ settings }: HookLease['config'], maxIterations = Infinity): { maxIterations?: number } {
  const most = Math.min(maxIterations, settings.agent?.maxIterations ?? Infinity);
  return Number.isFinite(most) ? { maxIterations: most } : {};
}
