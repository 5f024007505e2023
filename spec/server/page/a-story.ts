import {
  type Agent,
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  HookPriority,
  type Message,
  type Model,
  memoryTranscript,
  modify,
  type Pipeline,
  type TranscriptStore,
  textMessage,
  textOf,
  verdict,
} from 'hookline';
import { createInbox, type Inbox, permission, securityScan } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { z } from 'zod';

type Turns = Parameters<typeof scriptedModel>[0];

/** The replies of the story's model, by user message. */
export const scripts: Readonly<Record<string, Turns>> = {
  'Write the release notes and put them online.': [
    {
      thinking: 'The changelog has what changed. I should read it first, and see who uses it.',
      chunks: ['I will read ', 'the changelog ', 'and look ', 'at who uses it.'],
      toolCalls: [
        { name: 'read_file', input: { path: 'docs/../CHANGELOG', lines: 200 } },
        { name: 'search', input: { query: 'breaking change', in: ['docs', 'lib'] } },
        { name: 'researcher', input: { prompt: 'Who uses the package?' } },
      ],
      usage: { inputTokens: 1_840, outputTokens: 96 },
    },
    {
      chunks: [
        'The notes are written. ',
        'The token is ',
        'correct-horse',
        '-battery',
        ', I will use it ',
        'to put them online.',
      ],
      toolCalls: [{ name: 'deploy', input: { command: './deploy.sh --force', site: 'docs' } }],
      usage: { inputTokens: 2_410, outputTokens: 120 },
    },
    {
      chunks:
        'The release notes are ready, but I may not put them online with force. Shall I try it without, or do you want to look at them first?'.split(
          /(?<= )/,
        ),
      usage: { inputTokens: 2_655, outputTokens: 61 },
    },
  ],
  'Who uses the package?': [
    {
      chunks: ['Some forty ', 'projects, ', 'most of them ', 'for approvals.'],
      usage: { inputTokens: 210, outputTokens: 20 },
    },
  ],
  'Pay the invoice of the printer.': [
    { text: 'I will pay it.', toolCalls: [{ name: 'pay', input: { to: 'Printer & Sons', amount: 120 } }] },
    { text: 'The invoice is settled.' },
  ],
  'Watch the queue.': [
    { text: 'I am watching.', toolCalls: [{ name: 'watch', input: { queue: 'orders' } }] },
    { text: 'Done.' },
  ],
  'Order paper for the printer.': [
    { text: 'I will order it.', toolCalls: [{ name: 'order', input: { what: 'paper', sheets: 500 } }] },
    { text: 'It comes on Monday.' },
  ],
  'Ask the model that is down.': [{ error: { name: 'Overloaded', message: 'The model is overloaded.' } }],
};

/** Creates a model that finds its place in a script from the request, so that it also continues after a resume. */
export function storyModel(delayMs: number, more: Readonly<Record<string, Turns>> = {}): Model {
  return (request, context) => {
    const asked = request.messages.findLastIndex(({ role, origin }) => role === 'user' && origin === undefined);
    const turns = { ...scripts, ...more }[textOf(request.messages[asked])] ?? ['I have no script for this.'];
    const place = request.messages.slice(asked).filter(({ role }) => role === 'assistant').length;
    return scriptedModel([turns[place] ?? 'That is all.'], { delayMs })(request, context);
  };
}

const NOTE: Message = { ...textMessage('system', 'The company writes in short sentences.'), origin: 'house-style' };

