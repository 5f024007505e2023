import { expect } from 'chai';
import { concat, firstValueFrom, from, type Observable, of, retry, throwError, toArray } from 'rxjs';
import { toAgUi } from '../../../lib/adapters/ag-ui/index.ts';
import {
  type AgentOptions,
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

describe('what was withdrawn', () => {
  it('is no longer on the screen when another attempt has begun, thoughts included', async () => {
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

  it('is no longer on the screen when a hook has changed the message that it was a part of', async () => {
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

  it('is no longer on the screen when a hook has changed the last message', async () => {
    const hook = defineHook({
      name: 'sign',
      on: { postCall: (event) => modify(event, { message: assistantMessage('Bye.') }) },
    });
    const { shown } = await shownOf({ model: scriptedModel(['Hello.']) }, [hook]);
    expect(shown).to.deep.equal([['assistant', 'Bye.']]);
  });

  it('of a tool’s report is replaced by that of the attempt that counts', async () => {
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
