import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lastValueFrom, type Observable } from 'rxjs';
import { folderRetriever } from '../../../lib/hooks/rag/folder-retriever.ts';
import { folderOptionsSchema } from '../../../lib/hooks/rag/rag-options.ts';
import type { Passage } from '../../../lib/hooks/rag/retriever.ts';
import { fakeContext } from '../fake-context.ts';

/** Writes files by path. */
export function write(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A retriever over a folder that it rechecks for each question. `lines` holds its log. */
export function retriever(folder: string, options: object = {}, stateFolder?: string) {
  const settings = folderOptionsSchema.parse({ folder, refreshMs: 0, ...options });
  const retrieve = folderRetriever(settings, { stateFolder }, 'rag');
  const { run, log, signal, mayRead, logged } = fakeContext();
  const ask = (question: string): Promise<readonly Passage[]> =>
    lastValueFrom(retrieve(question, { limit: 9, run, log, signal, mayRead }) as Observable<readonly Passage[]>);
  return {
    ask,
    sources: async (question: string) => (await ask(question)).map(({ source }) => source).sort(),
    lines: () => logged.map(({ msg, err }) => [msg, (err as Error | undefined)?.message].filter(Boolean).join(': ')),
  };
}
