import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { DocumentKey, DocumentStore } from '../../config/index.ts';
import { isAlive } from '../../processes/is-alive.ts';

const serverSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  workspace: z.string(),
  url: z.string(),
  since: z.iso.datetime(),
});

/** A server that uses a store. */
export type RunningServer = z.infer<typeof serverSchema>;

/** Registers this server in a store and returns the other servers that use it. Entries of dead servers are removed. */
export async function announceServer(
  store: DocumentStore,
  about: Pick<RunningServer, 'workspace' | 'url'>,
): Promise<{ readonly others: readonly RunningServer[]; leave(): Promise<unknown> }> {
  // It writes before it reads. If two servers start together, at least the later one sees the other.
  const own: DocumentKey = ['servers', randomUUID()];
  await store.write(own, { pid: process.pid, host: hostname(), since: new Date().toISOString(), ...about });
  const others: RunningServer[] = [];
  for (const key of await store.list(['servers'])) {
    if (key.at(-1) === own.at(-1)) continue;
    const { data } = serverSchema.safeParse((await store.read(key))?.value);
    if (data && (data.host !== hostname() || isAlive(data.pid))) others.push(data);
    else await store.remove(key);
  }
  return { others, leave: () => store.remove(own) };
}
