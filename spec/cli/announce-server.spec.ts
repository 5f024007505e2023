import { expect } from 'chai';
import { memoryStore } from 'hookline/config';
import { announceServer } from '../../lib/cli/run/announce-server.ts';

describe('servers that share a store', () => {
  it('reports the others when they start together', async () => {
    const store = memoryStore();
    const urls = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
    const announced = await Promise.all(urls.map((url) => announceServer(store, { workspace: '/w', url })));
    const seen = announced.flatMap(({ others }) => others.map(({ url }) => url));
    expect(seen).to.include.oneOf(urls);
    for (const [nth, { others }] of announced.entries()) expect(others.map(({ url }) => url)).not.to.include(urls[nth]);
    await Promise.all(announced.map(({ leave }) => leave()));
    expect((await announceServer(store, { workspace: '/w', url: 'http://127.0.0.1:3' })).others).to.deep.equal([]);
  });
});
