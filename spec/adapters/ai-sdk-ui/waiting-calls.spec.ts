import { expect } from 'chai';
import { defineHook, defineTool, verdict } from 'hookline';
import { createInbox, dangerousConfirmation } from 'hookline/hooks';
import { scriptedTool } from 'hookline/testing';
import { z } from 'zod';
import { body, framesOf, hi, looks, refusalOf, said, scene } from './served.ts';

describe('pending calls on uiMessageStreamHandler', () => {
  it('gives up a pending call at a new message and ignores a later answer', async () => {
    const ask = defineHook({ name: 'asks', approve: () => verdict.suspend('may I?') });
    const { post, model } = scene({ turns: [looks, 'Then not.'], hooks: [ask] });
    const frames = (await framesOf(await post(body()))).slice(0, -1).map((frame) => JSON.parse(frame));
    const { approvalId, toolCallId } = frames.find(({ type }) => type === 'tool-approval-request');
    const answered = { type: 'dynamic-tool', toolName: 'weather', toolCallId, state: 'approval-responded' };
    const part = { ...answered, approval: { id: `${approvalId}0`, approved: true } };
    const assistant = { id: 'a', role: 'assistant', parts: [part] };
    await framesOf(await post(body({ messages: [hi, assistant, { ...hi, id: 'u2' }] })));
    expect(said(model.requests[1]?.messages).at(-1)).to.equal('user: hi');
    const late = { ...assistant, parts: [{ ...part, approval: { id: approvalId, approved: true } }] };
    expect((await refusalOf(await post(body({ messages: [hi, late] })))).slice(0, 2)).to.deep.equal([
      409,
      'ANSWER_UNKNOWN',
    ]);
  });

  it('continues with a new message after the stream of an answer was lost', async () => {
    const ask = defineHook({ name: 'asks', approve: () => verdict.suspend('may I?') });
    for (const slow of [true, false]) {
      const weather = scriptedTool({ name: 'weather', result: '18 °C', ...(slow && { delayMs: 20 }) });
      const { post, model } = scene({ turns: [looks, 'It is cold.', 'Take a coat.'], hooks: [ask], tools: [weather] });
      const frames = (await framesOf(await post(body()))).slice(0, -1).map((frame) => JSON.parse(frame));
      const { approvalId, toolCallId } = frames.find(({ type }) => type === 'tool-approval-request');
      const approval = { id: approvalId, approved: true };
      const part = { type: 'dynamic-tool', toolName: 'weather', toolCallId, state: 'approval-responded', approval };
      const answered = [hi, { id: 'a', role: 'assistant', parts: [part] }];
      const lost = await post(body({ messages: answered }));
      if (slow) await lost.body?.cancel();
      else await framesOf(lost);
      const next = { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And now?' }] };
      expect((await framesOf(await post(body({ messages: [...answered, next] })))).join()).to.include('Take a coat.');
      expect(said(model.requests[2]?.messages)).to.deep.equal([
        'user: hi',
        'assistant: ',
        'tool: ',
        'assistant: It is cold.',
        'user: And now?',
      ]);
    }
  });

  it('shows calls pending in an active run and accepts the first answer to the shown call', async () => {
    for (const approved of [true, false]) {
      const inbox = createInbox();
      const asks = dangerousConfirmation({ askBy: inbox.ask, patterns: ['Oslo'] });
      const weather = defineTool({
        name: 'weather',
        description: 'Looks.',
        inputSchema: z.strictObject({ city: z.string() }),
        execute: () => '18 °C',
      });
      const { post, ask } = scene({ turns: [looks, 'Done.'], tools: [weather], hooks: [asks], inbox });
      const streams = [await post(body()), await ask('/t/stream')];
      const [{ id, hash } = { id: '', hash: '' }] = inbox.list();
      const answer = (more: object, user = 'ann') =>
        ask('/t/approvals', { method: 'POST', user, body: JSON.stringify({ id, hash, approved, ...more }) });
      expect(await refusalOf(await answer({}, 'bob'))).to.include.members([404, 'ANSWER_UNKNOWN']);
      expect((await refusalOf(await answer({ id: 'x' })))[1]).to.equal('ANSWER_UNKNOWN');
      expect((await refusalOf(await answer({ hash: 'x' })))[1]).to.equal('ANSWER_CHANGED');
      expect((await refusalOf(await answer({ approved: 1 })))[1]).to.equal('BODY_INVALID');
      const edit = await refusalOf(await answer({ approved: true, input: { city: 7 } }));
      expect(edit.slice(0, 2)).to.deep.equal([422, 'INPUT_INVALID']);
      expect(edit.join()).to.include('The edited input is invalid; the call is still pending.').and.include('city');
      expect((await answer({})).status).to.equal(200);
      const late = await refusalOf(await answer({ approved: !approved }));
      expect(late).to.include.members([409, 'ANSWERED']);
      expect(late.join()).to.include(`The call was already answered: ${approved ? 'approve' : 'deny'} by "ann" at `);
      for (const stream of streams) {
        const chunks = (await framesOf(stream)).slice(0, -1).map((frame) => JSON.parse(frame));
        const ofTool = chunks.filter(({ type }) => type.startsWith('tool-')).map(({ type }) => type);
        expect(ofTool).to.deep.equal([
          'tool-input-available',
          'tool-input-available',
          'tool-approval-request',
          'tool-input-available',
          approved ? 'tool-output-available' : 'tool-output-denied',
        ]);
        const states = chunks
          .filter(({ type }) => type === 'data-approval')
          .map(({ data }) => [data.state, data.inline]);
        expect(states).to.deep.equal([
          ['waiting', true],
          [approved ? 'approve' : 'deny', true],
        ]);
        expect(chunks.at(-1)).to.include({ type: 'finish', finishReason: 'stop' });
      }
    }
  });

  it('runs a pending call with the edited arguments, after a yes only', async () => {
    for (const approved of [true, false]) {
      const inbox = createInbox();
      const asks = dangerousConfirmation({ askBy: inbox.ask, patterns: ['Oslo'] });
      const weather = scriptedTool({ name: 'weather', result: '18 °C' });
      const { post, ask } = scene({ turns: [looks, 'Done.'], hooks: [asks], inbox, tools: [weather] });
      const stream = await post(body());
      const [{ id, hash } = { id: '', hash: '' }] = inbox.list();
      const answer = (input: unknown) =>
        ask('/t/approvals', { method: 'POST', body: JSON.stringify({ id, hash, approved, input }) });
      expect((await refusalOf(await answer(['Bergen'])))[1]).to.equal('BODY_INVALID');
      expect((await answer({ city: 'Bergen' })).status).to.equal(200);
      await framesOf(stream);
      expect(weather.calls.map(({ input }) => input)).to.deep.equal(approved ? [{ city: 'Bergen' }] : []);
    }
  });

  it('shows calls pending in a resumed run with the parts of the client', async () => {
    const inbox = createInbox();
    const asks = defineHook({ name: 'asks', approve: () => verdict.suspend('may I?') });
    const inside = dangerousConfirmation({ askBy: inbox.ask, patterns: ['Oslo'] });
    const { post, ask } = scene({ turns: [looks, 'Done.'], hooks: [asks, inside], inbox });
    const answered = async (messages: readonly object[]) => {
      const stream = await post(body({ messages }));
      const [{ id, hash } = { id: '', hash: '' }] = inbox.list();
      const answer = JSON.stringify({ id, hash, approved: true });
      expect((await ask('/t/approvals', { method: 'POST', body: answer })).status).to.equal(200);
      return (await framesOf(stream)).slice(0, -1).map((frame) => JSON.parse(frame));
    };
    const { approvalId, toolCallId } = (await answered([hi])).findLast(({ type }) => type === 'tool-approval-request');
    const approval = { id: approvalId, approved: true };
    const part = { type: 'dynamic-tool', toolName: 'weather', toolCallId, state: 'approval-responded', approval };
    const chunks = await answered([hi, { id: 'a', role: 'assistant', parts: [part] }]);
    expect(chunks.flatMap((chunk) => (chunk.toolCallId ? [[chunk.type, chunk.toolCallId]] : []))).to.deep.equal([
      ['tool-input-available', toolCallId],
      ['tool-approval-request', toolCallId],
      ['tool-input-available', toolCallId],
      ['tool-output-available', toolCallId],
    ]);
    const shown = chunks.flatMap(({ type, data }) => (type === 'data-approval' ? [[data.state, data.toolCallId]] : []));
    expect(shown).to.deep.equal([
      ['waiting', toolCallId],
      ['approve', toolCallId],
    ]);
  });
});
