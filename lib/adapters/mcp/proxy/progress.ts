import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ToolContext } from '../../../pipeline/define/tool.ts';
import type { Read, RpcMessage } from './json-rpc.ts';

/** The maximum number of progress messages of a call that wait for hooks. Further ones are dropped, which is logged once. */
const MAX_WAITING = 1_000;

/** Progress notifications of one call, on their way through the hooks. */
export interface CallProgress {
  readonly token: unknown;
  /** The emitter of the current attempt. */
  emit: ToolContext['emit'] | undefined;
  take(read: Read): void;
  /** Resolves when hooks have received all notifications. */
  drained(): Promise<unknown>;
  give(content: string): void;
}

/** `send` receives the notifications for the client, in order. Unchanged ones keep their text. */
export function createProgress(token: unknown, send: (read: Read) => void, overflow: () => void): CallProgress {
  let waiting = 0;
  let reported = false;
  let last: (Read & { readonly params: JsonObject }) | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  const progress: CallProgress = {
    token,
    emit: undefined,
    take(read) {
      const { params = {} } = read.message;
      if (waiting >= MAX_WAITING) {
        if (!reported) overflow();
        reported = true;
        return;
      }
      waiting += 1;
      tail = tail.then(async () => {
        waiting -= 1;
        const message = params['message'];
        if (typeof message !== 'string' || message === '') return send(read);
        last = { ...read, params };
        // The call itself reports this error.
        await progress.emit?.(message).catch(() => {});
      });
      // The call reports this error when it waits for the queue.
      tail.catch(() => {});
    },
    drained: () => tail,
    give(content) {
      if (content === '' || !last) return;
      const { params } = last;
      if (content === params['message']) return send(last);
      const message: RpcMessage = {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { ...params, message: content },
      };
      send({ text: JSON.stringify(message), message });
    },
  };
  return progress;
}

/** Returns true if two tokens match. Clients read a token as a number, whatever its type. */
export function isToken(token: unknown, known: unknown): boolean {
  if (known === undefined) return false;
  try {
    return String(token) === String(known) || Number(token) === Number(known);
  } catch {
    // Clients cannot convert it to a number either.
    return false;
  }
}
