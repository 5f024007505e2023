import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import type { ServerLink } from '../../../lib/server/index.ts';

type Answer = (request: JsonObject) => Promise<JsonObject>;
type Heard = (message: JsonObject) => void;

/** Servers in one process. `link` makes the link of one, and `cut` makes all of them miss messages until `mend`. */
export function memoryLinks(): { link(): ServerLink; cut(): void; mend(): void } {
  const answers = new Map<string, Answer>();
  const hearers = new Set<{ readonly of: ServerLink; readonly topic: string; heard: Heard; again: () => void }>();
  let whole = true;
  const copy = <T extends JsonObject>(message: T): T => JSON.parse(JSON.stringify(message));
  return {
    cut() {
      whole = false;
    },
    mend() {
      whole = true;
      for (const { again } of hearers) again();
    },
    link() {
      const own: ServerLink = {
        async serve(name, answer) {
          answers.set(name, answer);
          return () => void (answers.get(name) === answer && answers.delete(name));
        },
        ask: async (name, request) => answers.get(name)?.(copy(request)).then(copy),
        tell(topic, message) {
          if (!whole) return;
          for (const hearer of hearers) if (hearer.of !== own && hearer.topic === topic) hearer.heard(copy(message));
        },
        async hear(topic, heard, again = () => {}) {
          const hearer = { of: own, topic, heard, again };
          hearers.add(hearer);
          return () => void hearers.delete(hearer);
        },
      };
      return own;
    },
  };
}
