import { type Answers, defineHook, type JsonObject, pendingCalls, verdict } from '../../../lib/index.ts';
import { scriptedTool } from '../../../lib/testing/index.ts';
import type { Played } from '../../acceptance/scene.ts';

export const call = (name: string, input = {}) => ({ name, input });
export const ask = (own: { shown?: unknown[] } = {}) =>
  defineHook({
    name: 'ask',
    match: { tools: ['rm'] },
    approve: ({ toolCall }) => {
      own.shown?.push(toolCall.input);
      return verdict.suspend(`rm ${JSON.stringify(toolCall.input)}?`);
    },
  });
export const tools = () =>
  ['rm', 'ls'].map((name) => scriptedTool({ name, result: `${name} done` })) as [
    ReturnType<typeof scriptedTool>,
    ReturnType<typeof scriptedTool>,
  ];
export const turns = [{ toolCalls: [call('rm', { path: 'a' }), call('ls')] }, 'done'];
export const snapshotOf = ({ post }: Played): JsonObject => {
  if (!post.snapshot) throw new Error(`The run was not suspended but ${post.outcome}.`);
  return post.snapshot;
};
export const yes = (snapshot: JsonObject, own: Partial<Answers[string]> = {}): Answers =>
  Object.fromEntries(pendingCalls(snapshot).map(({ key }) => [key, { approved: true, ...own }]));
