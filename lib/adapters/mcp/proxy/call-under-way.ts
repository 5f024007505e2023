import type { JsonObject } from '../../../events/values/json-value.ts';
import type { RpcId, RpcMessage } from './json-rpc.ts';
import type { CallProgress } from './progress.ts';

/** A running call of the client. */
export interface CallUnderWay {
  readonly id: RpcId;
  readonly request: RpcMessage & { readonly params: JsonObject };
  readonly stop: AbortController;
  readonly progress: CallProgress | undefined;
  /** The capabilities that the client declared when the session started. */
  readonly capabilities: JsonObject | undefined;
}
