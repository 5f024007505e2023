import { asyncScheduler, lastValueFrom } from 'rxjs';
import type { HookEvent } from '../events/hook-event.ts';
import { afterLlmParams, takeAfterLlm } from '../process-hooks/picoclaw/after-llm.ts';
import { afterToolParams, takeAfterTool } from '../process-hooks/picoclaw/after-tool.ts';
import { takeApproval } from '../process-hooks/picoclaw/approve-tool.ts';
import { beforeLlmParams, takeBeforeLlm } from '../process-hooks/picoclaw/before-llm.ts';
import { takeBeforeTool, toolParams } from '../process-hooks/picoclaw/before-tool.ts';
import type { Reading } from '../process-hooks/picoclaw/dialect.ts';
import type { Intercept } from '../process-hooks/picoclaw/options.ts';
import { connectProcess } from '../process-hooks/rpc-connection.ts';
import { anEvent } from '../testing/an-event.ts';
import { meaningOf } from './meaning-of.ts';
import type { Tried } from './tried.ts';

/** As the host has them by default. */
const HELLO_MS = 5_000;
const TIMEOUT_MS = 60_000;
const MODES = {
  before_llm: 'llm',
  after_llm: 'llm',
  before_tool: 'tool',
  after_tool: 'tool',
  approve_tool: 'approve',
} as const;

/** What a call sends for a sample event, and what its reply means. */
const calls: {
  readonly [I in Intercept]: { readonly params: object; read(reply: unknown, reading: Reading): string[] };
} = {
  before_llm: of(anEvent.preReasoning({ model: 'a-model', tools: [sampleTool()] }), beforeLlmParams, takeBeforeLlm),
  after_llm: of(anEvent.postReasoning('Hello.'), (event) => afterLlmParams(event, 'a-model'), takeAfterLlm),
  before_tool: of(
    anEvent.preActing('bash', { command: 'ls' }),
    (event) => toolParams(event, 'turn.tool.before'),
    takeBeforeTool,
  ),
  after_tool: of(anEvent.postActing('a.txt'), afterToolParams, takeAfterTool),
  approve_tool: {
    params: toolParams(anEvent.preActing('bash', { command: 'ls' }), 'turn.tool.approve'),
    read(reply, reading) {
      const verdict = takeApproval(reply, reading);
      return [
        verdict.verdict === 'approved'
          ? 'approves the call'
          : `does not approve the call: ${'reason' in verdict ? verdict.reason : ''}`,
      ];
    },
  },
};

/** Starts a process hook, says hello, calls it once and ends it. `input` overrides members of the sample that is sent. */
export async function tryPicoclaw(command: readonly string[], event: Intercept, input: object): Promise<Tried> {
  const sent: unknown[] = [];
  const received: string[] = [];
  const stderr: string[] = [];
  const diagnostics: string[] = [];
  const reading: Reading = {
    dialect: { reply: 'merge', changes: 'apply', aliases: false },
    diagnose: (_, message) => diagnostics.push(message),
  };
  const connection = connectProcess(
    { command, env: process.env, maxLine: 1 << 24, maxUnread: 1 << 26 },
    {
      name: command.join(' '),
      scheduler: asyncScheduler,
      request: (method) => diagnostics.push(`asked for ${method}, which there is not.`),
      junk: (line, why) => diagnostics.push(`wrote a line that is no reply (${why}): ${line.slice(0, 200)}`),
      log: (line) => stderr.push(line),
    },
  );
  const call = async (method: string, params: object, timeoutMs: number): Promise<unknown> => {
    sent.push({ method, params });
    const reply = await lastValueFrom(connection.call(method, params, timeoutMs));
    received.push(JSON.stringify(reply));
    return reply;
  };
  let meaning: string[] = [];
  let failure: string | undefined;
  let ms = 0;
  try {
    await call('hook.hello', { name: 'try-hook', version: 1, modes: [MODES[event]] }, HELLO_MS);
    const began = process.hrtime.bigint();
    const reply = await call(`hook.${event}`, { ...calls[event].params, ...input }, TIMEOUT_MS);
    ms = Number(process.hrtime.bigint() - began) / 1e6;
    meaning = calls[event].read(reply, reading);
  } catch (thrown) {
    failure = thrown instanceof Error ? thrown.message : String(thrown);
  }
  await connection.stop();
  return { sent, received, stderr, meaning, diagnostics, ms, failure };
}

function of<E extends HookEvent>(
  event: E,
  params: (event: E) => object,
  take: (event: E, reply: unknown, reading: Reading) => E | undefined,
) {
  return {
    params: params(event),
    read: (reply: unknown, reading: Reading) => meaningOf(event, take(event, reply, reading)),
  };
}

function sampleTool() {
  return {
    name: 'bash',
    description: 'Runs a command.',
    inputSchema: { type: 'object' },
    permission: 'external',
  } as const;
}
