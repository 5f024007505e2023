import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  createAgent,
  createPipeline,
  defineHook,
  deny,
  finish,
  type Hook,
  type JsonObject,
  modify,
  type PostCall,
  type SettledEvent,
  type ToolDescription,
  verdict,
} from 'hookline';
import { permission } from 'hookline/hooks';
import { backtest, isLooser, replay } from 'hookline/replay';
import { recordedRun, type ScriptTurn, scriptedModel, scriptedTool } from 'hookline/testing';
import { lastValueFrom, Subject, tap } from 'rxjs';
import { recordingFileIn, recordingIn } from './recording-in.ts';

const call = (name: string, input = {}): ScriptTurn => ({ text: `I ${name}.`, toolCalls: [{ name, input }] });

/** Records a run of an agent that reads and deletes. */
async function record(
  hooks: readonly Hook[],
  turns: readonly ScriptTurn[] = [call('read'), call('remove'), { text: 'Done.' }],
  options = {},
) {
  const { folder, recorder } = recordingIn(options);
  const ran: string[] = [];
  const tool = (name: string, permission: 'read' | 'write') =>
    scriptedTool({
      name,
      permission,
      result() {
        ran.push(name);
        return `${name} ok`;
      },
    });
  const agent = createAgent({
    name: 'main',
    model: scriptedModel(turns),
    tools: [tool('read', 'read'), tool('remove', 'write')],
    pipeline: createPipeline([...hooks, recorder]),
  });
  const post: SettledEvent<PostCall> = await agent.call('Go.');
  return { file: recordingFileIn(folder), ran, post };
}

const denyRemove = () =>
  defineHook({
    name: 'guard',
    on: { preActing: (event) => (event.toolCall.name === 'remove' ? deny(event, 'no') : undefined) },
  });

