import { expect } from 'chai';
import { abort, defineHook, modify } from 'hookline';
import { concat, from, type Observable, retry as retrySource, throwError } from 'rxjs';
import { family } from '../../agent/family.ts';
import { run, scene } from './shown.ts';
import { chunksOf, told } from './wire.ts';

const changed = (text: string) =>
  defineHook({
    name: 'changes',
    on: {
      postReasoning: (event) => modify(event, { message: { role: 'assistant', parts: [{ type: 'text', text }] } }),
    },
  });

describe('retracted content in toUiMessageStream', () => {
  it('retracts a text that a hook changed and shows the new one', async () => {
    const parts = { turns: ['secret'], hooks: [changed('clean')] };
    const after = ['text-start #2', 'text-delta #2 clean', 'text-end #2', 'finish-step', 'finish stop (completed)'];
    const before = ['start', 'start-step', 'text-start #1', 'text-delta #1 secret', 'text-end #1'];
    const six = await chunksOf(scene(parts).run('hi'), { version: 6 });
    const [withdrawn] = six.filter(({ type }) => type === 'data-retracted');
    const [shown] = six.filter(({ type }) => type === 'text-start');
    expect(withdrawn).to.deep.include({ data: { ids: [(shown as { id: string }).id] } });
    expect(told(six).filter((line) => !line.startsWith('data-'))).to.deep.equal([...before, ...after]);
    expect(await run(parts, { version: 7 })).to.deep.equal([...before, 'reset-step', ...after]);
    expect(await run(parts, { buffer: true })).to.deep.equal([
      ...before.slice(0, 2),
      ...after.map((line) => line.replace('#2', '#1')),
    ]);
  });

  it('retracts the output of a failed attempt', async () => {
    let asked = 0;
    const model = () => {
      asked += 1;
      const texts = [{ type: 'text' as const, delta: asked === 1 ? 'Hel' : 'Hello' }];
      return asked === 1 ? failing(texts) : from(texts);
    };
    const again = defineHook({ name: 'again', around: { reasoning: (_event, next) => next().pipe(retrySource(1)) } });
    expect(await run({ model, hooks: [again] }, { version: 7 })).to.deep.equal([
      'start',
      'start-step',
      'text-start #1',
      'text-delta #1 Hel',
      'text-end #1',
      'reset-step',
      'text-start #2',
      'text-delta #2 Hello',
      'text-end #2',
      'finish-step',
      'finish stop (completed)',
    ]);
  });

  it('retracts all output of a run that a hook rolls back', async () => {
    const last = defineHook({
      name: 'last',
      on: {
        postReasoning: (event) => (event.iteration > 1 ? abort(event, 'never said', { rollback: true }) : undefined),
      },
    });
    for (const version of [5, 6, 7] as const) {
      const chunks = await chunksOf(scene({ hooks: [last] }).run('hi'), { version });
      const shown = chunks.flatMap((chunk) => {
        if (chunk.type === 'text-start') return [chunk.id];
        return chunk.type === 'tool-input-available' ? [chunk.toolCallId] : [];
      });
      expect(shown).to.have.length(3);
      const end = chunks.slice(version === 7 ? -5 : -4);
      expect(end.map(({ type }) => type)).to.deep.equal([
        ...(version === 7 ? ['reset-step'] : []),
        ...['data-retracted', 'finish-step', 'message-metadata', 'abort'],
      ]);
      expect(JSON.stringify(end.at(-2))).to.include('"rolledBack":true');
      const withdrawn = chunks.flatMap((chunk) => (chunk.type === 'data-retracted' ? [chunk.data] : []));
      expect(withdrawn).to.have.length(1);
      expect((withdrawn[0] as { ids: string[] }).ids).to.have.members(shown);
    }
    const kept = defineHook({ name: 'kept', on: { postReasoning: (event) => abort(event, 'enough') } });
    expect((await run({ hooks: [kept] })).join()).not.to.include('data-retracted');
  });

  it('retracts only the output of a rolled back sub-agent', async () => {
    const back = defineHook({
      name: 'back',
      match: { agents: ['helper'] },
      on: { postReasoning: (event) => abort(event, 'never said', { rollback: true }) },
    });
    const { agent } = family({ hooks: [back], child: ['secret'] });
    const chunks = await chunksOf(agent.run('hi'));
    const starts = chunks.filter((chunk) => chunk.type === 'text-start');
    const withdrawn = chunks.flatMap((chunk) => (chunk.type === 'data-retracted' ? [chunk.data] : []));
    expect(withdrawn).to.deep.equal([{ ids: [starts[0]?.id] }]);
    expect(starts).to.have.length(2);
  });
});

function failing<T>(items: readonly T[]): Observable<T> {
  return concat(
    from(items),
    throwError(() => new Error('broken')),
  );
}