/** Hooks with one effect each that the page shows. */
export const storyHooks = (inbox: Inbox = createInbox()) => [
  permission({ ask: ['order'], default: 'allow', askBy: 'inbox' }, { inbox }),
  securityScan({
    name: 'secrets',
    known: [{ label: 'deploy-token', value: ['correct', 'horse', 'battery'].join('-') }],
  }),
  defineHook({
    name: 'path-jail',
    description: 'Keeps paths inside the workspace.',
    priority: HookPriority.VALIDATION,
    match: { tools: ['read_file'] },
    on: {
      preActing: (event) => {
        const toolCall = { ...event.toolCall, input: { ...event.toolCall.input, path: 'CHANGELOG.md' } };
        return modify(event, { toolCall }, { note: { code: 'moved', message: 'the path led outside' } });
      },
    },
  }),
  defineHook({
    name: 'house-style',
    description: 'Tells the model how the company writes.',
    priority: HookPriority.PREPROCESSING,
    on: { preReasoning: (event) => modify(event, { messages: [NOTE, ...event.messages] }) },
  }),
  defineHook({
    name: 'currency',
    match: { tools: ['pay'] },
    on: {
      preActing: (event) =>
        'currency' in event.toolCall.input
          ? undefined
          : modify(event, { toolCall: { ...event.toolCall, input: { ...event.toolCall.input, currency: 'EUR' } } }),
    },
  }),
  defineHook({
    name: 'no-force',
    description: 'Nothing is ever done with --force.',
    match: { tools: ['deploy'] },
    approve: ({ toolCall }) =>
      String(toolCall.input['command']).includes('--force') ? verdict.deny('never with --force') : verdict.allow(),
  }),
  defineHook({
    name: 'danger-gate',
    match: { tools: ['pay'] },
    approve: () => verdict.suspend('Really pay this?'),
  }),
  defineHook({
    name: 'short-results',
    priority: HookPriority.POSTPROCESSING,
    on: {
      postActing: (event) =>
        event.result.content.length > 120
          ? modify(event, { result: { ...event.result, content: `${event.result.content.slice(0, 100)} […]` } })
          : undefined,
    },
  }),
];

/** Creates the pipeline of the story, with the changes of hooks in its trace. */
export const storyPipeline = (more: readonly Hook[] = [], inbox?: Inbox): Pipeline =>
  createPipeline([...storyHooks(inbox), ...more], { trace: { values: (text) => text } });

/** Creates the tool of the story with a strict input. */
export const orderTool = (delayMs = 0) =>
  scriptedTool({
    name: 'order',
    permission: 'external',
    inputSchema: z.strictObject({ what: z.string(), sheets: z.number().int() }),
    result: 'ordered',
    delayMs,
  });

/** The parts of the story's agent. */
export interface StoryPlan {
  readonly delayMs?: number;
  readonly pipeline?: Pipeline;
  readonly inbox?: Inbox;
  readonly transcript?: TranscriptStore;
  readonly scripts?: Readonly<Record<string, Turns>>;
}

/** Creates an agent with tools, hooks and a sub-agent, which follows the scripts. */
export function storyAgent({
  delayMs = 0,
  inbox,
  pipeline = storyPipeline([], inbox),
  transcript = memoryTranscript(),
  ...more
}: StoryPlan = {}): Agent {
  const model = storyModel(delayMs, more.scripts);
  const tool = (name: string, result: string, rest: object = {}) => scriptedTool({ name, result, delayMs, ...rest });
  const researcher = createAgent({ name: 'researcher', model, pipeline, transcript: memoryTranscript() });
  return createAgent({
    name: 'writer',
    model,
    pipeline,
    transcript,
    tools: [
      tool('read_file', `# Changelog\n\n${'- A change that somebody has waited for.\n'.repeat(8)}`, {
        permission: 'read',
      }),
      tool('search', 'docs/guide.md:12: breaking change', {
        permission: 'read',
        chunks: ['docs …', 'lib …', '1 found'],
      }),
      tool('deploy', 'online', { permission: 'external' }),
      orderTool(delayMs),
      tool('pay', 'paid', { permission: 'external' }),
      tool('watch', 'empty', {
        permission: 'read',
        never: true,
        result: undefined,
        chunks: ['3 orders', '5 orders', '4 orders'],
      }),
      agentTool(researcher, { name: 'researcher', description: 'Finds things out.' }),
    ],
  });
}
