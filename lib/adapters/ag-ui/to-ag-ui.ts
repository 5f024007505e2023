import { Observable, type OperatorFunction } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { Inbox } from '../../hooks/asking/inbox.ts';
import type { AgUiEvent, AgUiMessage } from './ag-ui-event.ts';
import { callsOfSnapshot } from './mapping/ending.ts';
import { Mapping } from './mapping/mapping.ts';
import type { MappingOptions } from './mapping/mapping-options.ts';

/** Options of `toAgUi`. */
export interface AgUiOptions {
  /** The ids of thread and run on the wire. If set, RUN_STARTED is sent at once (default: ids of the session and the run). */
  readonly threadId?: string;
  readonly runId?: string;
  /** The messages that the client already shows. Each MESSAGES_SNAPSHOT starts with them. */
  readonly messages?: readonly AgUiMessage[];
  /** Sends thoughts of the model as REASONING events (default: true). */
  readonly thinking?: boolean;
  /** Sends progress of running tools as ACTIVITY events (default: true). */
  readonly toolOutput?: boolean;
  /**
   * Sends `metadata.hooks`: which hooks decided, noted or, in a traced run, changed something. Contains names, codes and paths, never values
   * (default: false).
   */
  readonly hooks?: boolean;
  /** Whether the events of sub-agents are sent (default: `all`). Their pending calls always are. */
  readonly subagents?: 'all' | 'none';
  /** Sends pending calls inside the run as CUSTOM `hooks.approval.requested` and `hooks.approval.resolved`. */
  readonly inbox?: Pick<Inbox, 'list' | 'changes$'>;
  /** Returns the error text for the client if a run fails (default: a general text with the id of the run). */
  readonly errorText?: (event: PostCall) => string;
}

/** @internal The options that handlers also accept. */
export const agUiOptions = {
  thinking: z.boolean().default(true),
  toolOutput: z.boolean().default(true),
  hooks: z.boolean().default(false),
  subagents: z.enum(['all', 'none']).default('all'),
  inbox: z
    .custom<Pick<Inbox, 'list' | 'changes$'>>(
      (value) => typeof (value as Inbox | null)?.list === 'function',
      'must be an inbox from createInbox()',
    )
    .optional(),
  errorText: z
    .custom<(event: PostCall) => string>((value) => typeof value === 'function', 'must be a function')
    .optional(),
};

const optionsSchema = z.strictObject({
  ...agUiOptions,
  threadId: z.string().optional(),
  runId: z.string().optional(),
  messages: z.array(z.custom<AgUiMessage>((value) => typeof value === 'object' && value !== null)).default([]),
});

/**
 * Maps the events of a run to events of AG-UI 1.0, from RUN_STARTED to RUN_FINISHED or RUN_ERROR. Events of sub-agents have a `subagentRunId`. If
 * the events break off, the stream ends with RUN_ERROR. The id of an interrupt is the key for answers in `agent.resume`. Throws `OPTIONS_INVALID`
 * for invalid options.
 */
export function toAgUi(options: AgUiOptions = {}): OperatorFunction<SettledEvent, AgUiEvent> {
  return mapWith(mappingOptions(options));
}

/** Returns the operator, for validated options. */
export function mapWith(options: MappingOptions): OperatorFunction<SettledEvent, AgUiEvent> {
  return (events$) =>
    new Observable((subscriber) => {
      const mapping = new Mapping(options, (event) => subscriber.next(event));
      const end = (): void => {
        mapping.end();
        subscriber.complete();
      };
      subscriber.add(() => mapping.stop());
      mapping.begin();
      subscriber.add(events$.subscribe({ next: (event) => mapping.take(event), error: end, complete: end }));
    });
}

export function mappingOptions(options: AgUiOptions): MappingOptions {
  const { threadId, runId, errorText, inbox, ...rest } = parseOptions('toAgUi()', optionsSchema, options);
  const named = threadId !== undefined && runId !== undefined;
  const ids = named ? { threadId, runId } : undefined;
  const broken = `The run ended unexpectedly${ids ? ` (${ids.runId})` : ''}.`;
  return {
    ...rest,
    inbox,
    errorText: safeText(errorText),
    broken,
    ids,
    waiting: callsOfSnapshot,
    clientTools: new Set(),
    named: new Map(),
  };
}

/** Details of errors are only logged. The client receives a reference to the log, unless the host's own function returns a text. */
function safeText(own: AgUiOptions['errorText']): MappingOptions['errorText'] {
  return (event) => {
    try {
      const text = own?.(event);
      if (typeof text === 'string') return text;
    } catch {
      // The stream must end even if the host's function throws.
    }
    return `The run failed (${event.run.runId}).`;
  };
}