describe('replay', () => {
  it('tells where another pipeline parts, by which hook and in which value', async () => {
    const { file, ran } = await record([]);
    const { runs } = await replay(file, createPipeline([denyRemove()]));
    expect(ran).to.deep.equal(['read', 'remove']);
    expect(runs).to.have.lengthOf(1);
    expect(runs[0]?.differences[0]).to.deep.include({
      type: 'preActing',
      hook: 'guard',
      path: 'decision',
      toolCallId: 'call_2',
    });
    expect(runs[0]?.missing).to.equal(undefined);
    expect(runs[0]?.replayed.at(-1)?.event).to.include({ type: 'postCall', outcome: 'completed' });
  });

  it('ends where a call is allowed that was denied, because nobody knows its result', async () => {
    const { file } = await record([denyRemove()]);
    const [run] = (await replay(file, createPipeline([]))).runs;
    expect(run?.missing).to.equal('a result of the call call_2 of remove');
    expect(run?.replayed.at(-1)?.event).to.include({ type: 'postCall', outcome: 'cancelled' });
  });

  it('applies what a hook outside did then, instead of calling it', async () => {
    let requests = 0;
    const asking = () =>
      defineHook({
        name: 'judge',
        on: {
          preActing(event, context) {
            if (context.dryRun || event.toolCall.name !== 'remove') return undefined;
            requests += 1;
            return deny(event, 'the judge said no');
          },
          postReasoning(event, context) {
            if (context.dryRun) return undefined;
            requests += 1;
            return modify(event, {
              message: { ...event.message, parts: [...event.message.parts, { type: 'text', text: '!' }] },
            });
          },
        },
      });
    const { file } = await record([asking()]);
    expect(requests).to.equal(4);
    const [run] = (await replay(file, createPipeline([asking()]))).runs;
    expect(requests).to.equal(4);
    expect(run?.differences).to.deep.equal([]);
  });

  it('sends no model request of a hook, and starts nothing of a hook that is said to be outside', async () => {
    let started = 0;
    const outside = () =>
      defineHook({
        name: 'program',
        on: (event) => {
          started += 1;
          return event.type === 'preActing' && event.toolCall.name === 'remove'
            ? deny(event, 'the program said no')
            : undefined;
        },
      });
    const { file } = await record([outside()]);
    const before = started;
    const [run] = (await replay(file, createPipeline([outside()]), { isOutward: ({ name }) => name === 'program' }))
      .runs;
    expect(started).to.equal(before);
    expect(run?.differences).to.deep.equal([]);
  });

  it('repeats the answer of a person about the same call, and asks nobody', async () => {
    let asked = 0;
    const approvals = (answer: boolean) =>
      permission(
        { ask: ['remove'], allow: ['*'] },
        {
          async ask() {
            asked += 1;
            return answer;
          },
        },
      );
    for (const answer of [true, false]) {
      asked = 0;
      const { file, ran } = await record([approvals(answer)]);
      expect(ran.includes('remove')).to.equal(answer);
      const [run] = (await replay(file, createPipeline([approvals(!answer)]))).runs;
      expect(run?.differences, String(answer)).to.deep.equal([]);
      expect(asked).to.equal(1);
    }
  });

  it('counts a call that would be asked about now, and goes on as then', async () => {
    const { file } = await record([]);
    const { changes } = await backtest([file], createPipeline([permission({ ask: ['remove'], allow: ['*'] })]));
    expect(changes).to.have.lengthOf(1);
    expect(changes[0]).to.deep.include({
      what: 'call',
      before: 'allow',
      after: 'ask',
      hook: 'permission',
      tool: 'remove',
      count: 1,
      looser: false,
    });
  });

  it('gives a message of the user at its place, and skips the calls that it stopped', async () => {
    const { folder, recorder } = recordingIn();
    const agent = createAgent({
      name: 'main',
      model: scriptedModel([
        { toolCalls: ['read', 'remove'].map((name) => ({ name, input: {} })) },
        { text: 'I stop.' },
        { text: 'Done.' },
      ]),
      tools: ['read', 'remove'].map((name) => scriptedTool({ name, permission: 'write', result: 'ok' })),
      pipeline: createPipeline([recorder]),
    });
    const steering$ = new Subject<string>();
    const before: string[] = [];
    await lastValueFrom(
      agent.run('Go.', { steering$ }).pipe(
        tap((event) => {
          if (event.type === 'postActing') before.push(`${event.toolCall.name} ${event.outcome}`);
          if (event.type === 'postActing' && event.outcome === 'executed') steering$.next('Stop.');
          if (event.type === 'postReasoning' && event.iteration === 2) steering$.next('Thanks.');
        }),
      ),
    );
    expect(before).to.deep.equal(['read executed', 'remove skipped']);
    const [run] = (await replay(recordingFileIn(folder), createPipeline([]))).runs;
    expect(run?.differences).to.deep.equal([]);
    expect(run?.missing).to.equal(undefined);
    const requests = run?.replayed.flatMap(({ event }) => (event.type === 'preReasoning' ? [event] : [])) ?? [];
    expect(requests.map(({ messages }) => messages.filter(({ role }) => role === 'user').length)).to.deep.equal([
      1, 2, 3,
    ]);
  });

  it('replays a suspended run to its suspension', async () => {
    const suspend = () =>
      defineHook({
        name: 'wait',
        approve: ({ toolCall }) => (toolCall.name === 'remove' ? verdict.suspend('May it?') : verdict.allow()),
      });
    const { file, post } = await record([suspend()]);
    expect(post.outcome).to.equal('suspended');
    const [run] = (await replay(file, createPipeline([suspend()]))).runs;
    expect(run?.replayed.at(-1)?.event).to.include({ outcome: 'suspended' });
  });

  it('says that values which the recording does not contain make it inexact', async () => {
    const long = defineHook({
      name: 'long',
      on: {
        postReasoning: (event) =>
          modify(event, { message: { ...event.message, parts: [{ type: 'text', text: 'x'.repeat(9_000) }] } }),
      },
    });
    const { file } = await record([long], [{ text: 'y'.repeat(9_000) }]);
    expect((await replay(file, createPipeline([long]))).runs[0]?.exact).to.equal(false);
  });

  it('names the line of a broken recording, ignores a truncated last line, and refuses a newer version', async () => {
    const { file } = await record([]);
    const text = readFileSync(file, 'utf8');
    const lines = text.split('\n');
    appendFileSync(file, '{"event":');
    expect((await replay(file, createPipeline([]))).cut).to.equal(true);
    for (const [broken, issue] of [
      [text.replace(lines[3] as string, '{"event":'), /line 4 is not JSON/],
      [text.replace('"version":1', '"version":2'), /line 1 has version 2 .* this Hookline reads 1/],
      ['', /line 1 is not the head of a recording/],
    ] as const) {
      writeFileSync(file, broken);
      const thrown = await replay(file, createPipeline([])).catch((error) => error);
      expect(thrown).to.have.property('code', 'INPUT_INVALID');
      expect(thrown.message).to.match(issue);
    }
  });
});

