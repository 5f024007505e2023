import { expect } from 'chai';
import { lastValueFrom, Observable, toArray } from 'rxjs';
import { otel } from '../../lib/hooks/otel/index.ts';
import { abort, createPipeline, defineHook, finish, type Hook, type ModelChunk } from '../../lib/index.ts';
import { memorySdk, misuses, withContextManager } from './exported.ts';

const stops: Record<string, NonNullable<Hook['on']>> = {
  aborted: { reasoningChunk: (event) => abort(event, 'enough') },
  finished: { reasoningChunk: (event) => finish(event) },
};

describe('otel: a model request that fails after a hook has ended it', () => {
  withContextManager();
  const misused = misuses();

  for (const [how, on] of Object.entries(stops))
    it(`changes no ended span: ${how}`, async () => {
      const sdk = memorySdk();
      const { tracerProvider, meterProvider } = sdk;
      const telemetry = otel({ tracerProvider, meterProvider, redact: false, hooks: 'off' });
      const model = () =>
        new Observable<ModelChunk>((subscriber) => {
          subscriber.next({ type: 'text', delta: 'Hello', block: 0 });
          subscriber.error(new Error('connection lost'));
        });
      const run = createPipeline([telemetry, defineHook({ name: 'stop', on })]).start({ agent: 'chat' });
      await lastValueFrom(run.reason({ messages: [] }, model).pipe(toArray()));
      expect(misused.splice(0)).to.deep.equal([]);
      expect(sdk.names()).to.deep.equal(['chat']);
      expect(sdk.open.size).to.equal(0);
    });
});
