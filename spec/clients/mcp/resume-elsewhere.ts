import { text } from 'node:stream/consumers';
import { lastValueFrom } from 'rxjs';
import { type McpClient, mcpTools } from '../../../lib/adapters/mcp/index.ts';
import { createAgent, createPipeline } from '../../../lib/index.ts';
import { recorder, scriptedModel } from '../../../lib/testing/index.ts';
import { connected, serverCommand } from './connected.ts';

// A separate process with a separate server: reads { snapshot, answers } on stdin and prints the results of the calls.
async function main(): Promise<void> {
  const { snapshot, answers } = JSON.parse(await text(process.stdin));
  const pair = { server: 'v2', client: 'v2', modern: true } as const;
  const { client } = await connected(pair, serverCommand(pair.server), { capabilities: { elicitation: { form: {} } } });
  const { tools } = await mcpTools(client as McpClient, { questions: 'suspend' });
  const recorded = recorder();
  const agent = createAgent({
    name: 'a',
    model: scriptedModel(['done']),
    tools,
    pipeline: createPipeline([recorded]),
  });
  await lastValueFrom(agent.resume(snapshot, answers));
  process.stdout.write(JSON.stringify(recorded.of('postActing').map(({ result }) => result.content)));
  await client.close();
}

void main();
