import { Observable, type OperatorFunction } from 'rxjs';
import { z } from 'zod';
import { resumedKeys } from '../../agent/suspend/resumed-keys.ts';
import type { Snapshot } from '../../agent/suspend/snapshot.ts';
import { parseOptions } from '../../errors/parse-options.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { PostActing } from '../../events/post-acting.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { createMapping } from './mapping/mapping.ts';
import type { MappingOptions } from './mapping/mapping-options.ts';
import { waitingCalls } from './mapping/suspended-calls.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';

/** How a run is shown on the AI SDK's UI message stream. */
export interface UiMessageStreamOptions {
  /** The version of the client's AI SDK; default 6, which 7 reads too. 5 has no approvals; 7 can take text back. */
  readonly version?: 5 | 6 | 7;
  /**
   * Default false. True: a text is shown when its message has settled, so that none is shown that is withdrawn later. False: AI SDK 5 and 6 get
   * a `data-withdrawn` part with the ids of the parts to hide.
   */
  readonly buffer?: boolean;
  /** Whether thoughts of the model are shown, as reasoning; default true. */
  readonly thinking?: boolean;
  /** Whether `data-hook` parts tell which hooks have decided, noted or, where the run is traced, changed something; default false. */
  readonly hooks?: boolean;
  /** The id of the message. Default: the client makes one. */
  readonly messageId?: string;
  /** Names of the tools that the client runs itself. */
  readonly clientTools?: readonly string[];
  /** The snapshot that the run goes on from; needed where it had been resumed before, to find the client's parts. */
  readonly resumes?: Snapshot | JsonObject;
  /** What the client is told of a run or a tool that has failed. Default: that it has, and the id of the run. */
  readonly errorText?: (event: PostCall | PostActing) => string;
}

/** Those that are the same for every stream. */
export const streamOptions = {
  version: z.union([z.literal(5), z.literal(6), z.literal(7)]).default(6),
  buffer: z.boolean().default(false),
  thinking: z.boolean().default(true),
  hooks: z.boolean().default(false),
  errorText: z
    .custom<(event: PostCall | PostActing) => string>((value) => typeof value === 'function', 'must be a function')
    .optional(),
};

const optionsSchema = z.strictObject({
  ...streamOptions,
  messageId: z.string().optional(),
  clientTools: z.array(z.string()).default([]),
  resumes: z.unknown().optional(),
});

/**
 * The events of a run as chunks of the AI SDK's UI message stream, from `start` to `finish`, `abort` or `error`; sub-agents' parts have
 * ids of their own. Events that break off end in `error`. Wrong options are `OPTIONS_INVALID`.
 */
export function toUiMessageStream(
  options: UiMessageStreamOptions = {},
): OperatorFunction<SettledEvent, UiMessageChunk> {
  const resolved = mappingOptions(options);
  return (events$) =>
    new Observable((subscriber) => {
      const mapping = createMapping(resolved, (chunk) => subscriber.next(chunk));
      const end = (): void => {
        mapping.end();
        subscriber.complete();
      };
      return events$.subscribe({ next: (event) => mapping.take(event), error: end, complete: end });
    });
}

function mappingOptions(options: UiMessageStreamOptions): MappingOptions {
  const { resumes, ...parsed } = parseOptions('toUiMessageStream()', optionsSchema, options);
  return {
    ...parsed,
    messageId: parsed.messageId,
    errorText: safeTexts(parsed.errorText),
    resumed: resumes === undefined ? new Map() : resumedKeys(resumes as JsonObject),
    waiting: waitingCalls,
  };
}

/** What a client is told of errors: where a run or a tool has failed the host's words, or where to look; else what hooks and tools say. */
export function safeTexts(own: UiMessageStreamOptions['errorText'], id?: string): MappingOptions['errorText'] {
  return (event) => {
    if (event.type === 'postActing' && event.outcome !== 'failed') return event.result.content;
    const what = event.type === 'postCall' ? 'The run' : `The tool "${event.toolCall.name}"`;
    const safe = `${what} failed (${id ?? event.run.runId}).`;
    try {
      return own?.(event) ?? safe;
    } catch {
      return safe;
    }
  };
}
