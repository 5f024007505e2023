import type { Observable } from 'rxjs';
import type { Message, MessageInput } from '../../events/parts/message.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { FinishReason } from '../../events/post-reasoning.ts';
import type { Model, ModelRequest } from './model.ts';

/** What a hook asks a model: all but the messages may be left out. A text is a message of the user. */
export type AskRequest = Partial<Omit<ModelRequest, 'messages'>> & { readonly messages: readonly MessageInput[] };

/** Which model is asked: one of `createPipeline(hooks, { models })` by its name, or a model itself. Default: the run's own. */
export interface AskOptions {
  readonly model?: string | Model;
}

/** What a model answered to a hook. */
export interface AskReply {
  readonly message: Message;
  readonly usage?: Usage;
  readonly finishReason: FinishReason;
}

/** Asks a model outside the run's events: no hook hears of it. Emits one reply; ends with `within`, and counts in the run's usage. */
export type Ask = (request: AskRequest, options?: AskOptions) => Observable<AskReply>;
