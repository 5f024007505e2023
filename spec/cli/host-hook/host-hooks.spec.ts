import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createHostHooks } from '../../../lib/cli/host-hook/host-hooks.ts';
import { folder } from '../hookline.ts';

const WAITS = `import { defineHook } from 'hookline';
import { existsSync } from 'node:fs';
while (!existsSync(new URL('go', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 5));
export default defineHook({ name: 'waits', observe() {} });
`;

describe('createHostHooks', () => {
  it('keeps hooks for a caller although another one left during loading', async () => {
    const at = folder({
      'waits.mjs': WAITS,
      'hookline.yaml': 'hooks: { waits: { type: module, path: ./waits.mjs } }\n',
    });
    const hooks = createHostHooks({ config: [join(at, 'hookline.yaml')], hooks: [] }, 'claude');
    const leaves = new AbortController();
    const left = hooks.lease(at, leaves.signal).catch((thrown: Error) => thrown.message);
    const stays = hooks.lease(at);
    leaves.abort(new Error('it has left'));
    expect(await left).to.equal('it has left');
    writeFileSync(join(at, 'go'), '');
    const { pipeline, release } = await stays;
    expect(pipeline.hooks.map(({ name }) => name)).to.include('waits');
    release();
    await hooks.close();
  });
});
