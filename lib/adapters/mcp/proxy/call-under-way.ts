import type { JsonObject } from '../../../events/values/json-value.ts';
import type { RpcId, RpcMessage } from './json-rpc.ts';
import type { CallProgress } from './progress.ts';

/** A call of the client that is under way. */
export interface CallUnderWay {
  readonly id: RpcId;
  readonly request: RpcMessage & { readonly params: JsonObject };
  readonly stop: AbortController;
  readonly progress: CallProgress | undefined;
  /** What the client can, as it said when the session began. */
  readonly capabilities: JsonObject | undefined;
}
