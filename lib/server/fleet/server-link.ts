import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../events/values/json-value.ts';

/** Calls the function that `serve` or `hear` returned, if it did. */
export function stopListening(listening: Promise<() => void> | undefined): void {
  void listening?.then(
    (stop) => stop(),
    () => {},
  );
}

/** Carries messages between the servers that share stores. A message may be lost. Failures are `STORE_FAILED`. */
export interface ServerLink {
  /** Answers the requests to a name. Returns a function that stops. At most one server answers for a name at a time. */
  serve(name: string, answer: (request: JsonObject) => Promise<JsonObject>): Promise<() => void>;
  /** Sends a request to the server that answers for a name. Returns undefined at once if there is none. */
  ask(name: string, request: JsonObject): Promise<JsonObject | undefined>;
  /** Sends a message to all other servers. Never fails. */
  tell(topic: string, message: JsonObject): void;
  /** Receives the messages of other servers. `again` is called after each reconnect, because messages may have been missed. Returns a function that stops. */
  hear(topic: string, heard: (message: JsonObject) => void, again?: () => void): Promise<() => void>;
}

/** Time in which a server reconnects, and the time between requests to it, in milliseconds. */
const RECONNECT_MS = 2_000;
const RETRY_MS = 100;

/** Asks a server that should be there. After an interruption, it may reconnect later than this one. */
export async function askPatiently(
  link: ServerLink,
  name: string,
  request: JsonObject,
): Promise<JsonObject | undefined> {
  for (const end = performance.now() + RECONNECT_MS; ; await sleep(RETRY_MS)) {
    const reply = await link.ask(name, request);
    if (reply || performance.now() > end) return reply;
  }
}
