import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { createScene, on } from '../scene.ts';

const scene = createScene('claude-bounds');

/** Prints a deny after this many characters of JSON. */
const deny = (characters: number) =>
  `node -e 'process.stdout.write(JSON.stringify({ padding: "x".repeat(${characters}), decision: "block", reason: "no" }))'`;

describe('output and failures of Claude Code handlers', () => {
  it('fails beyond the limit, with a reason', async () => {
    const open = await scene.play(on({ PreToolUse: deny(2_000_000) }));
    expect([open.acted?.outcome, open.codes]).to.deep.equal(['executed', ['handler-failed']]);
    expect(open.diagnostics[0]?.message).to.match(/printed more than 1048576 characters/);
    const closed = await scene.play(on({ PreToolUse: { command: deny(2_000_000), onFailure: 'block' } }));
    expect(closed.acted?.outcome).to.equal('denied');
    const within = await scene.play(on({ PreToolUse: deny(1_000_000) }));
    expect(within.acted?.outcome).to.equal('denied');
  });

  it('blocks beyond the limit on exit code 2', async () => {
    const { acted } = await scene.play(on({ PreToolUse: `${deny(2_000_000)}; echo why >&2; exit 2` }));
    expect([acted?.outcome, /why/.test(acted?.result.content ?? '')]).to.deep.equal(['denied', true]);
  });

  it('reports a missing directory, not the program', async () => {
    const cwd = join(scene.folder, 'gone');
    for (const handler of [{ command: 'python3', args: ['x.py'] }, { command: 'true' }]) {
      const { diagnostics } = await scene.play(on({ PreToolUse: handler }), { cwd });
      expect(diagnostics.at(-1)?.message).to.include(`could not be started: the folder ${cwd} does not exist`);
    }
  });

  it('hides the password of a URL and sends it as a header', async () => {
    const heard: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const password = ['hid', 'den'].join('');
    const url = `http://user:${password}@127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    try {
      const failing = await scene.play(on({ PreToolUse: { type: 'http', url, onFailure: 'block' } }));
      expect(heard).to.deep.equal([`Basic ${Buffer.from(`user:${password}`).toString('base64')}`]);
      expect(JSON.stringify([failing.diagnostics, failing.events])).to.not.include(password);
      expect(failing.acted?.result.content).to.match(/127\.0\.0\.1.*status 500/);
    } finally {
      server.close();
    }
    const gone = await scene.play(on({ PreToolUse: { type: 'http', url, onFailure: 'block' } }));
    expect(JSON.stringify([gone.diagnostics, gone.events])).to.not.include(password);
  });
});
