import { userInfo } from 'node:os';
import type { HookLease } from '../../config/live/generation.ts';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { DialectName } from '../host-hook/dialects/dialect-names.ts';
import { dialectOf } from '../host-hook/dialects/dialects.ts';
import { readEventOf } from '../host-hook/dialects/read-event-of.ts';
import { hostParts } from '../host-hook/host-parts.ts';
import type { HostMoment, Verdict } from '../host-hook/judge/host-moment.ts';
import { judgeMoment } from '../host-hook/judge/judge-moment.ts';
import { configuredHooks } from '../setup/configured-hooks.ts';
import type { PolicyCase } from './case-file.ts';
import { hostEventOf } from './host-event.ts';
import { dryPipeline, type Outcome } from './try-case.ts';

/** A policy as `hookline hook` applies it to the events of a host. */
export interface HostBed {
  tryCase(asked: PolicyCase): Promise<Outcome>;
  close(): Promise<void>;
}

/** Loads a policy as `hookline hook --as <host>` does, with the hooks that are always on there. */
export async function hostBed(policy: readonly string[], host: DialectName): Promise<HostBed> {
  const flags = { config: policy, hooks: [] };
  const { workspace, project, floor } = await hostParts(flags, host);
  const live = await configuredHooks(flags, { workspace, project, floor });
  const lease: HookLease = await live.lease();
  const pipeline = dryPipeline(lease);
  const dialect = dialectOf(host);

  async function tryCase(asked: PolicyCase): Promise<Outcome> {
    const { session = 'case', user = userInfo().username } = asked;
    const event = hostEventOf(host, asked, { session, cwd: workspace });
    let moment: HostMoment;
    try {
      moment = readEventOf(dialect, JSON.stringify(event));
    } catch (thrown) {
      // As the hook answers an event that it cannot evaluate.
      return { action: 'deny', reason: messageOf(thrown) };
    }
    if (moment.kind === 'other')
      return { action: 'allow', reason: `${dialect.title} has no event that hooks evaluate` };
    const steps: TraceStep[] = [];
    let by: string | undefined;
    const watching = pipeline.traces$.subscribe((report) => {
      steps.push(...report.steps);
      const { decision } = report.event;
      if (decision && 'by' in decision) by ??= decision.by;
    });
    try {
      const { verdict, run } = await judgeMoment(pipeline, dialect, moment, { userId: user, dryRun: true });
      run.cancel('only tried');
      return { ...outcomeOf(verdict), by, steps };
    } finally {
      watching.unsubscribe();
    }
  }

  return {
    tryCase,
    async close() {
      lease.release();
      await live.close();
    },
  };
}

function outcomeOf({ refused, asked, ended, input, output, context, lost }: Verdict): Outcome {
  if (ended !== undefined) return { action: 'abort', reason: refused ?? ended };
  if (refused !== undefined) return { action: 'deny', reason: refused };
  if (asked !== undefined) return { action: 'ask', reason: asked, input };
  const reason = lost === undefined ? context : `the host does not support ${lost}`;
  return { action: 'allow', reason, input, text: output?.text };
}
