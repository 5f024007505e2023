// What the conformance suites ask of a server, on SDK v2 without its helpers: `node fixture-server.cjs` prints its port.
const { createHmac, randomBytes } = require('node:crypto');
const { Server, ProtocolError } = require('@modelcontextprotocol/server');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const text = (said) => ({ type: 'text', text: said });
const result = (...content) => ({ content });
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const string = { type: 'string' };
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri, mimeType, said) => ({ type: 'resource', resource: { uri, mimeType, text: said } });

const elicit = (message, requestedSchema) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema },
});
const sample = (prompt, maxTokens = 100) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(prompt) }], maxTokens },
});
const name = elicit('What is your name?', object({ name: string }));
const roots = { method: 'roots/list', params: {} };

const key = randomBytes(32);
const sign = (state) => `${state}.${createHmac('sha256', key).update(state).digest('hex')}`;
const opened = (signed = '') => {
  const state = signed.slice(0, signed.lastIndexOf('.'));
  if (sign(state) === signed) return state;
  throw new ProtocolError(-32602, 'The requestState was changed.');
};
const needs = (inputRequests, state) => ({
  resultType: 'input_required',
  inputRequests,
  ...(state && { requestState: sign(state) }),
});

const DEFAULTS = object(
  {
    name: { ...string, default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  [],
);
const titled = (titles) => Object.entries(titles).map(([value, title]) => ({ const: value, title }));
const options = ['option1', 'option2', 'option3'];
const titles = titled({ value1: 'First Option', value2: 'Second Option', value3: 'Third Option' });
const ENUMS = object(
  {
    untitledSingle: { ...string, enum: options },
    titledSingle: { ...string, oneOf: titles },
    legacyEnum: { ...string, enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { ...string, enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titles } },
  },
  [],
);
const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: string, city: string } } },
  properties: { name: string, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};

