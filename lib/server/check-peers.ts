import { HooklineError } from '../errors.ts';

const PEERS = ['hono', '@hono/node-server'];

// Imported before the rest of the server, because its framework is an optional peer.
for (const peer of PEERS) {
  try {
    require.resolve(peer);
  } catch (cause) {
    const message = `The web server of Hookline needs the packages ${PEERS.join(' and ')}. Run: npm install ${PEERS.join(' ')}`;
    throw new HooklineError('INPUT_INVALID', message, { cause });
  }
}
