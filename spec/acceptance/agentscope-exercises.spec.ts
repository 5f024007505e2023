import { expect } from 'chai';
import { createAgent, createPipeline, defineHook, type PostActing, type ReasoningChunk, respond } from 'hookline';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { Observable, VirtualTimeScheduler } from 'rxjs';
import { stage } from './scene.ts';

const call = (name: string, input = {}) => ({ name, input });

/** Replaces a word with stars; a possible beginning of it is held back until it is decided. */
const mask = (word: string) => (chunks$: Observable<ReasoningChunk>) =>
  new Observable<ReasoningChunk>((subscriber) => {
    let held: ReasoningChunk | undefined;
    return chunks$.subscribe({
      next(chunk) {
        const text = `${held?.delta ?? ''}${chunk.delta}`.replaceAll(word, '*'.repeat(word.length));
        const begun = [...word].map((_, at) => word.slice(0, at)).findLast((start) => text.endsWith(start)) ?? '';
        held = { ...chunk, delta: begun };
        subscriber.next({ ...chunk, delta: text.slice(0, text.length - begun.length) });
      },
      complete() {
        if (held) subscriber.next(held);
        subscriber.complete();
      },
    });
  });

describe('AgentScope chapter 16: the exercises', () => {
  it('a timing hook measures the duration of each model step and call', () => {
    const scheduler = new VirtualTimeScheduler();
    const times: string[] = [];
    const began = new Map<string, number>();
    const timing = defineHook({
      name: 'timing',
      observe(event) {
        const step = `${event.run.runId}/${event.iteration}`;
        if (event.type === 'preReasoning') began.set(step, event.time);
        if (event.type === 'postReasoning') times.push(`reasoning ${event.time - (began.get(step) ?? 0)}`);
        if (event.type === 'postActing') times.push(`${event.toolCall.name} ${event.durationMs}`);
      },
    });
    const agent = createAgent({
      name: 'MyAgent',
      model: scriptedModel([{ toolCalls: [call('look')] }, 'done'], { delayMs: 40, scheduler }),
      tools: [scriptedTool({ name: 'look', result: 'seen', delayMs: 7, scheduler })],
      pipeline: createPipeline([timing], { scheduler }),
    });
    agent.run('go').subscribe();
    scheduler.flush();
    expect(times).to.deep.equal(['reasoning 40', 'look 7', 'reasoning 40']);
  });

  it('a word filter hides a word that is split across chunks', () => {
    const filter = defineHook({
      name: 'filter',
      through: {
        reasoningChunk: (chunks$) => chunks$.pipe(mask('damn')),
      },
    });
    const { run, remembered } = stage({ turns: [{ chunks: ['well, da', 'mn it'] }], hooks: [filter] });
    const played = run('hm');
    expect(
      played
        .of('reasoningChunk')
        .map(({ delta }) => delta)
        .join(''),
    ).to.equal('well, **** it');
    expect(remembered()).to.deep.equal(['user: hm', 'assistant: well, **** it']);
  });

  it('a rate limit answers instead of the tool beyond its number of calls', () => {
    let left = 1;
    const limit = defineHook({
      name: 'limit',
      on: {
        preActing: (event) => {
          left -= 1;
          return left < 0 ? respond(event, { content: 'Too many calls; wait.', isError: true }) : undefined;
        },
      },
    });
    const tool = scriptedTool({ name: 'look', result: 'seen' });
    const { run } = stage({
      turns: [{ toolCalls: [call('look'), call('look')] }, 'ok'],
      tools: [tool],
      hooks: [limit],
    });
    const outcomes = run()
      .of('postActing')
      .map(({ outcome, result }: PostActing) => [outcome, result.content]);
    expect(outcomes).to.deep.equal([
      ['executed', 'seen'],
      ['responded', 'Too many calls; wait.'],
    ]);
    expect(tool.calls).to.have.length(1);
  });
});
