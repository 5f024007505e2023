import type { Readable } from 'node:stream';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { readLines } from '../../../process-hooks/line-splitter.ts';
import { withFields } from '../../../process-hooks/picoclaw/wire/fields.ts';
import { readRpcMessage } from '../../../process-hooks/rpc-message.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import { createJudges, type Judges } from '../worker/judges.ts';
import type { PicoclawEvent } from './read-request.ts';
import { lineOf, type Refuse, replyLine } from './reply-line.ts';
import { turnMoment } from './turn-moment.ts';

/** Options for answering PicoClaw. */
export interface PicoclawOptions {
  readonly judges: Pick<Judges, 'ask' | 'notify' | 'close'>;
  readonly failOpen: boolean;
  readonly input: Readable;
  write(line: string): void;
  log(message: string): void;
}

/** PicoClaw waits for the first answer without a timeout. In milliseconds. */
const HELLO_MS = 30_000;

/** Timeout for hooks to close, in milliseconds. */
const CLOSE_MS = 10_000;

/** Answers to requests that could not be evaluated, by method. After an error the host would continue. */
const refusals: Readonly<Record<string, Refuse>> = {
  'hook.before_llm': (reason) => ({ action: 'abort_turn', reason }),
  'hook.after_llm': (reason) => ({ action: 'abort_turn', reason }),
  'hook.before_tool': (reason) => ({ action: 'deny_tool', reason }),
  'hook.approve_tool': (reason) => ({ approved: false, reason }),
  'hook.after_tool': (reason, params) => ({
    action: 'modify',
    result: withFields(params, {
      result: { for_llm: `The result was withheld: ${reason}`, silent: false, is_error: true, async: false },
    }) as JsonObject,
  }),
};

/** `hookline hook --as picoclaw`. Rejects at the end with the issues of the hooks. */
export async function servePicoclaw(flags: HostHookFlags, words: readonly string[]): Promise<void> {
  const { failOpen = false } = flags;
  const begun = createBegun();
  const judges = createJudges({ words, timeoutMs: flags.timeout * 1000, rewritten: () => [...begun.values()] });
  let issue: unknown;
  const load = ask(judges, { method: 'hook.hello', params: {} }, HELLO_MS).catch((thrown) => {
    issue = thrown;
  });
  await answerPicoclaw({
    judges: {
      ...judges,
      notify(event) {
        begun.add(event);
        judges.notify(event);
      },
    },
    failOpen,
    input: process.stdin,
    write: (line) => void process.stdout.write(line),
    log: (message) => void process.stderr.write(`${message}\n`),
  });
  await load;
  // The worker sends issues of the hooks as text.
  if (issue !== undefined) throw new HooklineError('CONFIG_INVALID', messageOf(issue));
}

/** Active turns without a known end: as many as the host may run at once. */
const MOST_TURNS = 256;

/** Keeps the start notifications of active turns. The result of preCall is lost with the worker process. */
function createBegun(): { add(event: string): void; values(): Iterable<string> } {
  const begun = new Map<string, string>();
  return {
    values: () => begun.values(),
    add(event) {
      const moment = turnMoment(JSON.parse(event));
      if (!moment) return;
      begun.delete(moment.id);
      if (moment.kind === 'agent.turn.start') begun.set(moment.id, event);
      const [oldest] = begun.keys();
      if (begun.size > MOST_TURNS && oldest !== undefined) begun.delete(oldest);
    },
  };
}

/** Answers as a process hook of PicoClaw, every protocol version, until its input ends. */
export async function answerPicoclaw(options: PicoclawOptions): Promise<void> {
  const { judges, input } = options;
  const answering = new Set<Promise<void>>();
  const onLine = (line: string): void => {
    const message = readRpcMessage(line);
    if (message.kind !== 'request') return;
    const { id, method, params } = message;
    if (id === undefined) {
      notify(options, { method, params });
      return;
    }
    const reply = answer(options, { method, params })
      .then((toLine) => options.write(toLine(id)))
      .finally(() => answering.delete(reply));
    answering.add(reply);
  };
  // A dropped request would stay without an answer, and the host would wait for it.
  await readLines(input, Number.POSITIVE_INFINITY, onLine, () => {});
  await Promise.allSettled(answering);
  await judges.close(CLOSE_MS);
}

/** PicoClaw does not restart a hook and continues without it. Therefore a failed notification must not end this process. */
function notify({ judges, log }: PicoclawOptions, event: PicoclawEvent): void {
  try {
    judges.notify(JSON.stringify(event));
  } catch (thrown) {
    log(`hookline failed to process ${event.method.slice(0, 100)}: ${messageOf(thrown)}`);
  }
}

async function answer(
  { judges, failOpen, log }: PicoclawOptions,
  event: PicoclawEvent,
): Promise<(id: unknown) => string> {
  const { method } = event;
  const refuse = refusals[method];
  if (!refuse && method !== 'hook.hello') {
    const message = `There is no method "${method.slice(0, 100)}".`;
    return (id) => lineOf(id, { error: { code: -32601, message } });
  }
  const params = (isObject(event.params) ? event.params : {}) as JsonObject;
  try {
    const result = await ask(judges, event, refuse ? undefined : HELLO_MS);
    return (id) => (refuse ? replyLine(id, result, refuse, params) : lineOf(id, { result }));
  } catch (thrown) {
    const why = `hookline could not evaluate the event: ${messageOf(thrown)}`;
    log(why);
    if (!refuse) return (id) => lineOf(id, { error: { code: -32000, message: why } });
    const result = failOpen ? { action: 'continue', approved: true } : refuse(why, params);
    return (id) => replyLine(id, result, refuse, params);
  }
}

async function ask(judges: PicoclawOptions['judges'], event: PicoclawEvent, limitMs?: number): Promise<JsonObject> {
  return (await judges.ask(JSON.stringify(event), limitMs === undefined ? {} : { limitMs })) as JsonObject;
}
