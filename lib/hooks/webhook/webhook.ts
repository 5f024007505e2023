import { isChunk } from '../../events/chunk-text.ts';
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

/** The version of what is posted. */
const VERSION = 1;

/** The hook, and what has become of the events. */
export interface Webhook {
  readonly hook: Hook;
  /** How many events were taken by the other side, how many are lost, and how many wait or are on their way. */
  counts(): { readonly sent: number; readonly lost: number; readonly waiting: number };
  /** Sends what waits, and resolves when nothing is on its way any more. */
  flush(): Promise<void>;
}

/**
 * Posts events to a URL: in batches, signed, tried again, without secrets. A run never waits for it. What cannot be sent is counted: each
 * request says how many events are lost so far.
 *
 * Calls at once and runs at once: events are posted in the order in which they settled. Sub-agents: their events too, each says whose it is.
 * Retry: each attempt has its events. Suspend and resume: a resumed run is another run; the snapshot itself is never sent. If it fails, the
 * run goes on, and the log says so.
 */
export function webhook(options: WebhookOptions): Webhook {
  const settings = parseHookOptions('webhook', webhookOptionsSchema, options);
  const { name, events, agents, redact, maxEventChars, flushMs, ...rest } = settings;
  const clean = createCleanEvents(redact === true ? usualRedactor() : redact || undefined);
  const bounds = { perString: maxEventChars, total: maxEventChars };
  let log: Logger | undefined;

  const queue = createEventQueue<SettledEvent>({
    ...rest,
    async send(batch, lost) {
      const body = { version: VERSION, hook: name, lost, events: batch.map(shown) };
      await postBody(JSON.stringify(body), rest);
    },
    failed: (err) => log?.error({ err, lost: queue.counts().lost }, 'events could not be posted, and are lost'),
  });

  const late = () => log?.warn(queue.counts(), `events still wait to be posted after ${flushMs / 1_000} s`);

  function shown(event: SettledEvent): JsonValue {
    const { snapshot: _, ...sent } = event as SettledEvent & { snapshot?: unknown };
    const shown = isChunk(event) ? event : clean.event(sent as SettledEvent);
    return boundJson(shown as unknown as JsonValue, bounds);
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
        // What a secret is cut into is looked at in order, also where there is no room for it in the queue.
        if (events.includes(event.type)) queue.add(isChunk(event) ? clean.event(event) : event);
        if (event.type !== 'postCall') return undefined;
        clean.endRun(event.run.runId);
        // Only whoever flushes the pipeline waits for this.
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

/** The catalogue entry of `webhook`. */
export const webhookEntry = defineCatalogueEntry({
  name: 'webhook',
  description: 'Posts events to a URL, in batches, signed and without secrets.',
  events: eventTypes,
  approves: false,
  optionsSchema: webhookOptionsSchema,
  example: { url: 'http://localhost:4000/events', events: ['postActing', 'postCall'] },
  weakens: weakensUnless({
    events: 'mayGrow',
    maxBatch: 'free',
    batchMs: 'free',
    maxWaiting: 'mayRise',
    maxEventChars: 'mayRise',
    attempts: 'mayRise',
    flushMs: 'mayRise',
    redact: switchesOff,
  }),
  create: (options) => webhook(options).hook,
});
