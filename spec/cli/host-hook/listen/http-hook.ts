import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { outcomeOf, start } from '../../hookline.ts';

/** An answer to an event of Claude Code. */
// biome-ignore lint/suspicious/noExplicitAny: specs look into it at many places
type Said = any;

/** Starts `hookline hook --as claude --listen`, whose two processes evaluate any number of events. */
export async function httpHook(words: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'>) {
  const child = start(['hook', '--as', 'claude', ...words, '--listen', '127.0.0.1:0'], options);
  const outcome = outcomeOf(child);
  let said = '';
  while (!/http:\S+/.test(said)) said += String((await once(child.stderr!, 'data'))[0]);
  const [url = ''] = /http:\S+/.exec(said) ?? [];
  return {
    url,
    async ask(event: object): Promise<Said> {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) })).json();
    },
    async end() {
      child.kill('SIGTERM');
      return outcome;
    },
  };
}
