// The HTTP API in a program of your own: a run is started over HTTP, and its events come back as server-sent events.
import { createAgent } from 'hookline';
import { createHookConfigs, createLiveHooks, type HookLease, memoryStore } from 'hookline/config';
import { agentPorts, createRuns, createServer, createTokens, listen, runRoutes } from 'hookline/server';
import { scriptedModel } from 'hookline/testing';

async function main(): Promise<void> {
  const store = memoryStore();
  const live = await createLiveHooks({ files: [] });
  const configs = createHookConfigs(live, store);
  const tokens = createTokens(store);
  const agentFor = ({ pipeline }: HookLease) =>
    createAgent({ name: 'greeter', model: scriptedModel(['Hello over HTTP.']), pipeline });
  const runs = createRuns({ ...agentPorts(configs, agentFor), store });
  const server = createServer({ configs, live, tokens, extra: [runRoutes(runs)] });
  const listening = await listen(server, tokens);

  const token = await tokens.issue({ user: 'ada', rights: ['read', 'run'] });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ prompt: 'Say hello.' });
  const started = await fetch(`${listening.url}/api/runs`, { method: 'POST', headers, body });
  const { runId } = (await started.json()) as { runId: string };
  const events = await fetch(`${listening.url}/api/runs/${runId}/events`, { headers });
  const types = [...(await events.text()).matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);
  console.log(types.join(' '));

  await runs.drain(1_000);
  await live.close();
  await listening.close();
}

void main();
