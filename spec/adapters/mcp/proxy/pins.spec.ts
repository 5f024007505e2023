import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { from, switchMap } from 'rxjs';
import { toolRetry } from '../../../../lib/hooks/index.ts';
import { type HookDefinition, verdict } from '../../../../lib/index.ts';
import { silentLogger } from '../../../../lib/pipeline/logger.ts';
import { tempFolder } from '../../../temp-folder.ts';
import { answerOf, handMade, listening, type Message, reply, said } from '../http/over-http.ts';

const tool = (description: string) => ({ name: 'a', description, inputSchema: { type: 'object' } });
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

describe('a changed pinned tool', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** A server whose tool was pinned with the description "kind" and now has the description `says`. */
  const changing = async (
    hooks: readonly HookDefinition[] = [],
    calls: () => object | Promise<object> = () => said('ran'),
  ) => {
    const server = {
      says: 'kind',
      ...(await handMade(
        async (message, response) => reply(response, message, await calls()),
        (message, response) => {
          if (message?.method !== 'tools/list') return false;
          reply(response, message, { tools: [tool(server.says)] });
          return true;
        },
      )),
    };
    closing.push(server.close);
    const file = join(tempFolder('pins-'), 'pins.json');
    const one = await listening(server.url, { hooks, pinsFile: file });
    closing.push(one.proxy.close);
    const client = one.client();
    await client.start();
    const list = async () => (await answerOf(await client.ask('tools/list'))).result.tools[0].description;
    const change = async (to: string) => {
      server.says = to;
      expect(await list()).to.equal(pinned());
    };
    const pinned = () => JSON.parse(readFileSync(file, 'utf8')).tools.a.description;
    await list();
    return { ...one, server, client, list, change, pinned, ran: () => server.of('tools/call').length };
  };
  type Changing = Awaited<ReturnType<typeof changing>>;

  /** Makes a call and answers each prompt after `asked` has finished with it. Returns the prompts and the result. */
  const call = async ({ client }: Changing, ...asked: (() => unknown)[]) => {
    const reader = (await client.call('a')).body!.getReader();
    const questions: string[] = [];
    let text = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += Buffer.from(piece.value);
      const events = text.split('\n\n');
      text = events.pop() as string;
      for (const event of events) {
        const message: Message = JSON.parse(event.replace(/^[\s\S]*data: /, ''));
        if (message.result) return { questions, result: message.result };
        if (message.method !== 'elicitation/create') continue;
        questions.push(message.params.message);
        const approve = (await asked.shift()?.()) !== 'no';
        await client.post({ id: message.id, result: { action: 'accept', content: { approve } } });
      }
    }
    return { questions, result: JSON.parse(text).result };
  };

  it('is pinned as shown in the approval prompt, without later changes', async () => {
    const one = await changing();
    await one.change('first');
    const { questions, result } = await call(
      one,
      () => one.change('second'),
      () => {
        expect(one.pinned()).to.equal('kind');
        return 'no';
      },
    );
    expect(questions.map((text) => /description, now: "(.*)"/.exec(text)?.[1])).to.deep.equal(['first', 'second']);
    expect([result.isError, one.ran(), one.pinned()]).to.deep.equal([true, 0, 'kind']);
  });

  it('is shown with its differences, and a long text with a notice of omissions', async () => {
    const filler = 'x'.repeat(5_000);
    const one = await changing();
    await one.change(`${filler}kind`);
    await call(one, () => {});
    await one.change(`${filler}evil${filler}`);
    const { questions } = await call(one, () => {});
    expect(questions.at(-1)).to.contain('evil').and.contain('characters) …').and.contain('more characters)');
    expect(questions.at(-1)?.length).to.be.below(6_000);
  });

  it('is asked about once, together with other approvers', async () => {
    const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('May it?') };
    const one = await changing([asks]);
    await one.change('first');
    const { questions, result } = await call(one, () => {});
    expect(questions).to.have.length(1);
    expect(questions[0]).to.contain('May it?').and.contain('"first"');
    expect([result, one.pinned()]).to.deep.equal([said('ran'), 'first']);
  });

  it('is asked about without sessions too, and alone if it changes again', async () => {
    const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('May it?') };
    const one = await changing([asks]);
    await one.change('first');
    let params: Message = { name: 'a', arguments: {}, _meta: modern };
    const messages: string[] = [];
    for (const to of ['second', undefined]) {
      const { result } = await answerOf(await one.client.ask('tools/call', params));
      const [[key, { params: form }]] = Object.entries(result.inputRequests) as [[string, Message]];
      messages.push(form.message);
      if (to !== undefined) await one.change(to);
      const inputResponses = { [key]: { action: 'accept', content: { approve: true } } };
      params = { ...params, requestState: result.requestState, inputResponses };
    }
    const { result } = await answerOf(await one.client.ask('tools/call', params));
    expect(result.content).to.deep.equal([{ type: 'text', text: 'ran' }]);
    expect(
      messages.map((text) => ['May it?', 'now: "first"', 'now: "second"'].filter((one) => text.includes(one))),
    ).to.deep.equal([['May it?', 'now: "first"'], ['now: "second"']]);
    expect([one.ran(), one.pinned()]).to.deep.equal([1, 'second']);
  });

  it('is not run by a call judged before the change', async () => {
    let before: () => Promise<unknown> = async () => {};
    const waits: HookDefinition = {
      name: 'waits',
      around: { acting: (_, next) => from(before()).pipe(switchMap(next)) },
    };
    const one = await changing([waits]);
    before = () => one.change('first');
    const { result } = await answerOf(await one.client.call('a'));
    expect(result.content[0].text).to.contain('changed its tool "a"');
    expect([result.isError, one.ran(), one.pinned()]).to.deep.equal([true, 0, 'kind']);
  });

  it('is not run by a second attempt if the first one preceded the change', async () => {
    const retry = toolRetry({ repeatable: ['a'], errorTexts: ['busy'], delayMs: 1 });
    const one: Changing = await changing([retry], async () => {
      if (one.ran() === 1) await one.change('first');
      return { ...said('busy'), isError: true };
    });
    const { result } = await answerOf(await one.client.call('a'));
    expect(result.content[0].text).to.contain('changed its tool "a"');
    expect([result.isError, one.ran(), one.pinned()]).to.deep.equal([true, 1, 'kind']);
  });

  it('blocks the start of the server if its file is not writable', async () => {
    const folder = tempFolder('pins-');
    writeFileSync(join(folder, 'file'), '');
    for (const file of [join(folder, 'none', 'pins.json'), join(folder, 'file', 'pins.json')]) {
      const made: string = await listening('http://127.0.0.1:1/', { pinsFile: file, log: silentLogger }).then(
        () => 'made',
        (thrown: Error) => thrown.message,
      );
      expect(made).to.contain(`${file} is not writable`);
      expect(existsSync(file)).to.equal(false);
    }
  });
});
