import { type Served, servers } from '../cli/served.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

/** A NATS server, and servers of a fleet on it, for the specs of a suite. Skips them if `nats-server` is missing. */
export function servedFleet() {
  const { serve } = servers();
  let nats: NatsServer | undefined;
  /** The first server of a fleet creates it. */
  let token: string | undefined;

  before(async function () {
    nats = await aNatsServer();
    if (!nats) this.skip();
    process.env['HOOKLINE_BACKPLANE_SECRET'] = 'a secret of the fleet that is long enough';
  });
  after(async () => {
    delete process.env['HOOKLINE_BACKPLANE_SECRET'];
    await nats?.kill();
  });

  return {
    get nats(): NatsServer {
      return nats as NatsServer;
    },
    /** Starts a server with a workspace, a state directory of its own and the token of the others. */
    async serve(at: string, name: string, ...flags: readonly string[]): Promise<Served> {
      const served = await serve(at, token, '--backplane', this.nats.url, '--state', `${at}/state-${name}`, ...flags);
      token = served.token;
      return served;
    },
  };
}