describe('backtest', () => {
  it('is looser if a call passes that was denied, or a judged value is redacted', async () => {
    const denied = await record([denyRemove()]);
    const open = await backtest([denied.file], createPipeline([]));
    expect(open.changes[0]).to.deep.include({ before: 'deny', after: 'allow', looser: true, tool: 'remove' });
    expect(isLooser(open)).to.equal(true);
    expect(isLooser(await backtest([denied.file], createPipeline([denyRemove()])))).to.equal(false);

    const key = `AKIA${'Z7QWMX4T2NB5RKLD'}`;
    const secret = await record([], [call('read', { key }), { text: 'Done.' }]);
    const unknown = await backtest([secret.file], createPipeline([]));
    expect(unknown).to.deep.include({ unknown: 1, changes: [] });
    expect(isLooser(unknown)).to.equal(true);
    const raw = await record([], [call('read', { key }), { text: 'Done.' }], { raw: true });
    expect(await backtest([raw.file], createPipeline([]))).to.deep.include({ unknown: 0 });
  });

  it('does not repeat the denial of a rule where the same hook would ask now', async () => {
    const rules = (list: 'deny' | 'ask') => permission({ [list]: ['remove'], allow: ['*'] });
    const { file } = await record([rules('deny')]);
    const [run] = (await replay(file, createPipeline([rules('ask')]))).runs;
    expect(run?.differences[0]).to.deep.include({ type: 'preActing', hook: 'permission', path: 'decision.action' });
    const asks = await backtest([file], createPipeline([rules('ask')]));
    expect(asks.changes).to.have.lengthOf(1);
    expect(asks.changes[0]).to.deep.include({ before: 'deny', after: 'ask', hook: 'permission', looser: true });
    expect(isLooser(asks)).to.equal(true);
    const denies = await backtest(
      [await record([rules('ask')]).then(({ file }) => file)],
      createPipeline([rules('deny')]),
    );
    expect(denies.changes[0]).to.deep.include({ before: 'ask', after: 'deny', looser: false });
    expect(isLooser(denies)).to.equal(false);
  });

  it('does not know the verdict of a denied call after the suspension of a replay', async () => {
    const asksAboutRead = (asks: boolean) => permission({ [asks ? 'ask' : 'deny']: ['read'], allow: ['*'] });
    const { file } = await record([asksAboutRead(false), denyRemove()]);
    const result = await backtest([file], createPipeline([asksAboutRead(true)]));
    // Once the call is approved, nothing denies the next one.
    expect(result.changes.map(({ tool, before, after }) => [tool, before, after])).to.deep.equal([
      ['read', 'deny', 'ask'],
    ]);
    expect(result.unknown).to.equal(1);
  });

  it('judges the calls again that a resumed run began with', async () => {
    const wait = defineHook({ name: 'wait', approve: () => verdict.suspend('May it?') });
    const { folder, recorder } = recordingIn();
    const agent = createAgent({
      name: 'main',
      model: scriptedModel([call('remove'), { text: 'Done.' }]),
      tools: [scriptedTool({ name: 'remove', permission: 'write', result: 'ok' })],
      pipeline: createPipeline([wait, recorder]),
    });
    const { snapshot, run } = await agent.call('Go.');
    rmSync(recordingFileIn(folder));
    await lastValueFrom(agent.resume(snapshot as JsonObject, { [`${run.runId}/call_1`]: { approved: false } }));
    const file = recordingFileIn(folder);
    const same = await backtest([file], createPipeline([wait]));
    expect(same).to.deep.include({ unknown: 0, changes: [], ended: 0, unreadable: [] });
    const [again] = (await replay(file, createPipeline([wait]))).runs;
    expect(again?.differences).to.deep.equal([]);
    expect(again?.replayed).to.have.lengthOf(again?.recorded.length ?? 0);
    // Without the approver, nobody would have been asked.
    const open = await backtest([file], createPipeline([]));
    expect(open.changes[0]).to.deep.include({ before: 'deny', after: 'allow', tool: 'remove', looser: true });
    expect(isLooser(open)).to.equal(true);
  });

  it('does not know the verdict of a denied call that a replay does not reach', async () => {
    const { file } = await record([denyRemove()]);
    const stop = defineHook({
      name: 'stop',
      on: { postActing: (event) => (event.toolCall.name === 'read' ? finish(event) : undefined) },
    });
    const result = await backtest([file], createPipeline([stop]));
    expect(result).to.deep.include({ unknown: 1, changes: [] });
    expect(isLooser(result)).to.equal(true);
  });

  it('compares two policies, and reports recordings that cannot be read', async () => {
    const { file } = await record([]);
    const against = createPipeline([denyRemove()]);
    const result = await backtest([file, join(file, '..', 'none.jsonl')], createPipeline([]), { against });
    expect(result.changes[0]).to.deep.include({ before: 'deny', after: 'allow', looser: true });
    expect(result.unreadable).to.have.lengthOf(1);
    expect(result.unreadable[0]?.reason).to.include('none.jsonl" cannot be read: ENOENT');
  });

  describe('of tools that this Hookline would not accept', () => {
    /** Changes the tools of the model requests in a recording. */
    async function recordedWith(change: (tool: ToolDescription) => ToolDescription): Promise<string> {
      const { file } = await record([]);
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      const changed = lines.map((text) => {
        const line = JSON.parse(text) as { event?: SettledEvent };
        if (line.event?.type !== 'preReasoning') return text;
        return JSON.stringify({ ...line, event: { ...line.event, tools: line.event.tools.map(change) } });
      });
      writeFileSync(file, `${changed.join('\n')}\n`);
      return file;
    }

    it('accepts any input where the schema cannot be checked', async () => {
      const file = await recordedWith((tool) => ({ ...tool, inputSchema: { type: 'array' } }));
      const [again] = (await replay(file, createPipeline([]))).runs;
      expect(again?.differences).to.deep.equal([]);
      expect(again?.replayed.at(-1)?.event).to.deep.include({ type: 'postCall', outcome: 'completed' });
      expect(recordedRun(file).tools.map(({ name }) => name)).to.deep.equal(['read', 'remove']);
    });

    it('names the line of a tool whose name no agent accepts', async () => {
      const file = await recordedWith((tool) => ({ ...tool, name: 'no name' }));
      const error = await replay(file, createPipeline([])).catch((thrown: unknown) => thrown);
      expect(error).to.have.property('code', 'INPUT_INVALID');
      expect(error)
        .property('message')
        .to.match(/line 3 offers a tool with the name "no name"/);
      expect(() => recordedRun(file)).to.throw('line 3 offers a tool');
    });
  });
});
