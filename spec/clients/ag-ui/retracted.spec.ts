import { expect } from 'chai';
import { concat, firstValueFrom, from, type Observable, of, retry, throwError, toArray } from 'rxjs';
import { toAgUi } from '../../../lib/adapters/ag-ui/index.ts';
import {
  type AgentOptions,
  abort,
  agentTool,
  assistantMessage,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  type ModelChunk,
  modify,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { messagesAfter, verified } from './verified.ts';

async function shownOf(options: Pick<AgentOptions, 'model' | 'tools'>, hooks: readonly Hook[], before: never[] = []) {
  const agent = createAgent({ name: 'a', pipeline: createPipeline(hooks, { log: silentLogger }), ...options });
  const sent = await firstValueFrom(agent.run('go').pipe(toAgUi(), toArray()));
  await verified(sent);
  const messages = await messagesAfter(sent, before);
  return { sent, shown: messages.map(({ role, content }) => [role, content]) };
}

describe('retracted content', () => {
  it('is hidden when another attempt starts, thinking included', async () => {
    let asked = 0;
    const model = (): Observable<ModelChunk> => {
      asked += 1;
      if (asked > 1) return of({ type: 'text' as const, delta: 'right' });
      const wrong = from<ModelChunk[]>([
        { type: 'thinking', delta: 'hm' },
        { type: 'text', delta: 'wrong' },
      ]);
      return concat(
        wrong,
        throwError(() => new Error('gone')),
      );
    };
    const again = defineHook({ name: 'again', around: { reasoning: (_, next) => next().pipe(retry(1)) } });
    const { sent, shown } = await shownOf({ model }, [again]);
    expect(sent.filter(({ type }) => type === 'MESSAGES_SNAPSHOT')).to.have.length(1);
    expect(shown).to.deep.equal([
      ['reasoning', ''],
      ['assistant', 'right'],
    ]);
  });

  it('is hidden when a hook changes its message', async () => {
    const model = scriptedModel([
      { chunks: ['the code is ', '4711'], toolCalls: [{ id: 'c1', name: 'look', input: {} }] },
      'Done.',
    ]);
    const tools = [scriptedTool({ name: 'look', result: 'seen' })];
    const hook = defineHook({
      name: 'hush',
      on: {
        postReasoning: (event) =>
          modify(event, {
            message: {
              ...event.message,
              parts: event.message.parts.map((part) =>
                part.type === 'text' ? { ...part, text: part.text.replace('4711', '****') } : part,
              ),
            },
          }),
      },
    });
    const { shown } = await shownOf({ model, tools }, [hook]);
    expect(shown).to.deep.equal([
      ['assistant', 'the code is ****'],
      ['tool', 'seen'],
      ['assistant', 'Done.'],
    ]);
  });

  it('is hidden when a hook changes the last message', async () => {
    const hook = defineHook({
      name: 'sign',
      on: { postCall: (event) => modify(event, { message: assistantMessage('Bye.') }) },
    });
    const { shown } = await shownOf({ model: scriptedModel(['Hello.']) }, [hook]);
    expect(shown).to.deep.equal([['assistant', 'Bye.']]);
  });

  it('is hidden when a hook rolls the run back, sub-agent output included', async () => {
    const look = { toolCalls: [{ id: 'c1', name: 'look', input: {} }] };
    const tools = [scriptedTool({ name: 'look', chunks: ['loo', 'king'], result: 'seen' })];
    const below = createAgent({ name: 'below', model: scriptedModel([{ text: 'Below.', ...look }, 'Found.']), tools });
    const asks = { id: 'c1', name: 'below', input: { prompt: 'go' } };
    const hook = defineHook({
      name: 'back',
      on: {
        reasoningChunk: (event) => (event.delta === '4711' ? abort(event, 'no', { rollback: true }) : undefined),
      },
    });
    const model = scriptedModel([{ thinking: 'hm', text: 'Wait.', toolCalls: [asks] }, { chunks: ['It is ', '4711'] }]);
    const { sent, shown } = await shownOf({ model, tools: [agentTool(below, { description: 'x' }) as never] }, [hook]);
    const [thought, report, ...others] = shown;
    expect([thought, others]).to.deep.equal([['reasoning', ''], []]);
    expect(report?.[1]).to.deep.include({ tool: 'look', output: [] });
    expect(sent.at(-1)).to.deep.include({
      result: { outcome: 'aborted', reason: 'hook "back": no', rolledBack: true },
    });
  });

  it('of a sub-agent is hidden when only that is rolled back', async () => {
    const below = createAgent({ name: 'below', model: scriptedModel(['4711']) });
    const hook = defineHook({
      name: 'back',
      match: { agents: ['below'] },
      on: { postReasoning: (event) => abort(event, 'no', { rollback: true }) },
    });
    const asks = { id: 'c1', name: 'below', input: { prompt: 'go' } };
    const model = scriptedModel([{ text: 'Wait.', toolCalls: [asks] }, 'Then not.']);
    const { shown } = await shownOf({ model, tools: [agentTool(below, { description: 'x' }) as never] }, [hook]);
    expect(shown.filter(([role]) => role === 'assistant')).to.deep.equal([
      ['assistant', 'Wait.'],
      ['assistant', 'Then not.'],
    ]);
  });

  it('of a tool’s progress is replaced by that of the final attempt', async () => {
    let runs = 0;
    const tool = {
      ...scriptedTool({ name: 'look' }),
      execute: () => {
        runs += 1;
        return runs === 1
          ? concat(
              of('wrong'),
              throwError(() => new Error('gone')),
            )
          : of('right');
      },
    };
    const again = defineHook({ name: 'again', around: { acting: (_, next) => next().pipe(retry(1)) } });
    const model = scriptedModel([{ toolCalls: [{ id: 'c1', name: 'look', input: {} }] }, 'Done.']);
    const { shown } = await shownOf({ model, tools: [tool] }, [again]);
    const activity = shown.find(([role]) => role === 'activity');
    expect(activity?.[1]).to.deep.equal({ toolCallId: 'c1', tool: 'look', output: ['right'] });
  });
});
