import { HooklineError } from '../../errors.ts';

const PEERS = ['hono', '@hono/node-server'];

/** The server, whose framework is an optional peer. */
export function loadServer(): typeof import('../../server/index.ts') {
  for (const peer of PEERS) {
    try {
      require.resolve(peer);
    } catch (cause) {
      const message = `serve needs the packages ${PEERS.join(' and ')}. Run: npm install ${PEERS.join(' ')}`;
      throw new HooklineError('INPUT_INVALID', message, { cause });
    }
  }
  // The folder, since the file is called otherwise once it is built.
  return require('../../server');
}
