import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import type { HostCall } from './host-call.ts';

/** What an event of a host can express besides a refusal. */
export interface Effects {
  /** The host can ask its user about a call. `always`: it does so anyway. */
  readonly ask?: 'possible' | 'always';
  /** The host runs a changed call. `asked`: only if its user agrees. */
  readonly rewrite?: 'silent' | 'asked';
  /** The host replaces a result. */
  readonly replace?: boolean;
  /** The host passes additional context to the model. */
  readonly context?: boolean;
  /** The host can end the turn. */
  readonly end?: boolean;
}

interface MomentBase {
  /** The name that the host gives this event. */
  readonly event: string;
  readonly session: string;
  /** The working directory of the session. */
  readonly cwd?: string | undefined;
  /** The id of a sub-agent, which has separate state. */
  readonly agent?: string | undefined;
  readonly can: Effects;
  /** The event as the host sent it. */
  readonly raw: JsonObject;
}

/** A prompt of the user. */
export interface PromptMoment extends MomentBase {
  readonly kind: 'prompt';
  readonly prompt: string;
}

/** A call that the host will run. */
export interface CallMoment extends MomentBase {
  readonly kind: 'call';
  readonly use: HostCall;
  /** The result, if the host already has it. A host that cannot replace it must not use it if hooks change it. */
  readonly known?: JsonValue;
}

/** A call that the host ran. */
export interface ResultMoment extends MomentBase {
  readonly kind: 'result';
  readonly use: HostCall;
  readonly value: JsonValue;
  readonly failed: boolean;
}

/** The end of a turn, with the last message of the model. */
export interface StopMoment extends MomentBase {
  readonly kind: 'stop';
  readonly text: string;
  /** True if a hook already made the host continue. */
  readonly again: boolean;
}

/** A model request. Only the texts of its messages are known. */
export interface RequestMoment extends MomentBase {
  readonly kind: 'request';
  readonly messages: readonly { readonly role: 'user' | 'assistant' | 'system'; readonly text: string }[];
}

/** A text of the model, whole or a chunk of it. */
export interface AnswerMoment extends MomentBase {
  readonly kind: 'answer';
  readonly text: string;
}

/** An event at which hooks are loaded, or nothing is evaluated. */
export interface QuietMoment extends MomentBase {
  readonly kind: 'start' | 'other';
}

/** An event of a host in our terms. */
export type HostMoment =
  | PromptMoment
  | RequestMoment
  | AnswerMoment
  | CallMoment
  | ResultMoment
  | StopMoment
  | QuietMoment;

/** What hooks decided. Only what the event `can` express; without fields, the host continues. */
export interface Verdict {
  /** Why the prompt is blocked, or the request or the call denied. */
  readonly refused?: string;
  /** Why the host must ask its user about the call. */
  readonly asked?: string;
  /** The changed input of the call, in the fields of the host. */
  readonly input?: JsonObject;
  /** The replaced result, as text and as a value. */
  readonly output?: { readonly text: string; readonly value: unknown };
  /** The texts of a changed request, in their order, and of the messages that hooks added. */
  readonly request?: { readonly texts: readonly string[]; readonly added: readonly string[] };
  /** The changed text of the model. */
  readonly answer?: string;
  /** Text for the model, in addition to the prompt or the result. */
  readonly context?: string;
  /** Why the turn ends. */
  readonly ended?: string;
  /** Why the model must continue. */
  readonly again?: string;
  /** What hooks decided and the host cannot do. It is logged. */
  readonly lost?: string;
}
