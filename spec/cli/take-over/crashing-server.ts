import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder } from '../hookline.ts';
import { type Served, until } from '../served.ts';

/** Tools that note their calls in the file `ran`, and a step that waits on server A. */
const hooks = (waits: boolean) => `
import { appendFileSync } from 'node:fs';
import { defineHook } from 'hookline';
const tool = (name, more) => ({
  name, description: name, permission: 'write', inputSchema: { type: 'object', additionalProperties: true }, ...more,
  async execute({ slow }, { toolCall }) {
    appendFileSync('ran', name + ' ' + toolCall.id + '\\n');
    if (slow && ${waits}) await new Promise((resolve) => setTimeout(resolve, slow));
    return 'ok';
  },
});
export default defineHook({
  name: 'tools-${waits ? 'a' : 'b'}',
  timeoutMs: 60_000,
  tools: [tool('once'), tool('again', { idempotent: true })],
  on: {
    async preReasoning(event) {
      if (event.iteration < 2 || !${waits}) return;
      appendFileSync('second', '');
      await new Promise((resolve) => setTimeout(resolve, 50_000));
    },
  },
});
`;

/** A workspace for server A, whose model calls the tools, and for others, whose model replies. A call with \`slow\` takes that many milliseconds on A. */
export function crashSite(calls: readonly object[]) {
  const at = folder({
    'a.mjs': hooks(true),
    'b.mjs': hooks(false),
    'a.json': JSON.stringify([{ toolCalls: calls }, { text: 'done by A' }]),
    'b.json': JSON.stringify([{ text: 'done by B' }]),
  });
  return {
    at,
    /** Flags of a server. */
    flags: (name: 'a' | 'b') => ['--preset', 'none', '--hooks', `${name}.mjs`, '--model', `script:${name}.json`],
    /** The calls that have run, in any server. */
    ran: () => (existsSync(join(at, 'ran')) ? readFileSync(join(at, 'ran'), 'utf8').split('\n').filter(Boolean) : []),
    /** Resolves when A waits between two steps. */
    betweenSteps: () => until(async () => existsSync(join(at, 'second')) || undefined),
  };
}

/** Waits until a server has ended the run that continues this one. */
export async function continued({ ask }: Served, runId: string) {
  const before = await until(async () => {
    const { json } = await ask('GET', `/api/runs/${runId}`);
    return json.resumedBy === undefined ? undefined : json;
  });
  const after = await until(async () => {
    const { json } = await ask('GET', `/api/runs/${before.resumedBy}`);
    return json.state === 'ended' ? json : undefined;
  });
  expect(before.state).to.equal('ended');
  expect(after.resumedFrom).to.equal(runId);
  return after;
}

/** The events of a run as a client of this server receives them. */
export async function eventsOf({ url, token }: Served, runId: string): Promise<string> {
  const response = await fetch(`${url}/api/runs/${runId}/events`, { headers: { authorization: `Bearer ${token}` } });
  return response.text();
}
