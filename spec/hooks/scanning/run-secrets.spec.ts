import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { auditLog } from '../../../lib/hooks/audit-log/audit-log.ts';
import { securityScan } from '../../../lib/hooks/index.ts';
import { runRecorder } from '../../../lib/hooks/recorder/run-recorder.ts';
import { secretsOf } from '../../../lib/hooks/scanning/run-secrets.ts';
import { webhook } from '../../../lib/hooks/webhook/webhook.ts';
import { createAgent, createPipeline, defineHook, defineTool, type Hook, verdict } from '../../../lib/index.ts';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { tempFolder } from '../../temp-folder.ts';
import { receiver } from '../webhook/a-receiver.ts';

const V = 'k3j9X2m8'.concat('Q5w7z1v4b6');
const HEX = Buffer.from(V).toString('hex');
const NAMED = `DB_PASSWORD=${V}`;
const say = defineTool({
  name: 'say',
  description: 'says',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  permission: 'read',
  execute: ({ text }: { text: string }) => `it is ${text}.`,
} as never);
const calling = (text: string, name = 'say', member = 'text') => ({ toolCalls: [{ name, input: { [member]: text } }] });

/** Runs an agent that calls `say` with each text and then answers with the last one in chunks. */
async function run(hooks: readonly Hook[], texts: readonly string[], prompt = 'hi', answer = 'done') {
  const model = scriptedModel([...texts.map((text) => calling(text)), { chunks: answer.match(/.{1,7}/g) }] as never);
  const pipeline = createPipeline(hooks);
  const agent = createAgent({ name: 'a', model, tools: [say], pipeline });
  const events = await lastValueFrom(agent.run(prompt, { sessionId: 's' }).pipe(toArray()));
  await pipeline.flush();
  return events;
}

const written = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

type Watched = (hooks: readonly Hook[], texts: readonly string[], prompt?: string, answer?: string) => Promise<string>;

/** The output of each hook that records a run. */
const watchers: Readonly<Record<string, Watched>> = {
  async 'audit-log'(hooks, ...rest) {
    const folder = tempFolder('audit');
    await run([...hooks, auditLog({ file: join(folder, 'a.jsonl'), results: true, chunks: true })], ...rest);
    return written(folder);
  },
  async recorder(hooks, ...rest) {
    const folder = tempFolder('recordings');
    await run([...hooks, runRecorder({ folder })], ...rest);
    return written(folder);
  },
  async webhook(hooks, ...rest) {
    const taken = await receiver();
    const { hook, flush } = webhook({
      url: taken.url,
      events: ['preActing', 'postActing', 'reasoningChunk', 'postReasoning', 'postCall', 'error'],
    });
    await run([...hooks, hook], ...rest);
    await flush();
    taken.close();
    return taken.received.map(({ text }) => text).join('\n');
  },
};

describe('secrets found in a run', () => {
  for (const [name, write] of Object.entries(watchers)) {
    describe(`in the output of ${name}`, () => {
      it('are found again without context, in another encoding or in chunks', async () => {
        const text = await write([], [NAMED, V, HEX], 'hi', `So ${V} it is.`);
        expect(text).to.include('[REDACTED:');
        expect(text).to.not.include(V);
        expect(text).to.not.include(HEX);
      });

      it("include findings of another hook's own rules", async () => {
        const value = 'Qx7'.concat('mmLp2vbTz9');
        const pattern = /ticket no\. (\w{12,20})/;
        const redactor = createRedactor([...rulesNamed(), { id: 'ticket', pattern }]);
        const prompt = `take ticket no. ${value} please`;
        expect(await write([securityScan({ redactor })], [value], prompt)).to.not.include(value);
        expect(await write([], [value], prompt)).to.include(value);
      });

      it('do not apply to other runs', async () => {
        await write([], [NAMED]);
        expect(await write([], [V])).to.include(V);
      });
    });
  }

  it('are known to the redactor of texts that hooks cannot change', async () => {
    const guard = defineHook({
      name: 'guard',
      approve: ({ toolCall }) => verdict.deny(`must not say ${(toolCall.input as { text: string }).text}`),
    });
    const events = await run([securityScan(), guard], [V], `use ${NAMED}`);
    const reasons = events.flatMap((event) =>
      event.type === 'preActing' && event.decision?.action === 'deny' ? [event.decision.reason] : [],
    );
    expect(reasons).to.have.length(1);
    expect(reasons[0]).to.match(/^must not say \[REDACTED:[\w-]+\]$/);
  });

  it('do not change the run if only an observer found them', async () => {
    const ticket = createRedactor([{ id: 'ticket', pattern: /ticket no\. (\w{12,20})/ }]);
    const folder = tempFolder('audit');
    const value = 'Qx7'.concat('mmLp2vbTz9');
    const events = await run(
      [securityScan(), auditLog({ file: join(folder, 'a.jsonl'), results: true, redact: ticket })],
      [`ticket no. ${value}`, value],
    );
    const results = events.flatMap((event) => (event.type === 'postActing' ? [event.result.content] : []));
    expect(results[1]).to.equal(`it is ${value}.`);
    expect(written(folder)).to.not.include(value);
  });

  it('are shared with sub-agents', async () => {
    const folder = tempFolder('audit');
    const pipeline = createPipeline([auditLog({ file: join(folder, 'a.jsonl'), results: true })]);
    const child = createAgent({
      name: 'child',
      model: scriptedModel([calling(V), 'ok'] as never),
      tools: [say],
      pipeline,
    });
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([calling(NAMED), calling('go', 'child', 'prompt'), 'done'] as never),
      tools: [say, agentTool(child, { description: 'helps' })],
      pipeline,
    });
    await lastValueFrom(agent.run('hi', { sessionId: 's' }).pipe(toArray()));
    expect(written(folder)).to.include('child').and.to.not.include(V);
  });

  it('are dropped with the run', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const begin = (): WeakRef<object> => {
      const memory = secretsOf({ runId: 'short', sessionId: 's', agent: 'a', depth: 0 });
      memory.add(V, 'password');
      return new WeakRef(memory);
    };
    const memory = begin();
    await setImmediate();
    collect();
    expect(memory.deref()).to.equal(undefined);
  });
});
