import { expect } from 'chai';
import { concat, from, lastValueFrom, retry as retrySource, throwError, toArray } from 'rxjs';
import { toUiMessageStream } from '../../../lib/adapters/ai-sdk-ui/index.ts';
import { createAgent, createPipeline, defineHook, type Model, type ModelChunk } from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { scriptedTool } from '../../../lib/testing/index.ts';
import { clients } from './clients.ts';
import { expectSettled, partsOf } from './expect-settled.ts';
import { show } from './show.ts';

const input = (delta: string): ModelChunk => ({ type: 'toolInput', toolCallId: 'c', delta });
const call: ModelChunk = { type: 'toolCall', toolCall: { id: 'c', name: 'weather', input: { city: 'Oslo' } } };

/** A model with these answers in order. An empty one fails. */
function answers(...turns: readonly (readonly ModelChunk[])[]): Model {
  let asked = 0;
  return () => {
    const turn = turns[asked++] ?? [];
    const fails = turn.every(({ type }) => type === 'toolInput');
    return fails
      ? concat(
          from(turn),
          throwError(() => new Error('broken')),
        )
      : from(turn);
  };
}

async function shownBy(client: (typeof clients)[number], model: Model) {
  const again = defineHook({ name: 'again', around: { reasoning: (_event, next) => next().pipe(retrySource(1)) } });
  const tools = [scriptedTool({ name: 'weather', result: '18 °C' })];
  const agent = createAgent({ name: 'guide', model, tools, pipeline: createPipeline([again], { log: silentLogger }) });
  const { version } = client;
  const chunks = await lastValueFrom(agent.run('hi').pipe(toUiMessageStream({ version }), toArray()));
  const shown = await show(client, chunks);
  expectSettled(shown, chunks);
  return { chunks, tools: partsOf(shown).filter(({ type }) => type === 'dynamic-tool') };
}

describe('partial inputs of tools', () => {
  for (const client of clients) {
    it(`are shown by ${client.name} with the whole call, never without the name of the tool`, async () => {
      const model = answers([input('{"city":'), input('"Oslo"}'), call], [{ type: 'text', delta: 'ok' }]);
      const { chunks, tools } = await shownBy(client, model);
      const names = chunks.flatMap((chunk) => ('toolName' in chunk ? [chunk.toolName] : []));
      expect(names).to.deep.equal(['weather']);
      expect(tools.map(({ toolName, state }) => [toolName, state])).to.deep.equal([['weather', 'output-available']]);
    });

    it(`leave nothing in ${client.name} if the next attempt makes another call or none`, async () => {
      const other: ModelChunk = { type: 'toolCall', toolCall: { id: 'd', name: 'weather', input: {} } };
      const same = await shownBy(client, answers([input('{"ci')], [call], [{ type: 'text', delta: 'ok' }]));
      expect(same.tools.map(({ state }) => state)).to.deep.equal(['output-available']);
      const another = await shownBy(client, answers([input('{"ci')], [other], [{ type: 'text', delta: 'ok' }]));
      expect(another.tools.map(({ state }) => state)).to.deep.equal(['output-available']);
      const none = await shownBy(client, answers([input('{"ci')], [{ type: 'text', delta: 'ok' }]));
      expect(none.tools).to.deep.equal([]);
    });

    it(`are kept apart by ${client.name} for calls with the same provider id`, async () => {
      const { tools } = await shownBy(client, answers([call], [call], [{ type: 'text', delta: 'ok' }]));
      expect(tools.map(({ state }) => state)).to.deep.equal(['output-available', 'output-available']);
      expect(new Set(tools.map(({ toolCallId }) => toolCallId)).size).to.equal(2);
    });
  }
});
