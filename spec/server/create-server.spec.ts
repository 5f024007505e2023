import { expect } from 'chai';
import { HooklineError } from 'hookline';
import { defineRoute, routeGroup } from 'hookline/server';
import { z } from 'zod';
import { type Api, anApi } from './api.ts';

describe('createServer', () => {
  let api: Api;
  afterEach(() => api?.close());

  const route = (handle: () => Response, path = '/api/own') =>
    routeGroup([defineRoute({ method: 'GET', path, right: 'run', summary: 'Own.', responses: {}, handle })], undefined);

  it('returns 404 for unknown paths, and the allowed methods for known ones', async () => {
    api = await anApi();
    const nothing = await api.ask('GET', '/api/hooks');
    expect(nothing).to.deep.include({
      status: 404,
      json: { error: { code: 'HTTP_404', message: 'There is no /api/hooks. /api/openapi.json lists all paths.' } },
    });
    const other = await api.ask('DELETE', '/api/hooks/config');
    expect(other).to.include({ status: 405 });
    expect(other.headers.get('allow')).to.equal('GET, HEAD, POST');
    expect(other.json.error.message).to.equal('/api/hooks/config does not support DELETE. Use GET, HEAD, POST.');
    expect((await api.ask('GET', '/api/hooks/x/switch')).headers.get('allow')).to.equal('POST');
    // A parameter is not empty.
    expect(await api.ask('GET', '/api/hooks//switch')).to.include({ status: 404 });
  });

  it('answers HEAD like GET, without the body', async () => {
    api = await anApi();
    const head = await api.ask('HEAD', '/api/hooks/config');
    expect(head).to.include({ status: 200, text: '' });
    expect(head.headers.get('etag')).to.equal('"0"');
  });

  it('mounts further routes with the same rules', async () => {
    api = await anApi({}, { extra: [route(() => new Response('{"own":true}'))] });
    expect(await api.ask('GET', '/api/own')).to.deep.include({ status: 200, json: { own: true } });
    expect(await api.ask('GET', '/api/own', { token: null })).to.include({ status: 401 });
    expect(await api.ask('GET', '/api/own', { token: await api.token('bob', ['read']) })).to.include({ status: 403 });
    expect(await api.ask('GET', '/api/own', { headers: { origin: 'http://evil.example' } })).to.include({
      status: 403,
    });
  });

  it('logs internal errors and hides them from clients', async () => {
    const logged: object[] = [];
    const log = { error: (entry: object) => logged.push(entry) } as never;
    const own = new Error('disk /secret/place is full');
    const store = new HooklineError('STORE_FAILED', 'The store in "/secret/place" is full.');
    const raise = (error: Error) => () => {
      throw error;
    };
    api = await anApi({}, { log, extra: [route(raise(own)), route(raise(store), '/api/store')] });
    const answers = [await api.ask('GET', '/api/own'), await api.ask('GET', '/api/store')];
    expect(answers.map(({ status, json }) => [status, json.error.code])).to.deep.equal([
      [500, 'HTTP_500'],
      [503, 'STORE_FAILED'],
    ]);
    for (const { text } of answers) expect(text).not.to.include('secret');
    expect(logged).to.deep.equal([
      { err: own, method: 'GET', path: '/api/own' },
      { err: store, method: 'GET', path: '/api/store' },
    ]);
  });
});

describe('OpenAPI document of the server', () => {
  let api: Api;
  afterEach(() => api?.close());

  const extra = [
    routeGroup(
      [
        defineRoute({
          method: 'PATCH',
          path: '/api/things/:id/parts/:part',
          right: 'run',
          summary: 'Own.',
          body: z.strictObject({ value: z.json() }),
          query: z.strictObject({ all: z.enum(['yes']), some: z.string().optional() }),
          responses: { 200: { description: 'Text.', contentType: 'text/event-stream' }, 204: { description: 'None.' } },
          handle: ({ c }) => c.body(null, 204),
        }),
      ],
      undefined,
    ),
  ];

  it('contains every route with its right, parameters, body and responses', async () => {
    api = await anApi({}, { extra, version: '1.2.3' });
    const { json } = await api.ask('GET', '/api/openapi.json', { token: await api.token('bob', []) });
    expect(json).to.deep.include({ openapi: '3.1.0', info: { title: 'Hookline', version: '1.2.3' } });
    const operations = Object.entries<object>(json.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(operations).to.have.members(api.server.routes.map(({ method, path }) => `${method} ${path}`));
    expect(operations).to.include.members(['GET /api/openapi.json', 'PATCH /api/things/:id/parts/:part']);
    for (const { method, path, body, right, responses } of api.server.routes) {
      const operation = json.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      expect(operation['x-right']).to.equal(right);
      expect(Object.keys(operation.responses)).to.have.members([...Object.keys(responses), 'default']);
      expect('requestBody' in operation).to.equal(body !== undefined);
    }
    const own = json.paths['/api/things/{id}/parts/{part}'].patch;
    expect(
      own.parameters.map((one: { in: string; name: string; required: boolean }) => [one.in, one.name, one.required]),
    ).to.deep.equal([
      ['path', 'id', true],
      ['path', 'part', true],
      ['query', 'all', true],
      ['query', 'some', false],
    ]);
    expect(own.responses[200].content).to.have.all.keys('text/event-stream');
    expect(own.responses[204]).to.deep.equal({ description: 'None.' });
  });

  it('is well-formed: references resolve, operation IDs are unique, parameters are in their paths', async () => {
    api = await anApi({}, { extra });
    const { json, text } = await api.ask('GET', '/api/openapi.json');
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => String(path).split('/'));
    expect(references.length).to.be.greaterThan(api.server.routes.length);
    for (const path of references) {
      const target = path.reduce((holder, name) => holder?.[name], json);
      expect(target, path.join('/')).to.be.an('object');
    }
    expect(text).not.to.include('"$schema"').and.not.include('"$defs"');
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).to.equal(api.server.routes.length);
    for (const [path, methods] of Object.entries<Record<string, { parameters: { in: string; name: string }[] }>>(
      json.paths,
    ))
      for (const { parameters } of Object.values(methods)) {
        const named = parameters.flatMap((one) => (one.in === 'path' ? [one.name] : []));
        expect(named).to.deep.equal([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      }
  });
});
