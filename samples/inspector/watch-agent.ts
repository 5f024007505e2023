// The inspector for the runs of a program. Here, fetch approves the pending call instead of a person on the page.
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, createPipeline } from 'hookline';
import { createHookConfigs, createLiveHooks, memoryStore } from 'hookline/config';
import { dangerousConfirmation } from 'hookline/hooks';
import { createRuns, createServer, createTokens, listen, pageToken, runRoutes } from 'hookline/server';
import { scriptedModel, scriptedTool } from 'hookline/testing';

async function main(): Promise<void> {
  const store = memoryStore();
  const runs = createRuns({ store });

  const agent = createAgent({
    name: 'cleaner',
    model: scriptedModel([{ toolCalls: [{ name: 'delete_file', input: { path: 'build' } }] }, 'It is gone.']),
    tools: [scriptedTool({ name: 'delete_file', result: 'deleted' })],
    pipeline: createPipeline([dangerousConfirmation({ askBy: 'suspend' })], { trace: true }),
    runs,
  });

  const live = await createLiveHooks({ files: [] });
  const tokens = createTokens(store);
  const configs = createHookConfigs(live, store);
  const server = createServer({ configs, live, tokens, page: true, extra: [runRoutes(runs)] });
  const page = await listen(server, tokens);
  const { token } = await pageToken(tokens, 'ada');
  // In your program: console.log(`${page.url}/#token=${token}`);

  await agent.call('Clean up.', { userId: 'ada' });
  let [approval] = await runs.approvals({ user: 'ada' });
  for (; !approval; [approval] = await runs.approvals({ user: 'ada' })) await sleep(1);

  const answered = await fetch(`${page.url}/api/approvals/${approval.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'approve', hash: approval.hash }),
  });
  console.log(`${approval.tool}: ${((await answered.json()) as { status: string }).status}`);

  await runs.drain(1_000);
  await page.close();
}

void main();
