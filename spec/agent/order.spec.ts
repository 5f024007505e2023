import { expect } from 'chai';
import { concatMap, delay, from, type Observable, of, tap } from 'rxjs';
import {
  createAgent,
  createPipeline,
  defineHook,
  type Model,
  type ModelChunk,
  type SettledEvent,
} from '../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { eventsOf, within } from './failures/misbehaving.ts';

const calls = ['look', 'look', 'look'].map((name) => ({ name, input: {} }));

/** The events seen by each party of a run that one of them cancelled at its n-th event. `later` delays everything. */
async function heardBy(party: 'consumer' | 'observer' | 'watcher', n: number, later: boolean) {
  const controller = new AbortController();
  const heard: Record<typeof party | 'last observer', SettledEvent[]> = {
    consumer: [],
    observer: [],
    'last observer': [],
    watcher: [],
  };
  const hear = (who: keyof typeof heard) => (event: SettledEvent) => {
    heard[who].push(event);
    if (who === party && heard[who].length === n) controller.abort();
  };
  const script = scriptedModel([{ chunks: ['let ', 'me'], toolCalls: calls }, { chunks: ['do', 'ne'] }]);
  const model: Model = (request, context) => {
    const chunks$ = from(script(request, context)) as Observable<ModelChunk>;
    return later ? chunks$.pipe(concatMap((chunk) => of(chunk).pipe(delay(0)))) : chunks$;
  };
  const pipeline = createPipeline([
    defineHook({ name: 'first', priority: 1, observe: hear('observer') }),
    defineHook({ name: 'last', priority: 2, observe: hear('last observer') }),
  ]);
  pipeline.events$.subscribe(hear('watcher'));
  const tools = [scriptedTool({ name: 'look', permission: 'read', chunks: ['a', 'b'], ...(later && { delayMs: 1 }) })];
  const run$ = createAgent({ name: 'a', model, tools, pipeline }).run('go', { signal: controller.signal });
  await within(eventsOf(run$.pipe(tap(hear('consumer')))), `cancelled by the ${party} at ${n}`);
  return heard;
}

describe('the order of events when any party cancels at one', () => {
  for (const party of ['consumer', 'observer', 'watcher'] as const) {
    for (const later of [false, true]) {
      it(`by the ${party}${later ? ', with delays' : ''}: all parties see all settled events`, async () => {
        let complete = 0;
        for (let n = 1; n <= 40; n++) {
          for (const [who, events] of Object.entries(await heardBy(party, n, later))) {
            expect(
              events.map(({ seq }) => seq),
              `${who}, ${n}`,
            ).to.deep.equal(events.map((_, place) => place));
            expect(events.at(-1)?.type, `${who}, ${n}`).to.equal('postCall');
            if (events.at(-1)?.type === 'postCall' && n === 40) complete = events.length;
          }
        }
        expect(complete).to.be.within(20, 39);
      });
    }
  }
});
