import { firstValueFrom, type Observable, toArray } from 'rxjs';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import type { HookEvent } from '../../../lib/events/hook-event.ts';
import type { HookHost } from '../../../lib/hooks/hook-host.ts';
import { permission } from '../../../lib/hooks/permission/permission.ts';
import type { PermissionOptions } from '../../../lib/hooks/permission/permission-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { tempFolder } from '../../temp-folder.ts';

/** A call to one of the tools. */
export type Call = readonly [tool: string, input: Record<string, unknown>];
/** The result of every tool. */
export const ran = 'ran';
/** Tools that do nothing. */
export const tools = [
  'run_command',
  'read_file',
  'write_file',
  'list_files',
  'delete_file',
  'fetch',
  'mcp__github__push',
  'deploy',
].map((name) =>
  defineTool({
    name,
    description: name,
    inputSchema: { type: 'object' },
    permission: name === 'read_file' ? 'read' : name === 'write_file' ? 'write' : 'external',
    parallel: true,
    execute: () => ran,
  }),
);
/** The working folder of the tools. */
export const workspace = tempFolder('permission');

/** The result content of each call in order, for calls in one model message. */
export async function results(
  options: PermissionOptions,
  calls: readonly Call[],
  host: HookHost = {},
  more: Parameters<typeof createPipeline>[0] = [],
  sessionId?: string,
): Promise<string[]> {
  const pipeline = createPipeline([permission(options, { workspace, ...host }), ...more]);
  const model = scriptedModel([
    { toolCalls: calls.map(([name, input]) => ({ name, input: input as never })) },
    { text: 'done' },
  ]);
  const agent = createAgent({ name: 'a', model, tools, pipeline });
  const run$ = agent.run('go', sessionId === undefined ? {} : { sessionId });
  const events = (await firstValueFrom((run$ as Observable<HookEvent>).pipe(toArray()))) as HookEvent[];
  const ids = events.flatMap((event) =>
    event.type === 'postReasoning'
      ? event.message.parts.flatMap((part) => (part.type === 'toolCall' ? [part.toolCall.id] : []))
      : [],
  );
  const post = events.filter((event) => event.type === 'postActing');
  return ids.map((id) => {
    const content = String(post.find(({ toolCall }) => toolCall.id === id)?.result.content);
    return content.replace('The call was denied by hook "permission": ', '');
  });
}

/** A call to `run_command`. */
export const sh = (command: string): Call => ['run_command', { command }];