/** `ask` asks the client while the call goes on; `answers` and `state` came with the call. */
const asking =
  (request) =>
  async (_, { ask }) => {
    const { action, content } = await ask(request);
    return result(text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`));
  };
const tools = {
  test_simple_text: () => result(text('This is a simple text response for testing.')),
  test_image_content: () => result(image),
  test_audio_content: () => result({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  test_embedded_resource: () =>
    result(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  test_multiple_content_types: () =>
    result(
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data"}'),
    ),
  async test_tool_with_logging(_, { log }) {
    for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await log(said);
      await wait(50);
    }
    return result(text('logged'));
  },
  test_error_handling: () => ({
    ...result(text('This tool intentionally returns an error for testing')),
    isError: true,
  }),
  async test_tool_with_progress(_, { progress }) {
    for (const done of [0, 50, 100]) {
      await progress(done);
      await wait(50);
    }
    return result(text('done'));
  },
  async test_sampling({ prompt }, { ask }) {
    return result(text(`LLM response: ${(await ask(sample(prompt))).content.text}`));
  },
  test_elicitation: ({ message }, context) =>
    asking(elicit(message, object({ username: string, email: string })))({}, context),
  test_elicitation_sep1034_defaults: asking(elicit('All have defaults', DEFAULTS)),
  test_elicitation_sep1330_enums: asking(elicit('Choose', ENUMS)),
  async test_reconnection(_, { cut }) {
    cut();
    await wait(100);
    return result(text('Reconnected.'));
  },
  json_schema_2020_12_tool: () => result(text('ok')),
  test_missing_capability(_, { can }) {
    if (can.sampling) return result(text('ok'));
    throw new ProtocolError(-32021, 'Sampling is needed.', { requiredCapabilities: { sampling: {} } });
  },
  test_logging_tool: async (_, { log }) => {
    await log('said');
    return result(text('logged'));
  },
  test_input_required_result_elicitation: (_, { answers }) =>
    typeof answers.user_name?.content?.name === 'string'
      ? result(text(`Hello, ${answers.user_name.content.name}!`))
      : needs({ user_name: name }),
  test_input_required_result_sampling: (_, { answers }) =>
    answers.capital_question
      ? result(text(answers.capital_question.content.text))
      : needs({ capital_question: sample('What is the capital of France?') }),
  test_input_required_result_list_roots: (_, { answers }) =>
    answers.client_roots ? result(text(JSON.stringify(answers.client_roots.roots))) : needs({ client_roots: roots }),
  test_input_required_result_request_state: (_, { answers, state }) =>
    answers.confirm && opened(state)
      ? result(text('state-ok'))
      : needs({ confirm: elicit('Please confirm', object({ ok: { type: 'boolean' } })) }, 'a'),
  test_input_required_result_multiple_inputs: (_, { answers, state }) =>
    answers.user_name && answers.greeting && answers.client_roots && opened(state)
      ? result(text('all there'))
      : needs({ user_name: name, greeting: sample('Generate a greeting', 50), client_roots: roots }, 'b'),
  test_input_required_result_multi_round(_, { answers, state }) {
    if (state === undefined)
      return needs({ step1: elicit('Step 1: What is your name?', object({ name: string })) }, '1');
    if (opened(state) === '1' && answers.step1)
      return needs({ step2: elicit('Step 2: What is your favorite color?', object({ color: string })) }, '2');
    return result(text('all rounds'));
  },
  test_input_required_result_tampered_state: (_, { state }) =>
    state === undefined
      ? needs({ confirm: elicit('Please confirm', object({ ok: { type: 'boolean' } })) }, 'c')
      : result(text(opened(state))),
  test_input_required_result_capabilities: (_, { answers, can }) =>
    Object.keys(answers).length > 0
      ? result(text('ok'))
      : needs({ ...(can.sampling && { greeting: sample('Hello') }), ...(can.elicitation && { user_name: name }) }, 'd'),
};
const inputs = {
  test_sampling: object({ prompt: string }),
  test_elicitation: object({ message: string }),
  json_schema_2020_12_tool: SCHEMA_2020,
};

const message = (content) => ({ role: 'user', content });
const prompts = {
  test_simple_prompt: () => [message(text('This is a simple prompt for testing.'))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    message(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    message(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
    message(text('Please process the embedded resource above.')),
  ],
  test_prompt_with_image: () => [message(image), message(text('Please analyze the image above.'))],
  test_input_required_result_prompt: () => [message(text('with context'))],
};
const parameters = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};
const resources = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'watched' },
};
const cached = (listed) => ({ ...listed, ttlMs: 1_000, cacheScope: 'private' });

function build() {
  const server = new Server(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: {},
        resources: { subscribe: true },
        logging: {},
        completions: {},
      },
    },
  );
  server.setRequestHandler('tools/list', () =>
    cached({
      tools: Object.keys(tools).map((one) => ({
        name: one,
        description: one,
        inputSchema: inputs[one] ?? { type: 'object' },
      })),
    }),
  );
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq, http }) => {
    const tool = tools[params.name];
    if (!tool) throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
    const token = params._meta?.progressToken;
    const at = typeof mcpReq.requestState === 'function' ? mcpReq.requestState() : mcpReq.requestState;
    return tool(params.arguments ?? {}, {
      ask: (request) => mcpReq.send(request),
      log: (data) => mcpReq.log('info', data),
      progress: (done) =>
        token !== undefined &&
        mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress: done, total: 100 },
        }),
      cut: () => http?.closeSSE?.(),
      answers: mcpReq.inputResponses ?? {},
      state: at ?? params.requestState,
      can: (mcpReq.envelope ?? params._meta)?.[CAPABILITIES] ?? {},
    });
  });
  server.setRequestHandler('prompts/list', () =>
    cached({
      prompts: Object.keys(prompts).map((one) => ({
        name: one,
        description: one,
        arguments: (parameters[one] ?? []).map((parameter) => ({ name: parameter, required: true })),
      })),
    }),
  );
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => {
    const prompt = prompts[params.name];
    if (!prompt) throw new ProtocolError(-32602, `Unknown prompt: ${params.name}`);
    if (params.name === 'test_input_required_result_prompt' && !mcpReq.inputResponses?.user_context)
      return needs({ user_context: elicit('What context should the prompt use?', object({ context: string })) });
    return { messages: prompt(params.arguments ?? {}) };
  });
  server.setRequestHandler('resources/list', () =>
    cached({
      resources: Object.entries(resources).map(([uri, { mimeType }]) => ({
        uri,
        name: uri,
        description: uri,
        mimeType,
      })),
    }),
  );
  server.setRequestHandler('resources/templates/list', () =>
    cached({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'data', mimeType: 'application/json' }],
    }),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/(.*)\/data$/.exec(uri)?.[1];
    const held = id === undefined ? resources[uri] : { mimeType: 'application/json', text: JSON.stringify({ id }) };
    if (!held) throw new ProtocolError(-32602, 'Resource not found', { uri });
    return cached({ contents: [{ uri, ...held }] });
  });
  for (const method of ['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'])
    server.setRequestHandler(method, () => ({}));
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }));
  return server;
}

/** What was sent on each stream, so that it can be taken up again. */
function eventStore() {
  const events = [];
  return {
    async storeEvent(streamId, sent) {
      events.push({ streamId, sent });
      return String(events.length);
    },
    async replayEventsAfter(lastId, { send }) {
      const { streamId } = events[Number(lastId) - 1];
      for (const [index, event] of events.entries())
        if (index >= Number(lastId) && event.streamId === streamId && event.sent.jsonrpc)
          await send(String(index + 1), event.sent);
      return streamId;
    },
  };
}

require('../serve-http.cjs')(build, true, () => ({ eventStore: eventStore(), retryInterval: 50 }));
