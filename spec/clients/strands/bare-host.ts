import * as strands from '@strands-agents/sdk';
import { hookline } from '../../../lib/adapters/strands/index.ts';
import type { JsonValue } from '../../../lib/index.ts';
import type { BareHost } from '../../../lib/testing/index.ts';
import { ScriptedModel } from './scripted-model.ts';
import { toTool } from './strands-host.ts';

const REASONS: Readonly<Record<string, string>> = {
  ...{ stop: 'endTurn', length: 'maxTokens', contentFilter: 'contentFiltered', other: 'stopSequence' },
};

export const bareStrands: BareHost = {
  name: 'Strands',
  async play({ pipeline, question, turns, tools, streamed }) {
    const answers = turns.map(({ thoughts, finishReason, chunks, ...turn }) => ({
      ...turn,
      // Empty blocks are ignored.
      ...(chunks.join('') !== '' && { chunks: chunks.filter((text) => text !== '') }),
      ...(thoughts && { thought: { text: thoughts.join(''), signature: 'signed' } }),
      ...(finishReason && { stopReason: REASONS[finishReason] as string }),
    }));
    const model = new ScriptedModel(answers);
    const agent = new strands.Agent({
      model,
      tools: tools.map(toTool),
      plugins: pipeline ? [hookline(strands, pipeline, { agent: 'guest' })] : [],
      printer: false,
    });
    const came: unknown[] = [];
    const events: unknown[] = [];
    try {
      if (!streamed) came.push(await agent.invoke(question));
      else {
        const stream = agent.stream(question);
        let next = await stream.next();
        for (; !next.done; next = await stream.next()) events.push(next.value);
        came.push(next.value);
      }
    } catch (thrown) {
      came.push(String(thrown));
    }
    return toJson({
      came,
      events: events.filter(isReported),
      messages: agent.messages,
      prompts: model.prompts.map((one) => JSON.parse(one)),
    });
  },
};

/** Events of the model and of tools. The others report the state of the agent. */
function isReported(event: unknown): boolean {
  const { type = '', event: inner } = event as { readonly type?: string; readonly event?: { readonly delta?: object } };
  // Empty deltas are ignored.
  return /^(model|tool)/i.test(type) && (inner?.delta as { readonly text?: string } | undefined)?.text !== '';
}

const NEW = [
  'metrics',
  'traces',
  'latencyMs',
  'timeToFirstByteMs',
  'agent',
  'invocationState',
  'trackingId',
  'id',
  'trace',
];

function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value, (key, one) => (NEW.includes(key) ? undefined : one)));
}
