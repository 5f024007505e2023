import { expect } from 'chai';
import { of } from 'rxjs';
import { createAgent } from '../../lib/agent/create-agent.ts';
import { createPipeline } from '../../lib/pipeline/create-pipeline.ts';
import { anEvent, recorder, scriptedModel, scriptedTool } from '../../lib/testing/index.ts';

describe('recorder', () => {
  it('stores settled events of a pipeline, as lines and by type', () => {
    const record = recorder();
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([{ toolCalls: [{ name: 'bash', input: {} }] }, 'done']),
      tools: [scriptedTool({ name: 'bash', result: 'ok' })],
      pipeline: createPipeline([record]),
    });
    agent.run('hi').subscribe();
    expect(record.lines()).to.deep.equal([
      'preCall "hi"',
      'preReasoning',
      'postReasoning call_1 bash {}',
      'preActing call_1 bash {}',
      'postActing call_1 executed "ok"',
      'preReasoning',
      'reasoningChunk "done"',
      'reasoningChunk last',
      'postReasoning "done"',
      'postCall completed "done"',
    ]);
    expect(record.lines('preActing', 'postCall')).to.deep.equal([
      'preActing call_1 bash {}',
      'postCall completed "done"',
    ]);
    expect(record.of('postActing').map(({ result }) => result.content)).to.deep.equal(['ok']);
    expect(record.events.map(({ seq }) => seq)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('follows a stream, and clears on request', () => {
    const record = recorder();
    record.follow(of(anEvent.settled(anEvent.text('a'))));
    expect(record.lines()).to.deep.equal(['reasoningChunk "a"']);
    record.clear();
    expect(record.events).to.be.empty;
  });

  it('has a name, so that a pipeline can contain two', () => {
    expect(createPipeline([recorder(), recorder('second')]).hooks.map(({ name }) => name)).to.deep.equal([
      'recorder',
      'second',
    ]);
  });
});
