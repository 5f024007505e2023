import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { tempFolder } from '../temp-folder.ts';

const PLACES = [
  process.env['NATS_SERVER'],
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  '/usr/local/bin/nats-server',
];

/** A real NATS server with JetStream, on loopback. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** Kills the process without notice. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port, unless it runs. */
  start(options?: { readonly jetStream?: boolean }): Promise<void>;
}

/** Starts a server; undefined without the program, with a message. */
export async function aNatsServer(...more: readonly string[]): Promise<NatsServer | undefined> {
  const program = PLACES.find((place) => place !== undefined && existsSync(place));
  if (program === undefined) {
    console.log('      passed over: there is no nats-server');
    return undefined;
  }
  const port = await freePort();
  const folder = tempFolder('nats');
  let child: ChildProcess | undefined;

  const runs = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  async function start({ jetStream = true } = {}): Promise<void> {
    if (runs()) return;
    const words = [...(jetStream ? ['-js'] : []), '-a', '127.0.0.1', '-p', String(port), '-sd', folder, ...more];
    child = spawn(program as string, words, { stdio: 'ignore' });
    while (!(await listens(port))) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with code ${child.exitCode}`);
      await sleep(20);
    }
  }
  async function kill(): Promise<void> {
    if (!child || !runs()) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  process.once('exit', () => child?.kill('SIGKILL'));
  await start();
  return { url: `nats://127.0.0.1:${port}`, port, kill, start };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('data', () => end(true)).once('error', () => end(false));
  });
}
