import { agentTool, createAgent, createPipeline, type Hook, type Tool } from '../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { type StageOptions, stage } from '../acceptance/scene.ts';

type Turns = StageOptions['turns'];
export const call = (name: string, input = {}) => ({ name, input });
export const helperCall = { toolCalls: [call('helper', { prompt: 'help' })] };
export const rmCall = { toolCalls: [call('rm', { path: 'a' })] };

/** A parent with the agent `helper` as a tool, which has only the tool `rm`. */
export function family(parts: {
  hooks?: readonly Hook[];
  own?: readonly Hook[];
  turns?: Turns;
  child?: Turns;
  parent?: Partial<StageOptions>;
  /** Further tools of the parent. */
  tools?: readonly Tool[];
}) {
  const { hooks = [], own = [], turns = [helperCall, 'ok'], child = [rmCall, 'helped'] } = parts;
  const rm = scriptedTool({ name: 'rm', result: 'gone' });
  const childModel = scriptedModel(child);
  const helper = createAgent({ name: 'helper', model: childModel, tools: [rm], pipeline: createPipeline(own) });
  const tools = [agentTool(helper, { description: 'helps' }), ...(parts.tools ?? [])];
  return { rm, helper, childModel, ...stage({ turns, tools, hooks, ...parts.parent }) };
}
