import { writeFileSync } from 'node:fs';
import { metrics } from '@opentelemetry/api';
import { expect } from 'chai';
import { createLiveHooks } from 'hookline/config';
import { permission } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { NEVER, throwError } from 'rxjs';
import { otel } from '../../lib/hooks/otel/index.ts';
import { createAgent, createPipeline, defineHook, type Model } from '../../lib/index.ts';
import { written } from '../config/read.ts';
import { memorySdk } from './exported.ts';

type Sdk = ReturnType<typeof memorySdk>;
const providersOf = ({ tracerProvider, meterProvider }: Sdk) => ({ tracerProvider, meterProvider });
const valuesOf = async (sdk: Sdk, name: string) =>
  (await sdk.points()).filter((point) => point.name === name).map(({ attributes, value }) => ({ attributes, value }));

describe('otel: own metrics', () => {
  it('counts the chunks that observers missed, by hook', async () => {
    const sdk = memorySdk();
    let isSlow = true;
    const slow = defineHook({
      name: 'slow',
      observe: () => (isSlow ? new Promise((done) => setTimeout(done, 20)) : undefined),
    });
    const pipeline = createPipeline([slow, otel(providersOf(sdk))]);
    const chunks = Array.from({ length: 1_500 }, () => 'a');
    const agent = createAgent({ name: 'main', model: scriptedModel([{ chunks }, { chunks }]), pipeline });
    await agent.call('go');
    await agent.call('go');
    const dropped = pipeline.droppedChunks()['slow'] as number;
    expect(dropped).to.be.greaterThan(0);
    expect(await valuesOf(sdk, 'hookline.events.dropped')).to.deep.equal([
      { attributes: { 'hookline.handler.name': 'slow' }, value: dropped },
    ]);
    isSlow = false;
    await pipeline.flush();
  });

  it('has the revision of the configuration that the last run used', async () => {
    const sdk = memorySdk();
    metrics.setGlobalMeterProvider(sdk.meterProvider);
    const at = written({ 'c.json': { hooks: { otel: { type: 'otel' } } } });
    const live = await createLiveHooks({ files: [at('c.json')] });
    try {
      for (const priority of [1, 2]) {
        const lease = await live.lease();
        await createAgent({ name: 'main', model: scriptedModel(['ok']), pipeline: lease.pipeline }).call('go');
        lease.release();
        expect(await valuesOf(sdk, 'hookline.config.revision')).to.deep.equal([{ attributes: {}, value: priority }]);
        writeFileSync(at('c.json'), JSON.stringify({ hooks: { otel: { type: 'otel', priority } } }));
        await live.reload();
      }
    } finally {
      await live.close();
      metrics.disable();
    }
  });

  it('counts a call as pending while a person is asked', async () => {
    const sdk = memorySdk();
    const seen: unknown[] = [];
    const ask = async () => {
      seen.push(...(await valuesOf(sdk, 'hookline.approvals.pending')));
      return true;
    };
    const agent = createAgent({
      name: 'main',
      model: scriptedModel([{ toolCalls: [{ name: 'pay', input: {} }] }, 'done']),
      tools: [scriptedTool({ name: 'pay', result: 'paid' })],
      pipeline: createPipeline([permission({ ask: ['pay'] }, { ask }), otel(providersOf(sdk))]),
    });
    await agent.call('go');
    const attributes = { 'gen_ai.tool.name': 'pay' };
    expect(seen).to.deep.equal([{ attributes, value: 1 }]);
    expect(await valuesOf(sdk, 'hookline.approvals.pending')).to.deep.equal([{ attributes, value: 0 }]);
  });

  it('counts a call no longer as pending if its run is cancelled', async () => {
    const sdk = memorySdk();
    const abort = new AbortController();
    const ask = () => {
      setTimeout(() => abort.abort('enough'));
      return NEVER;
    };
    const agent = createAgent({
      name: 'main',
      model: scriptedModel([{ toolCalls: [{ name: 'pay', input: {} }] }, 'done']),
      tools: [scriptedTool({ name: 'pay', result: 'paid' })],
      pipeline: createPipeline([permission({ ask: ['pay'] }, { ask }), otel(providersOf(sdk))]),
    });
    await agent.call('go', { signal: abort.signal });
    const [point] = await valuesOf(sdk, 'hookline.approvals.pending');
    expect(point?.value).to.equal(0);
  });
});

describe('otel: the log', () => {
  it('has a record of each failed model request, redacted, in the context of its span', async () => {
    const sdk = memorySdk();
    const records: Record<string, unknown>[] = [];
    const loggers: string[] = [];
    const loggerProvider = {
      getLogger(name: string) {
        loggers.push(name);
        return { emit: (record: object) => void records.push({ ...record }) };
      },
    };
    const key = `AKIA${'Z7QWMX4T2NB5RKLD'}`;
    const model: Model = () => throwError(() => new TypeError(`refused ${key}`));
    const pipeline = createPipeline([otel({ ...providersOf(sdk), loggerProvider, provider: 'openai' })], {
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    await createAgent({ name: 'main', model, pipeline }).call('go');
    expect(loggers).to.deep.equal(['hookline']);
    expect(records).to.have.lengthOf(1);
    const [{ attributes, context, ...record }] = records as [Record<string, Record<string, string>>];
    expect(record).to.deep.equal({
      eventName: 'gen_ai.client.operation.exception',
      severityNumber: 13,
      severityText: 'WARN',
    });
    expect(attributes).to.include({ 'exception.type': 'TypeError', 'gen_ai.provider.name': 'openai' });
    expect(attributes?.['exception.message']).to.include('refused').and.not.include(key);
    expect(attributes?.['exception.stacktrace']).to.be.a('string').and.not.include(key);
    expect(context).to.not.equal(undefined);
  });
});
