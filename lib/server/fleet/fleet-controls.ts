import type { Logger } from 'pino';
import type { JsonObject } from '../../events/values/json-value.ts';
import { refuse } from '../http/refuse.ts';
import type { RunControl, RunView } from '../runs/run-view.ts';
import type { Runs } from '../runs/runs.ts';
import { askPatiently, type ServerLink, stopListening } from './server-link.ts';

/** Controls of runs on other servers. */
export interface FleetControls {
  /** Sends the control to the server of a run. Returns false if no server has the run. */
  ask(user: string, runId: string, control: RunControl): Promise<boolean>;
  /** Accepts the controls of other servers for an active run of this one, until its view says that it is over. */
  offer(view: RunView): void;
  /** Sets the runs that the controls apply to. */
  serve(runs: Pick<Runs, RunControl>): void;
}

export function fleetControls(link: ServerLink, log: Logger | undefined): FleetControls {
  const offered = new Map<string, Promise<() => void>>();
  let own: Pick<Runs, RunControl> | undefined;

  async function answer(runId: string, { user, control }: JsonObject): Promise<JsonObject> {
    try {
      await own?.[control as RunControl](String(user), runId);
      return { done: true };
    } catch (thrown) {
      return { refused: (thrown as Error).message };
    }
  }

  return {
    serve(runs) {
      own = runs;
    },
    offer({ runId, state }) {
      const known = offered.get(runId);
      if (state === 'running' && !known) {
        const serving = link.serve(`run.${runId}`, (request) => answer(runId, request));
        serving.catch((err: unknown) => log?.error({ err, runId }, 'other servers cannot control this run'));
        offered.set(runId, serving);
      } else if (state !== 'running' && known) {
        offered.delete(runId);
        stopListening(known);
      }
    },
    async ask(user, runId, control) {
      const answer = await askPatiently(link, `run.${runId}`, { user, control });
      if (typeof answer?.['refused'] === 'string') throw refuse(409, answer['refused']);
      return answer !== undefined;
    },
  };
}
