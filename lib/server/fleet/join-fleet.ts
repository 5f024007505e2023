import type { Logger } from 'pino';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Inbox } from '../../hooks/asking/inbox.ts';
import type { StateStore } from '../../store/state/state-store.ts';
import type { Runs, RunsOptions } from '../runs/runs.ts';
import { type Activities, type Activity, createActivities } from '../screens/activity.ts';
import { fleetControls } from './fleet-controls.ts';
import { fleetInbox } from './fleet-inbox.ts';
import { type ServerLink, stopListening } from './server-link.ts';

/** Parts of `joinFleet`. */
export interface FleetParts {
  readonly link: ServerLink;
  /** State that the servers share. */
  readonly state: StateStore;
  /** Pending calls of active runs on this server. */
  readonly inbox: Inbox;
  readonly log?: Logger;
}

/** This server as one of several that share stores. */
export interface Fleet {
  /** For `createRuns`. */
  readonly options: Pick<RunsOptions, 'inbox' | 'activities' | 'controlElsewhere'>;
  /** Accepts the controls of other servers. */
  serve(runs: Runs): void;
  /** Stops to share. */
  leave(): void;
}

/** Connects a server with the others that share its stores: pending calls, changes of runs for their screens, and controls of active runs. */
export function joinFleet({ link, state, inbox: own, log }: FleetParts): Fleet {
  const inbox = fleetInbox({ own, link, state, log });
  const controls = fleetControls(link, log);
  const all = fleetActivities(link, log);
  const activities: Activities = {
    ...all,
    publish(activity) {
      if (activity.type === 'run') controls.offer(activity.data as never);
      all.publish(activity);
    },
  };
  return {
    options: { inbox, activities, controlElsewhere: controls.ask },
    serve: controls.serve,
    leave: inbox.stop,
  };
}

/** Changes of runs on all servers, for the streams of this one. Pending calls come from the inbox. */
function fleetActivities(link: ServerLink, log: Logger | undefined): Activities {
  const own = createActivities();
  const hearing = link.hear('activity', (message) => own.publish(message as unknown as Activity));
  hearing.catch((err: unknown) => log?.error({ err }, 'changes of runs on other servers cannot be received'));
  return {
    ...own,
    publish(activity) {
      own.publish(activity);
      // Pending calls of active runs have a topic of their own.
      if (activity.data['inside'] !== true) link.tell('activity', activity as unknown as JsonObject);
    },
    close() {
      stopListening(hearing);
      own.close();
    },
  };
}
