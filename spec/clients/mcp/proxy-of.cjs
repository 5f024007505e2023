'use strict';

// A proxy over the stdio of this process: `proxy-of.cjs FOLDER HOOKS SERVER..`. FOLDER has the package, built or as source.
const { join } = require('node:path');
const [, , folder, which, ...command] = process.argv;
const { createMcpProxy } = require(join(folder, 'adapters/mcp/index'));
const { createPipeline, defineHook, modify, verdict } = require(join(folder, 'index'));

const clean = (text) => text.replaceAll(process.env.SECRET, '***');
const hooks = {
  none: [],
  deny: [{ name: 'deny', approve: () => verdict.deny('no') }],
  ask: [{ name: 'ask', approve: () => verdict.suspend('May it?') }],
  redact: [
    {
      name: 'redact',
      redact: clean,
      on: {
        postActing: (event) => modify(event, { result: { ...event.result, content: clean(event.result.content) } }),
        actingChunk: (event) => modify(event, { content: clean(event.content) }),
      },
    },
  ],
};
const pipeline = createPipeline(hooks[which].map((hook) => defineHook(hook)));
void createMcpProxy({ pipeline })
  .stdio({ command })
  .then(() => process.exit(0));
