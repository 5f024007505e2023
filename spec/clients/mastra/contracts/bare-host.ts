import '../no-telemetry.ts';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { hookedMastra } from '../../../../lib/adapters/mastra/index.ts';
import type { JsonValue } from '../../../../lib/index.ts';
import type { BareHost } from '../../../../lib/testing/index.ts';
import { bareModel } from '../../ai-sdk/bare-model.ts';
import type { Any } from '../../ai-sdk/scene.ts';
import { toTool } from '../mastra-host.ts';

export const bareMastra: BareHost = {
  name: 'Mastra',
  async play({ pipeline, question, turns, tools: given, streamed }) {
    const model = bareModel(5, turns);
    const own = Object.fromEntries(given.map((tool) => [tool.name, toTool(tool)]));
    const hooked = pipeline && hookedMastra({ model, tools: own }, pipeline, { agent: 'guest' });
    const bare: Any = new Agent({
      ...{ id: 'guest', name: 'guest', instructions: 'Be kind.' },
      model: hooked?.model ?? model,
      tools: hooked?.tools ?? own,
    });
    new Mastra({ agents: { guest: bare }, storage: new InMemoryStore(), logger: false });
    const agent: Any = hooked ? hooked.hookedAgent(bare) : bare;
    const parts: Any[] = [];
    let result: Any = {};
    try {
      result = streamed ? await agent.stream(question) : await agent.generate(question);
      if (streamed) for await (const part of result.fullStream) parts.push(part);
    } catch (thrown) {
      parts.push(String(thrown));
    }
    const told = ['text', 'finishReason', 'toolCalls', 'toolResults', 'usage'].map(async (name) => [
      name,
      await Promise.resolve(result[name]).catch(String),
    ]);
    const prompts = model.asked.map(({ prompt }: Any) => prompt);
    return toJson({ came: Object.fromEntries(await Promise.all(told)), parts: parts.filter(isReported), prompts });
  },
};

/** Parts of the model, except empty ones. */
function isReported({ type, payload }: Any): boolean {
  return /^(text|reasoning|tool-call|finish|step)/.test(type) && (!/delta$/.test(type) || payload?.text !== '');
}

const NEW = [
  'id',
  'runId',
  'startedAt',
  'endedAt',
  'finishedAt',
  'timestamp',
  'messageId',
  'createdAt',
  'payloadId',
  'messages',
  'response',
  'metadata',
  'body',
  'request',
];

function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value, (key, one) => (NEW.includes(key) ? undefined : one)));
}
