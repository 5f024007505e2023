import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ToolContext } from '../../../pipeline/define/tool.ts';
import type { Read, RpcMessage } from './json-rpc.ts';

/** Messages of one call that may wait for its hooks; further ones are dropped, which is told once. */
const MAX_WAITING = 1_000;

/** What a server tells of one call, on its way through the hooks. */
export interface CallProgress {
  readonly token: unknown;
  /** Of the attempt that runs now. */
  emit: ToolContext['emit'] | undefined;
  take(read: Read): void;
  /** Resolves when hooks have had all that has come. */
  drained(): Promise<unknown>;
  /** What has left the hooks. */
  give(content: string): void;
}

/** `send` gets the notifications for the client, in order; unchanged ones as they came. */
export function createProgress(token: unknown, send: (read: Read) => void, overflow: () => void): CallProgress {
  let waiting = 0;
  let told = false;
  let last: (Read & { readonly params: JsonObject }) | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  const progress: CallProgress = {
    token,
    emit: undefined,
    take(read) {
      const { params = {} } = read.message;
      if (waiting >= MAX_WAITING) {
        if (!told) overflow();
        told = true;
        return;
      }
      waiting += 1;
      tail = tail.then(async () => {
        waiting -= 1;
        const said = params['message'];
        if (typeof said !== 'string' || said === '') return send(read);
        last = { ...read, params };
        // What it fails of is told by the call.
        await progress.emit?.(said).catch(() => {});
      });
      // Told by the call, when it waits for them.
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

/** Clients read a token as a number, whatever it is. */
export function isToken(token: unknown, known: unknown): boolean {
  if (known === undefined) return false;
  try {
    return String(token) === String(known) || Number(token) === Number(known);
  } catch {
    // No client can read it either.
    return false;
  }
}
