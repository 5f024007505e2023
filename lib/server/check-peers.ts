import { HooklineError } from '../errors.ts';

const PEERS = ['hono', '@hono/node-server'];

// Loaded before all else of the server, whose framework is an optional peer.
for (const peer of PEERS) {
  try {
    require.resolve(peer);
  } catch (cause) {
    const message = `hookline/server and the commands serve and token need the packages ${PEERS.join(' and ')}. Run: npm install ${PEERS.join(' ')}`;
    throw new HooklineError('INPUT_INVALID', message, { cause });
  }
}
