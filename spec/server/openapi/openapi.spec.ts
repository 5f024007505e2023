import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { runRoutes } from '../../../lib/server/runs/run-routes.ts';
import { type Api, anApi } from '../api.ts';
import { aHouse } from '../runs/a-house.ts';
import { framesOf } from '../sse-frames.ts';

type Document = Record<string, never> & { readonly components: { readonly schemas: Record<string, object> } };

describe('the OpenAPI document', () => {
  let api: Api;
  let document: Document;
  const house = aHouse();
  before(async () => {
    api = await anApi({}, { extra: [runRoutes(house.runs)] });
    document = (await api.ask('GET', '/api/openapi.json')).json;
  });
  after(() => api.close());

  /** Validates a value against a schema of the document. */
  const issue = (schema: object, value: unknown): string | undefined => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const whole = { ...schema, components: document.components };
    return ajv.validate(whole, value) ? undefined : ajv.errorsText();
  };

  it('passes a standard OpenAPI validator', async () => {
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors).to.equal(undefined);
    expect(validator.version).to.equal('3.1');
  });

  it('defines exactly the names that it refers to', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).to.include.members(['Problem', 'Json', 'RunEvent', 'HookState', 'Winner']);
    for (const name of names) expect(name).to.match(/^[A-Z][A-Za-z]+\d?$/);
    const text = JSON.stringify(document);
    for (const [, ref] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) expect(names).to.include(ref);
    expect(text).not.to.include('$defs');
  });

  it('has no schema that refers directly to itself, because such types do not compile', () => {
    const { schemas } = document.components;
    const refsIn = (schema: object) => {
      const outside = JSON.stringify(schema, (key, value) => (key === 'properties' ? undefined : value));
      return [...outside.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name as string);
    };
    const reaches = (from: string, seen = new Set<string>()): Set<string> => {
      for (const name of refsIn(schemas[from]!)) if (!seen.has(name)) reaches(name, seen.add(name));
      return seen;
    };
    for (const name of Object.keys(schemas)) expect([...reaches(name)], name).not.to.include(name);
    expect(schemas['Json']).to.deep.equal({ description: 'Any JSON value.' });
  });

  it('matches every 422 response', async () => {
    const schema = { $ref: '#/components/schemas/Problem' };
    for (const [method, path, body] of [
      ['POST', '/api/hooks/config', { hooks: { a: { type: 'audti-log' } } }],
      ['POST', '/api/hooks/config', '{'],
      ['POST', '/api/hooks/explain', { tol: 1 }],
      ['POST', '/api/hooks/rollback', { revision: 'x' }],
      ['GET', '/api/hooks/config?scop=x', undefined],
      ['GET', '/api/runs?limit=0', undefined],
      ['POST', '/api/runs', { promt: 'x' }],
      ['POST', '/api/approvals/x', { action: 'maybe' }],
      ['POST', '/api/hooks/config', { hooks: { a: { type: 'security-scan', options: { known: Array(99).fill(1) } } } }],
    ] as const) {
      const { status, json } = await api.ask(method, path, { body });
      if (status === 404) continue;
      expect(status, path).to.equal(422);
      expect(issue(schema, json), `${path} ${JSON.stringify(json).slice(0, 300)}`).to.equal(undefined);
    }
    expect(issue(schema, { error: { code: 'x' } }), 'a problem without a message').to.be.a('string');
  });

  it('matches the events of a stream', async () => {
    const { json: run } = await house.post('/api/runs', { prompt: 'hi' });
    const frames = framesOf((await house.get(`/api/runs/${run.runId}/events`)).text);
    expect(frames.length).to.be.greaterThan(4);
    for (const { event, data } of frames)
      expect(issue({ $ref: '#/components/schemas/RunEvent' }, data), event).to.equal(undefined);
    expect(issue({ $ref: '#/components/schemas/RunEvent' }, { type: 'nothing' })).to.be.a('string');
  });
});
