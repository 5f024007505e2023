import { writeFileSync } from 'node:fs';
import { Agent, createServer as createHttp, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createHookConfigs, createLiveHooks } from '../../lib/config/index.ts';
import { createServer, createTokens, listen } from '../../lib/server/index.ts';
import { memoryStore } from '../../lib/store/documents/memory-store.ts';
import { tempFolder } from '../temp-folder.ts';
import type { BenchResult } from './result.ts';

const CONFIG = JSON.stringify({
  hooks: { careful: { type: 'dangerous-confirmation' }, audit: { type: 'audit-log', options: { results: 200 } } },
});
const SIZE = 1_000;
const AT_A_TIME = 16;
/** Each measures both, one after the other, so that a busy machine slows both; the one in the middle counts. */
const ROUNDS = 24;

/** `GET /api/hooks/config` over loopback, from a store in memory, against a bare handler of hono's that gives the same bytes. */
export async function configApiBench(): Promise<BenchResult[]> {
  const folder = tempFolder('bench');
  const base = join(folder, 'base.json');
  writeFileSync(base, '{"hooks":{}}');
  const live = await createLiveHooks({ files: [base] });
  const store = memoryStore();
  const configs = createHookConfigs(live, store);
  const tokens = createTokens(store);
  const token = await tokens.issue({ user: 'alice', rights: ['read'] });
  await configs.save({ user: 'alice' }, CONFIG, 'bench');
  const ours = await listen(createServer({ configs, live, tokens }), tokens);
  const app = new Hono();
  const same = await fetch(`${ours.url}/api/hooks/config`, { headers: { authorization: `Bearer ${token}` } });
  const sent = [...same.headers].filter(([name]) => !/^(date|connection|keep-alive|content-length)$/.test(name));
  const headers = Object.fromEntries(sent);
  app.get('/api/hooks/config', (c) => c.body(CONFIG, 200, headers));
  const bare = createHttp(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));

  const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
  const get = (port: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      httpRequest({ agent, host: '127.0.0.1', port, path: '/api/hooks/config', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (data) => {
          text += data;
        });
        response.on('end', () => resolve(text)).on('error', reject);
      })
        .on('error', reject)
        .end();
    });
  const round = async (port: number): Promise<number> => {
    const began = process.hrtime.bigint();
    const one = async () => {
      for (let nth = 0; nth < SIZE / AT_A_TIME; nth++) await get(port);
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, one));
    return Number(process.hrtime.bigint() - began);
  };
  const ports = [(bare.address() as AddressInfo).port, ours.port] as const;
  const answers = await Promise.all(ports.map(get));
  if (answers[0] !== answers[1]) throw new Error(`other bytes: ${answers[1]}`);
  const ratios: number[] = [];
  for (let nth = 0; nth < ROUNDS; nth++) ratios.push((await round(ports[0])) / (await round(ports[1])));
  agent.destroy();
  await ours.close(0);
  bare.closeAllConnections();
  bare.close();
  await live.close();
  return [
    {
      name: 'GET /api/hooks/config with token, rules and ETag, from a store in memory, against a bare hono handler that sends the same bytes',
      unit: 'times the requests',
      value: ratios.sort((a, b) => a - b)[ROUNDS >> 1] as number,
      least: 0.5,
    },
  ];
}
