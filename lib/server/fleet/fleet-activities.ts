import type { Logger } from 'pino';
import type { JsonObject } from '../../events/values/json-value.ts';
import { type Activities, type Activity, createActivities } from '../screens/activity.ts';
import type { ServerLink } from './server-link.ts';

/** Changes of runs on all servers, for the streams of this one. Pending calls come from the inbox. */
export function fleetActivities(link: ServerLink, log: Logger | undefined): Activities {
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
      void hearing.then(
        (stop) => stop(),
        () => {},
      );
      own.close();
    },
  };
}
