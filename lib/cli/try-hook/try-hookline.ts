import { asyncScheduler } from 'rxjs';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { type ChunkEvent, EVENT_FORMAT_VERSION, type HookEvent } from '../../events/hook-event.ts';
import { RunState } from '../../pipeline/define/state.ts';
import { safeLogger, silentLogger } from '../../pipeline/logger.ts';
import { agreement, PROTOCOLS } from '../../process-hooks/picoclaw/agreement.ts';
import { assertReply } from '../../process-hooks/picoclaw/assert-reply.ts';
import { interceptNames, processHookOptionsSchema } from '../../process-hooks/picoclaw/options.ts';
import { modesOf } from '../../process-hooks/picoclaw/read-options.ts';
import { batchHead } from '../../process-hooks/protocol-2/batch-head.ts';
import { chunkReplySchema } from '../../process-hooks/protocol-2/chunk-batch.ts';
import { serveHost } from '../../process-hooks/protocol-2/serve-host.ts';
import { anEvent } from '../../testing/an-event.ts';
import { type SampleCall, sampleCalls } from './sample-calls.ts';
import type { Tried } from './tried.ts';
import { type Trial, tryProcess } from './try-process.ts';
import { unknownFields } from './unknown-fields.ts';

/** Events for trials of hooks with protocol 2. */
export const hooklineEvents = [...interceptNames, 'reasoning_chunks', 'acting_chunks'] as const;
export type HooklineEvent = (typeof hooklineEvents)[number];

const CHUNKS = ['Hel', 'lo.'];

/** Tries a process hook with protocol 2. `input` overrides fields of the sample. */
export function tryHookline(command: readonly string[], event: HooklineEvent, input: object): Promise<Tried> {
  const ofChunks = event === 'reasoning_chunks' || event === 'acting_chunks';
  const settings = processHookOptionsSchema.parse({
    name: 'try-hook',
    command: [...command],
    ...(ofChunks ? { chunks: [event === 'acting_chunks' ? 'acting' : 'reasoning'] } : { intercept: [event] }),
  });
  const modes = modesOf(settings);
  const { sample, optional, ...trial } = ofChunks
    ? chunkTrial(event === 'acting_chunks' ? anEvent.actingChunk('') : anEvent.text(''))
    : callTrial(event, settings.dialect);
  return tryProcess(command, {
    hello: { name: settings.name, version: 1, modes, protocols: PROTOCOLS },
    agree(reply) {
      if (agreement(settings.name, reply, modes) === 2) return;
      const message =
        'The hook uses protocol 1: it must answer hook.hello with { "protocol": 2 }. Try --protocol picoclaw.';
      throw new HooklineError('PROCESS_FAILED', message);
    },
    ...trial,
    params: { ...trial.params, ...input },
    issues: unknownFields(event, input, [...Object.keys(trial.params), ...optional]),
    serve: hostOf(sample),
  });
}

type Sampled = Omit<Trial, 'hello' | 'issues'> & Pick<SampleCall, 'optional'> & { readonly sample: HookEvent };

function callTrial(
  event: keyof typeof sampleCalls,
  dialect: Parameters<(typeof sampleCalls)['before_tool']['read']>[1]['dialect'],
): Sampled {
  const { event: sample, params, optional, read } = sampleCalls[event];
  return {
    sample,
    optional,
    method: `hook.${event}`,
    params: { ...params, event: sample, format: EVENT_FORMAT_VERSION },
    read(reply, diagnose) {
      assertReply('try-hook', `hook.${event}`, reply);
      return read(reply, { dialect, diagnose }, true);
    },
  };
}

/** Sends one batch, marked as the last, so that the hook must return what it buffers. */
function chunkTrial(sample: ChunkEvent): Sampled {
  return {
    sample,
    optional: sample.type === 'reasoningChunk' ? ['toolCallId'] : [],
    method: 'hook.chunks',
    params: { ...batchHead(sample, 1), chunks: CHUNKS, last: true },
    read(given) {
      const reply = chunkReplySchema.safeParse(given);
      if (!reply.success) throw new HooklineError('PROCESS_FAILED', z.prettifyError(reply.error));
      const { chunks, finish, abort } = reply.data;
      if (abort !== undefined) return [`ends the run: ${abort}`];
      return [
        ...(chunks ? [chunks.length === 0 ? 'forwards nothing' : `forwards ${JSON.stringify(chunks)}`] : []),
        ...(finish ? ['stops the source after that'] : []),
      ];
    },
  };
}

/** Creates the host of one run. It keeps state and sends no messages. */
function hostOf({ run }: HookEvent) {
  const log = safeLogger(silentLogger);
  const store = new RunState();
  const known = { run, log, dryRun: false, state: store.cell.bind(store) };
  const runs = {
    meet: () => {},
    of(runId: string) {
      if (runId === run.runId) return known;
      throw new HooklineError('INPUT_INVALID', `there is no run "${runId}"; the run of this test is "${run.runId}".`);
    },
  };
  return serveHost({ name: 'try-hook', runs, log, scheduler: asyncScheduler, message: () => undefined });
}
