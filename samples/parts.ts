// The parts of a hook, one small hook each.
import { defineHook, modify, verdict } from 'hookline';
import { filter, retry, timeout } from 'rxjs';

/** `on`: rewrite or decide, event by event. */
export const calm = defineHook({
  name: 'calm',
  on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.replaceAll('!', '.') }) },
});

/** `through`: RxJS operators over a stream of chunks. */
export const noThinking = defineHook({
  name: 'no-thinking',
  through: { reasoningChunk: (chunks$) => chunks$.pipe(filter(({ part }) => part !== 'thinking')) },
});

/** `around`: wrap the model or the tool. */
export const patient = defineHook({
  name: 'patient',
  around: { reasoning: (_event, next) => next().pipe(timeout(30_000), retry(2)) },
});

/** `approve`: judge the final call. */
export const noForce = defineHook({
  name: 'no-force',
  approve: ({ toolCall }) =>
    JSON.stringify(toolCall.input).includes('--force') ? verdict.deny('no --force') : verdict.allow(),
});

/** `redact`: clean the texts that no other part can change. */
export const noCards = defineHook({
  name: 'no-cards',
  redact: (text) => text.replaceAll(/\d{16}/g, '****'),
});

/** `observe`: look, and change nothing. */
export const types = new Set<string>();
export const watcher = defineHook({
  name: 'watcher',
  observe: (event) => types.add(event.type),
});
