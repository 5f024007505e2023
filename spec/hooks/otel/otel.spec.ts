import { writeFileSync } from 'node:fs';
import * as Module from 'node:module';
import { join } from 'node:path';
import { context, trace } from '@opentelemetry/api';
import { AlwaysOffSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import { parse } from 'yaml';
import { createLiveHooks } from '../../../lib/config/index.ts';
import { builtIns, createCatalogue } from '../../../lib/hooks/index.ts';
import { otel } from '../../../lib/hooks/otel/otel.ts';
import { createAgent, createPipeline, defineTool, type Model } from '../../../lib/index.ts';
import { hookContract, scriptedModel } from '../../../lib/testing/index.ts';
import { folder, hookline } from '../../cli/hookline.ts';
import { memorySdk, withContextManager } from '../../otel/exported.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('otel', () => {
  it('keeps the contract of hooks', async () => {
    const { issues } = await hookContract(otel({ tracerProvider: memorySdk().tracerProvider }));
    expect(issues).to.deep.equal([]);
  });

  it('names the package to install if it is missing', () => {
    const loader = (Module as unknown as { default: { _load: (name: string, ...more: unknown[]) => unknown } }).default;
    const { _load: load } = loader;
    loader._load = (name, ...more) => {
      if (name === '@opentelemetry/api') throw new Error('Cannot find module');
      return load.call(loader, name, ...more);
    };
    try {
      expect(() => otel())
        .to.throw('The hook "otel" needs the package @opentelemetry/api. Run: npm install @opentelemetry/api.')
        .with.property('code', 'OPTIONS_INVALID');
    } finally {
      loader._load = load;
    }
  });

  it('rejects options with their paths', () => {
    expect(() => otel({ semconv: 'v9' as never, tracerProvider: {} as never, slow: 1 } as never))
      .to.throw(/semconv: .*\n.*tracerProvider: must be a TracerProvider/)
      .with.property('code', 'OPTIONS_INVALID');
  });

  it('costs nothing without an SDK, and changes nothing', async () => {
    const hook = createCatalogue(builtIns).create('otel');
    const agent = createAgent({ name: 'a', model: scriptedModel(['hello']), pipeline: createPipeline([hook]) });
    const { outcome, notes } = await agent.call('go');
    expect(outcome).to.equal('completed');
    expect(notes).to.equal(undefined);
  });

  describe('in a run that is sampled out', () => {
    withContextManager();

    it('keeps the context of the run for requests of models and tools', async () => {
      const seen: (string | undefined)[] = [];
      const look = () => {
        const { traceId, traceFlags } = trace.getSpanContext(context.active()) ?? {};
        seen.push(`${traceId?.length} ${traceFlags}`);
      };
      const tool = defineTool({
        name: 'look',
        description: '',
        inputSchema: { type: 'object' },
        execute: async () => {
          await null;
          look();
          return 'seen';
        },
      });
      const model: Model = async function* ({ messages }) {
        look();
        if (messages.length === 1) yield { type: 'toolCall', toolCall: { id: 'c', name: 'look', input: {} } };
        else yield { type: 'text', delta: 'done' };
      };
      const tracerProvider = new BasicTracerProvider({ sampler: new AlwaysOffSampler() });
      const pipeline = createPipeline([otel({ tracerProvider })]);
      await createAgent({ name: 'a', model, tools: [tool], pipeline }).call('go');
      expect(seen).to.deep.equal(['32 0', '32 0', '32 0']);
    });
  });

  describe('in a file', () => {
    const written = 'hooks:\n  traces:\n    type: otel\n    options: { provider: openai, slowMs: 50 }\n';

    it('emits with the SDK of the application', async () => {
      const sdk = memorySdk();
      const file = join(tempFolder('otel'), 'hookline.yaml');
      writeFileSync(file, written);
      const live = await createLiveHooks({ files: [file] });
      // The SDK may come after the hook.
      trace.setGlobalTracerProvider(sdk.tracerProvider);
      try {
        const lease = await live.lease();
        const agent = createAgent({
          name: 'a',
          model: scriptedModel(['hello']),
          pipeline: lease.pipeline,
        });
        await agent.call('go');
        lease.release();
        expect(sdk.tree()).to.deep.equal([{ 'invoke_agent a': ['chat scripted'] }]);
        expect(sdk.span('chat scripted').attributes['gen_ai.provider.name']).to.equal('openai');
      } finally {
        trace.disable();
        await live.close();
      }
    });

    it('is checked, listed, explained and in the schema', async () => {
      const cwd = folder({ 'hookline.yaml': written });
      const check = await hookline(['check', 'hookline.yaml'], { cwd });
      expect(check.code, check.stdout + check.stderr).to.equal(0);
      const listed = await hookline(['list', '--available', 'otel'], { cwd });
      const [, example = ''] = listed.stdout.split('example:\n');
      expect(parse(example)).to.have.nested.property('hooks.otel.type', 'otel');
      expect(listed.stdout).to.match(/llmSpans .*\(emit \| defer; default: "emit"\)/);
      const explained = await hookline(['explain', 'rm', '--config', 'hookline.yaml'], { cwd });
      expect(explained.stdout).not.to.match(/denied/);
      const schema = await hookline(['schema'], { cwd });
      expect(schema.stdout).to.include('"otel"');
    });

    it('is rejected with an unknown option and the probable name', async () => {
      const cwd = folder({ 'hookline.yaml': written.replace('slowMs', 'slowMS') });
      const { code, stdout, stderr } = await hookline(['check', 'hookline.yaml'], { cwd });
      expect(code).not.to.equal(0);
      expect(stdout + stderr)
        .to.match(/slowMS/)
        .and.match(/slowMs/);
    });
  });
});
