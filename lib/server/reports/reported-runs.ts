import { Subject } from 'rxjs';
import type { RunWatcher } from '../../agent/run-watcher.ts';
import type { SettledEvent } from '../../events/hook-event.ts';

/** Runs of other processes, which report their events. They are watched like runs of this program, but cannot be cancelled or resumed here. */
export interface ReportedRuns {
  /**
   * Takes events of runs of a user, in order. Events that were taken before are counted as repeated. Events of a run whose preCall was not
   * reported are ignored.
   */
  report(user: string, events: readonly SettledEvent[]): ReportOutcome;
  /** Stops the timer that ends silent runs. */
  close(): void;
}

/** Numbers of events. */
export interface ReportOutcome {
  readonly accepted: number;
  readonly repeated: number;
  readonly ignored: number;
}

/** Time without an event after which a run counts as ended, in milliseconds. */
const SILENT_MS = 15 * 60_000;
/** Maximum number of runs whose last event is remembered, active ones included. */
const MOST_RUNS = 10_000;

/** A run or sub-agent that reports. */
interface Reporter {
  /** Sequence number of its last event. */
  seq: number;
  readonly feed: Feed;
}

/** A run with its sub-agents. */
interface Feed {
  readonly events$: Subject<SettledEvent>;
  over: boolean;
  at: number;
}

/** Interval of the check for silent runs, in milliseconds. */
const CHECK_MS = 60_000;

/** Shows the runs on the page of `runs`. */
export function createReportedRuns(runs: RunWatcher, now = Date.now): ReportedRuns {
  /** By user and run, the least recently used first. */
  const reporters = new Map<string, Reporter>();

  const timer = setInterval(() => {
    for (const { feed } of reporters.values())
      if (now() - feed.at >= SILENT_MS) end(feed, `has reported nothing for ${SILENT_MS / 60_000} minutes`);
  }, CHECK_MS).unref();

  function end(feed: Feed, why: string): void {
    if (feed.over) return;
    feed.over = true;
    feed.events$.error(new Error(`A run of another process ${why}.`));
  }

  function reporterOf(user: string, event: SettledEvent): Reporter | undefined {
    const { runId, parentRunId } = event.run;
    const known = reporters.get(keyOf(user, runId));
    if (known) return known;
    const parent = parentRunId === undefined ? undefined : reporters.get(keyOf(user, parentRunId));
    if (event.type !== 'preCall' || (parentRunId !== undefined && !parent)) return undefined;
    if (parent) return { seq: -1, feed: parent.feed };
    const feed: Feed = { events$: new Subject(), over: false, at: now() };
    runs.watch(feed.events$, { user });
    return { seq: -1, feed };
  }

  return {
    report(user, events) {
      const outcome = { accepted: 0, repeated: 0, ignored: 0 };
      for (const event of events) {
        const reporter = reporterOf(user, event);
        if (!reporter) outcome.ignored += 1;
        else if (event.seq <= reporter.seq || reporter.feed.over) outcome.repeated += 1;
        else {
          const { feed } = reporter;
          const key = keyOf(user, event.run.runId);
          reporter.seq = event.seq;
          feed.at = now();
          reporters.delete(key);
          reporters.set(key, reporter);
          outcome.accepted += 1;
          feed.over = event.type === 'postCall' && event.run.parentRunId === undefined;
          // Whatever user the event names, the run belongs to the user of the token.
          feed.events$.next({ ...event, run: { ...event.run, userId: user } });
        }
      }
      for (const [key, { feed }] of reporters) {
        if (reporters.size <= MOST_RUNS) break;
        reporters.delete(key);
        end(feed, `is one of more than ${MOST_RUNS} runs that report`);
      }
      return outcome;
    },
    close: () => clearInterval(timer),
  };
}

function keyOf(user: string, runId: string): string {
  return JSON.stringify([user, runId]);
}
