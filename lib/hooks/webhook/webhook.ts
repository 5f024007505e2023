import { eventTypes } from '../../events/decisions/event-rules.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import type { Logger } from '../../pipeline/logger.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { boundJson } from '../text/bound-json.ts';
import { createCleanEvents } from '../text/clean-events.ts';
import { usualRedactor } from '../usual-redactor.ts';
import { waitAtMost } from '../wait-at-most.ts';
import { switchesOff, weakensUnless } from '../weakens-unless.ts';
import { createEventQueue } from './event-queue.ts';
import { postBody } from './post-body.ts';
import { type WebhookOptions, webhookOptionsSchema } from './webhook-options.ts';

/** The version of the posted format. */
const VERSION = 1;

/** The hook and its counts. */
export interface Webhook {
  readonly hook: Hook;
  /** The numbers of accepted, lost and waiting events, including those in flight. */
  counts(): { readonly sent: number; readonly lost: number; readonly waiting: number };
  /** Sends waiting events at once. Resolves when all are sent. */
  flush(): Promise<void>;
}

/**
 * Posts events to a URL: batched, signed, retried, redacted. A run never waits for it. Each request contains the number of events lost so
 * far.
 *
 * If the hook fails, the run continues. This is logged.
 *
 * - Parallel calls: Events are posted in the order in which they settled.
 * - Sub-agents: Their events are posted, too, and name their run.
 * - Retry: Each attempt has its events.
 * - Suspend and resume: A resumed run is another run. The snapshot itself is never sent.
 * - Cost: One HTTP request for each batch, outside the run. Memory for the queue.
 */
export function webhook(options: WebhookOptions): Webhook {
  const settings = parseHookOptions('webhook', webhookOptionsSchema, options);
  const { name, events, agents, redact, maxEventChars, flushMs, ...rest } = settings;
  const clean = createCleanEvents(redact === true ? usualRedactor() : redact || undefined);
  const bounds = { perString: maxEventChars, total: maxEventChars };
  const bounded = (event: SettledEvent) => boundJson(event as unknown as JsonValue, bounds);
  let log: Logger | undefined;

  const queue = createEventQueue<SettledEvent>({
    ...rest,
    async send(batch, lost) {
      const body = { version: VERSION, hook: name, lost, events: batch.map(bounded) };
      await postBody(JSON.stringify(body), rest);
    },
    failed: (err) => log?.error({ err, lost: queue.counts().lost }, 'events could not be posted and are lost'),
  });

  const late = () => log?.warn(queue.counts(), `events are still queued after ${flushMs / 1_000} s`);

  function shown(event: SettledEvent): SettledEvent {
    const { snapshot: _, ...sent } = event as SettledEvent & { snapshot?: unknown };
    return clean.event(sent as SettledEvent);
  }

  return {
    hook: defineHook({
      name,
      description: 'Posts events to a URL.',
      priority: HookPriority.LOGGING,
      timeoutMs: flushMs + 1_000,
      ...(agents && { match: { agents } }),
      observe(event, context) {
        log ??= context.log;
        if (context.dryRun) return undefined;
        // In order, even if the queue is full: a secret may be split between chunks, or occur again in a later event.
        if (events.includes(event.type)) queue.add(shown(event));
        if (event.type !== 'postCall') return undefined;
        clean.endRun(event.run.runId);
        // Only `pipeline.flush()` waits for this.
        return waitAtMost(flushMs, queue.flush(), late);
      },
    }),
    counts: queue.counts,
    async flush() {
      const alive = setInterval(() => {}, 2 ** 31 - 1);
      await queue.flush().finally(() => clearInterval(alive));
    },
  };
}

/** @internal The catalogue entry of `webhook`. */
export const webhookEntry = defineCatalogueEntry({
  name: 'webhook',
  description: 'Posts events to a URL in batches, signed and redacted.',
  events: eventTypes,
  approves: false,
  optionsSchema: webhookOptionsSchema,
  example: { url: 'http://localhost:4000/events', events: ['postActing', 'postCall'] },
  weakens: weakensUnless(
    {
      events: 'mayGrow',
      maxWaiting: 'mayRise',
      maxEventChars: 'mayRise',
      attempts: 'mayRise',
      flushMs: 'mayRise',
      redact: switchesOff,
    },
    ['maxBatch', 'batchMs'],
  ),
  create: (options) => webhook(options).hook,
});
