import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

interface Connected {
  readonly nats: Pick<NatsConnection, 'info'>;
  readonly manager: Pick<JetStreamManager, 'getAccountInfo'>;
}

/** The oldest version of NATS whose features the client uses. */
const OLDEST = [2, 9, 4] as const;
/** The smallest payload. Headers and the seal take up to 8 KiB of it. */
const LEAST_PAYLOAD = 65_536;

/** Returns why this server cannot be the backplane, and what to do; undefined if nothing is known against it. */
export async function unfitServer({ nats, manager }: Connected): Promise<string | undefined> {
  const { version = '', jetstream, max_payload: payload = LEAST_PAYLOAD } = nats.info ?? {};
  if (isOld(version))
    return `nats-server has version ${version}, and Hookline needs ${OLDEST.join('.')} or newer. Update nats-server`;
  if (payload < LEAST_PAYLOAD)
    return `max_payload is ${payload} bytes. Set it to ${LEAST_PAYLOAD} or more in the configuration of nats-server`;
  try {
    await manager.getAccountInfo();
    return undefined;
  } catch (thrown) {
    // It may be away again, or the user may have no permission to ask.
    if ((thrown as Error).name !== 'JetStreamNotEnabled') return undefined;
    return jetstream
      ? 'JetStream is off for this account. Set "jetstream: enabled" in the account in the configuration of nats-server'
      : 'JetStream is off. Start NATS with: nats-server -js';
  }
}

function isOld(version: string): boolean {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  const at = OLDEST.findIndex((part, nth) => found?.[nth] !== part);
  return found !== undefined && at >= 0 && (found[at] ?? 0) < (OLDEST[at] ?? 0);
}
