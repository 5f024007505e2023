import { createMcpProxy } from '../../../lib/adapters/mcp/index.ts';
import { createPipeline, defineHook, type HookDefinition, modify, verdict } from '../../../lib/index.ts';

// A proxy over the stdio of this process: `proxy-of.ts HOOKS SERVER..`.
const clean = (text: string) => text.replaceAll(process.env['SECRET'] as string, '***');
const hooks: Record<string, readonly HookDefinition[]> = {
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
const [, , which = 'none', ...command] = process.argv;
const pipeline = createPipeline((hooks[which] ?? []).map((hook) => defineHook(hook)));
void createMcpProxy({ pipeline })
  .stdio({ command })
  .then(() => process.exit(0));
