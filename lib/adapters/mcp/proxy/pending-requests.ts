import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import type { Read, RpcId, RpcMessage } from './json-rpc.ts';

/** Requests that wait for a reply of one side. */
export interface PendingRequests {
  /**
   * Sends a request on behalf of the client's request `about`. Rejects with the reason of the first aborted signal, or if that side has
   * disconnected.
   */
  ask(request: RpcMessage & { readonly id: RpcId }, about: RpcId, ...signals: readonly AbortSignal[]): Promise<Read>;
  /** Accepts a reply. Returns false if no request waits for it. */
  take(reply: Read): boolean;
  /** Rejects all requests after that side has disconnected. */
  close(why: string): void;
}

/** Sends requests with `send`. A request that no caller waits for is cancelled at the other side. */
export function createPendingRequests(send: (text: string, about: RpcId) => void): PendingRequests {
  const waiting = new Map<RpcId, { resolve(reply: Read): void; reject(thrown: unknown): void }>();
  let closed: string | undefined;
  const gone = (why: string) => new HooklineError('TOOL_FAILED', why);
  return {
    ask(request, about, ...signals) {
      if (closed !== undefined) return Promise.reject(gone(closed));
      for (const signal of signals) signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const cancel = (): void => {
          waiting.delete(request.id);
          const thrown: unknown = signals.find(({ aborted }) => aborted)?.reason;
          const params = { requestId: request.id, reason: messageOf(thrown) };
          for (const signal of signals) signal.removeEventListener('abort', cancel);
          send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }), about);
          reject(thrown);
        };
        const done = (): boolean => {
          for (const signal of signals) signal.removeEventListener('abort', cancel);
          return waiting.delete(request.id);
        };
        waiting.set(request.id, {
          resolve: (reply) => done() && resolve(reply),
          reject: (thrown) => done() && reject(thrown),
        });
        for (const signal of signals) signal.addEventListener('abort', cancel);
        send(JSON.stringify(request), about);
      });
    },
    take(reply) {
      const { id } = reply.message;
      const one = id === undefined || id === null ? undefined : waiting.get(id);
      one?.resolve(reply);
      return one !== undefined;
    },
    close(why) {
      closed ??= why;
      for (const one of [...waiting.values()]) one.reject(gone(why));
    },
  };
}
