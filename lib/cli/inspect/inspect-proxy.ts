import { firstValueFrom, from, isObservable, Observable, type Subscriber } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Answer, Inbox } from '../../hooks/index.ts';
import type { PendingCallRecord } from '../../loops/index.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { Run } from '../../pipeline/run/run.ts';
import { type InspectedRun, inspectRun } from './inspect-run.ts';

/** A page that shows each session of a proxy as a run and answers its pending calls. */
export interface ProxyPage {
  readonly url: string;
  /** Registers a run that the page may cancel. */
  take(run: Run): void;
  close(): Promise<void>;
}

export async function inspectProxy(
  pipeline: Pipeline,
  inspected: Omit<InspectedRun, 'cancel' | 'interrupt'>,
): Promise<ProxyPage> {
  const page = await inspectRun({ ...inspected, cancel() {}, interrupt() {} });
  const cancels = new Map<string, InspectedRun['cancel']>();
  const runs = new Map<string, ReturnType<typeof waitingEvents>>();
  const watching = pipeline.events$.subscribe((event) => {
    const { runId } = event.run;
    if (event.type === 'preCall') {
      const run = waitingEvents();
      runs.set(runId, run);
      page.show(run.events$, cancels.get(runId)).subscribe();
    }
    runs.get(runId)?.take(event);
    if (event.type !== 'postCall') return;
    runs.delete(runId);
    cancels.delete(runId);
  });
  return {
    url: page.url,
    take(run) {
      cancels.set(run.info.runId, (reason) => run.cancel(messageOf(reason)));
    },
    async close() {
      watching.unsubscribe();
      await page.close();
    },
  };
}

/** Adds pending calls to the inbox, so that the web UI shows them. */
export function askInbox(inbox: Inbox, timeoutMs: number) {
  return async (
    { run, call: { judged, by = '', prompt = '' } }: PendingCallRecord,
    signal: AbortSignal,
  ): Promise<Answered> => {
    const { name: tool, input } = judged;
    const question = { tool, input, permission: 'external', description: '', run, prompt } as const;
    const asked = inbox.ask(question, { signal, call: judged, by, timeoutMs });
    const answer = await firstValueFrom(isObservable(asked) ? asked : from(Promise.resolve(asked)), {
      defaultValue: false,
    });
    return typeof answer === 'object' ? answer : { approved: answer };
  };
}

type Answered = Exclude<Answer, boolean>;

/** Events of one run, buffered until the first subscription. */
function waitingEvents() {
  let kept: SettledEvent[] = [];
  let taker: Subscriber<SettledEvent> | undefined;
  const give = (event: SettledEvent): void => {
    taker?.next(event);
    if (event.type === 'postCall') taker?.complete();
  };
  return {
    take: (event: SettledEvent): void => (taker ? give(event) : void kept.push(event)),
    events$: new Observable<SettledEvent>((subscriber) => {
      taker = subscriber;
      for (const event of kept) give(event);
      kept = [];
    }),
  };
}
