// One hook asks a small model about what the user says; another goes to that model when the large one fails.
import { abort, createAgent, createPipeline, defineHook, defineTool, textOf } from 'hookline';
import { scriptedModel } from 'hookline/testing';
import { catchError, map, throwError } from 'rxjs';
import { z } from 'zod';

const small = scriptedModel(['yes', { toolCalls: [{ name: 'score', input: {} }] }, '2 to 1.', 'no']);

const judge = defineHook({
  name: 'judge',
  on: {
    preCall: (event, context) => {
      const messages = [`Is this about sports? ${textOf(event.messages[0])}`];
      const refuse = () => abort(event, 'card 4111 is not about sports');
      const reply$ = context.ask({ messages }, { model: 'small' });
      return reply$.pipe(map(({ message }) => (textOf(message) === 'yes' ? event : refuse())));
    },
  },
  redact: (text) => text.replaceAll(/\d{4}/g, '****'),
});

const fallback = defineHook({
  name: 'fallback',
  around: {
    reasoning: (_event, next) => next().pipe(catchError(() => next({}, small))),
  },
});

const score = defineTool({
  name: 'score',
  description: 'Looks up the score, and counts who asks.',
  inputSchema: z.object({}),
  permission: 'write',
  parallel: true, // its calls may run beside others
  execute: () => '2:1',
});

const agent = createAgent({
  name: 'reporter',
  model: () => throwError(() => new Error('overloaded')),
  tools: [score],
  pipeline: createPipeline([judge, fallback], { models: { small } }),
});

agent.call('Who won?').then(async (won) => {
  console.log(won.outcome, textOf(won.message));
  const { outcome, reason } = await agent.call('What is 4111?');
  console.log(outcome, reason);
});
