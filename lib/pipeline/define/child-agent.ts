import type { Observable } from 'rxjs';
import type { HookEvent } from '../../events/hook-event.ts';
import type { MessageInput } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Lifetime } from '../run/lifetime.ts';

/** A `Pipeline`, which cannot be named here: hooks are told of sub-agents, and a pipeline is made of hooks. */
export interface AnyPipeline {
  readonly hooks: readonly { readonly name: string }[];
  readonly start: (options: never) => unknown;
}

/** How a sub-agent is run. `pipeline` replaces the hooks of the parent, which are the default (joined by the agent's own of other names). */
export interface ChildOptions {
  readonly pipeline?: AnyPipeline;
  readonly metadata?: JsonObject;
}

/** What ties a sub-agent's run to its parent's. */
export interface ParentLink {
  readonly run: RunInfo;
  readonly pipeline: AnyPipeline;
  readonly options: ChildOptions;
  readonly lifetime: Lifetime;
  /** The snapshot to go on from, when the parent is resumed. */
  readonly snapshot?: JsonObject;
  /** The answers that came with the resume, by key of the pending call. */
  readonly answers?: JsonObject;
}

/** Anything that can be run inside another run. Agents are. */
export interface ChildAgent {
  readonly name: string;
  runChild(input: MessageInput | readonly MessageInput[], parent: ParentLink): Observable<HookEvent>;
}

/** Runs a sub-agent and emits its one postCall. */
export type RunChild = (
  agent: ChildAgent,
  input: MessageInput | readonly MessageInput[],
  options?: ChildOptions,
) => Observable<PostCall>;
