import { expect } from 'chai';
import { catchError, concat, EMPTY, of, throwError } from 'rxjs';
import { createAgent, createPipeline, defineHook, retry, textOf } from '../../lib/index.ts';
import type { Wrappers } from '../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../lib/pipeline/define/model.ts';
import { callOf, hear, request, start, toolOf } from './scene.ts';

const text = (delta: string): ModelChunk => ({ type: 'text', delta });
const breaking: Model = () =>
  concat(
    of(text('Hel')),
    throwError(() => new Error('line is down')),
  );
const other: Model = Object.assign(() => of(text('other')), { modelId: 'other-1' });

function reason(reasoning: NonNullable<Wrappers['reasoning']>, model: Model = breaking) {
  const heard = hear(start([defineHook({ name: 'w', around: { reasoning } })]).reason(request, model));
  const chunks = heard.of('reasoningChunk').map(({ delta, attempt, last }) => `${delta}${last ? '|' : ''}@${attempt}`);
  const [post] = heard.of('postReasoning');
  return { heard, chunks, said: post && `${textOf(post.message)}@${post.attempt}` };
}

describe('attempts of a step', () => {
  it('starts a new attempt for output after a failed `next`, and retracts earlier chunks', () => {
    const { chunks, said } = reason((_event, next) => next().pipe(catchError(() => of(text('sorry')))));
    expect(chunks).to.deep.equal(['Hel@1', 'sorry@2', '|@2']);
    expect(said).to.equal('sorry@2');
  });

  it('starts no new attempt for output after a completed `next`', () => {
    const { chunks, said } = reason(
      (_event, next) => concat(next(), of(text(' more'))),
      () => of(text('Hello')),
    );
    expect(chunks).to.deep.equal(['Hello@1', ' more@1', '|@1']);
    expect(said).to.equal('Hello more@1');
  });

  it('rejects an invalid request and names the field', () => {
    for (const [wrong, told] of [
      [{ message: [] }, 'the request cannot hold "message" (did you mean "messages"?)'],
      [{ messages: 'hi' }, 'messages must be a list'],
      ['hi', 'the request must be an object'],
    ] as const) {
      const { heard } = reason((_event, next) => next(wrong as never), other);
      expect(heard.of('error')[0]?.error.message).to.include(told);
    }
  });

  it('asks another model with next(request, model)', () => {
    const asked: unknown[] = [];
    const spying: Model = Object.assign(
      (given: Parameters<Model>[0], context: Parameters<Model>[1]) => {
        asked.push(given.model, given.options);
        return other(given, context);
      },
      { modelId: 'other-1' },
    );
    const { chunks, said } = reason((_event, next) =>
      next().pipe(catchError(() => next({ options: { temperature: 0 } }, spying))),
    );
    expect(chunks).to.deep.equal(['Hel@1', 'other@2', '|@2']);
    expect(said).to.equal('other@2');
    expect(asked).to.deep.equal(['other-1', { temperature: 0 }]);
  });

  it('reports an invalid model as a contract error', () => {
    const { heard } = reason((_event, next) => next({}, 'gpt' as never));
    expect(heard.of('error')[0]?.error.message).to.include('the model must be a function of a request');
  });

  it('sends one empty chunk for an attempt without text, so that clients clear the earlier text', () => {
    const { chunks, said } = reason((_event, next) => next().pipe(catchError(() => next({}, () => EMPTY))));
    expect(chunks).to.deep.equal(['Hel@1', '|@2']);
    expect(said).to.equal('@2');
  });

  it('sends it before the error for a failing attempt without text', () => {
    const failing: Model = () => throwError(() => new Error('again'));
    const { heard } = reason((_event, next) => next().pipe(catchError(() => next({}, failing))));
    expect(heard.events.map(({ type }) => type)).to.deep.equal([
      'preReasoning',
      'reasoningChunk',
      'reasoningChunk',
      'error',
    ]);
    expect(heard.of('reasoningChunk').at(-1)).to.include({ delta: '', attempt: 2, last: true });
  });

  it('sends it after an error that a hook retries', async () => {
    let asked = 0;
    const model: Model = (given, context) => (asked++ === 0 ? breaking(given, context) : EMPTY);
    const hook = defineHook({
      name: 'again',
      on: { error: (event) => (event.phase === 'reasoning' ? retry(event) : undefined) },
    });
    const chunks: string[] = [];
    const agent = createAgent({ name: 'a', model, pipeline: createPipeline([hook]) });
    agent.run('hi').subscribe((event) => {
      if (event.type === 'reasoningChunk') chunks.push(`${event.delta}@${event.attempt}`);
    });
    expect(chunks).to.deep.equal(['Hel@1', '@2']);
  });

  it('reports attempts of a tool in the same way', () => {
    let runs = 0;
    const tool = toolOf('t', () => {
      runs += 1;
      return runs === 1
        ? concat(
            of('partly'),
            throwError(() => new Error('no')),
          )
        : of({ content: 'done', isError: false });
    });
    const hook = defineHook({
      name: 'w',
      around: { acting: (_event, next) => next().pipe(catchError(() => next())) },
    });
    const heard = hear(start([hook]).act(callOf('t'), [tool]));
    expect(heard.of('actingChunk').map(({ content, attempt }) => `${content}@${attempt}`)).to.deep.equal([
      'partly@1',
      '@2',
    ]);
    expect(heard.of('postActing')[0]?.result.content).to.equal('done');
  });
});
