import { type AgentOptions, createAgent, createPipeline, type Hook } from 'hookline';
import type { UiMessageStreamOptions } from 'hookline/ai-sdk-ui';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { chunksOf, told } from './wire.ts';

const call = { name: 'weather', input: { city: 'Oslo' } };
export const looks = { text: 'Let me look.', toolCalls: [call] };

interface Scene extends Partial<AgentOptions> {
  readonly turns?: Parameters<typeof scriptedModel>[0];
  readonly hooks?: readonly Hook[];
}

/** An agent with a tool. */
export function scene({ turns = [looks, 'It is cold.'], hooks = [], ...own }: Scene = {}) {
  const weather = scriptedTool({ name: 'weather', result: '18 °C' });
  const pipeline = createPipeline(hooks, { log: silent });
  return createAgent({ name: 'guide', model: scriptedModel(turns), tools: [weather], pipeline, ...own });
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** The lines of its run. */
export const run = async (parts: Scene, options?: UiMessageStreamOptions) =>
  told(await chunksOf(scene(parts).run('hi', { sessionId: 's' }), options));
