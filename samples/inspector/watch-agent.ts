// The inspector for the runs of a program. Here, fetch approves the pending call instead of a person on the page.
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
  const { id, tool, hash } = await firstApproval(page.url, token);
  const { status } = await fetchJson(`${page.url}/api/approvals/${id}`, token, { action: 'approve', hash });
  console.log(`${tool}: ${status}`);
  await runs.drain(1_000);
  await live.close();
  await page.close();
}

async function firstApproval(url: string, token: string): Promise<Record<string, string>> {
  for (;;) {
    const { approvals } = await fetchJson(`${url}/api/approvals`, token);
    if (approvals.length > 0) return approvals[0];
  }
}

async function fetchJson(url: string, token: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  return response.json();
}

void main();
