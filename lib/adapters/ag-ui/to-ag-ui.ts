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

/** How a run is shown on AG-UI. */
export interface AgUiOptions {
  /** The names of thread and run on the wire; given, RUN_STARTED goes out at once. Default: the session and the run. */
  readonly threadId?: string;
  readonly runId?: string;
  /** The messages that the client shows already; each MESSAGES_SNAPSHOT begins with them. */
  readonly messages?: readonly AgUiMessage[];
  /** Whether thoughts of the model are shown, as REASONING events; default true. */
  readonly thinking?: boolean;
  /** Whether what running tools report is shown, as ACTIVITY events; default true. */
  readonly toolOutput?: boolean;
  /** Whether `metadata.hooks` says which hooks have decided, noted or, where the run is traced, changed something: names, codes and paths, never values. Default false. */
  readonly hooks?: boolean;
  /** Calls that wait inside the run are told of as CUSTOM `hooks.approval.requested` and `hooks.approval.resolved`. */
  readonly inbox?: Pick<Inbox, 'list' | 'changes$'>;
  /** What the client is told of a run that has failed. Default: that it has, and the id of the run. */
  readonly errorText?: (event: PostCall) => string;
}

/** Of the options those that handlers take, too. */
export const agUiOptions = {
  thinking: z.boolean().default(true),
  toolOutput: z.boolean().default(true),
  hooks: z.boolean().default(false),
  inbox: z
    .custom<Pick<Inbox, 'list' | 'changes$'>>(
      (value) => typeof (value as Inbox | null)?.list === 'function',
      'must be an inbox (createInbox makes them)',
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
 * The events of a run as events of AG-UI 1.0, from RUN_STARTED to RUN_FINISHED or RUN_ERROR; sub-agents' carry their `subagentRunId`. Events
 * that break off end in RUN_ERROR. An interrupt's id is the key that `agent.resume` takes answers by. Wrong options are `OPTIONS_INVALID`.
 */
export function toAgUi(options: AgUiOptions = {}): OperatorFunction<SettledEvent, AgUiEvent> {
  return mapWith(mappingOptions(options));
}

/** The operator, for options that have been checked. */
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

/** The options of a mapping, checked. */
export function mappingOptions(options: AgUiOptions): MappingOptions {
  const { threadId, runId, errorText, inbox, ...rest } = parseOptions('toAgUi()', optionsSchema, options);
  const named = threadId !== undefined && runId !== undefined;
  const ids = named ? { threadId, runId } : undefined;
  const broken = `The run broke off${ids ? ` (${ids.runId})` : ''}.`;
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

/** What is wrong stands in the log; a client is told where to look, unless the host has other words that work. */
function safeText(own: AgUiOptions['errorText']): MappingOptions['errorText'] {
  return (event) => {
    try {
      const text = own?.(event);
      if (typeof text === 'string') return text;
    } catch {
      // The stream has to end all the same.
    }
    return `The run failed (${event.run.runId}).`;
  };
}
