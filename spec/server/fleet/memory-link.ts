import { HooklineError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import type { ServerLink } from '../../../lib/server/index.ts';

type Answer = (request: JsonObject) => Promise<JsonObject>;
type Heard = (message: JsonObject) => void;

/** A link that can end, as with its process. */
export interface MemoryLink extends ServerLink {
  die(): void;
}

/** Servers in one process. `link` makes the link of one, and `cut` makes all of them miss messages until `mend`. */
export function memoryLinks(): { link(): MemoryLink; cut(): void; mend(): void } {
  const answers = new Map<string, { readonly of: ServerLink; readonly answer: Answer }>();
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
      const own: MemoryLink = {
        async serve(name, answer) {
          const serving = { of: own, answer };
          answers.set(name, serving);
          return () => void (answers.get(name) === serving && answers.delete(name));
        },
        async ask(name, request) {
          try {
            if (!whole) throw new Error('the link is cut');
            return await answers.get(name)?.answer(copy(request)).then(copy);
          } catch (cause) {
            throw new HooklineError('STORE_FAILED', `cannot ask ${name}`, { cause });
          }
        },
        tell(topic, message) {
          if (!whole) return;
          for (const hearer of hearers) if (hearer.of !== own && hearer.topic === topic) hearer.heard(copy(message));
        },
        async hear(topic, heard, again = () => {}) {
          const hearer = { of: own, topic, heard, again };
          hearers.add(hearer);
          return () => void hearers.delete(hearer);
        },
        die() {
          for (const [name, { of }] of answers) if (of === own) answers.delete(name);
          for (const hearer of hearers) if (hearer.of === own) hearers.delete(hearer);
        },
      };
      return own;
    },
  };
}
