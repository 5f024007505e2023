// The two phases that every loop is built of, composed by hand: reason, act, until there is nothing left to act on.
import { createPipeline, defineTool, describeTool, type HookEvent, toolCallsOf, userMessage } from 'hookline';
import { describeEvent, scriptedModel } from 'hookline/testing';
import { lastValueFrom, type Observable, tap } from 'rxjs';
import { z } from 'zod';

const dice = defineTool({
  name: 'dice',
  description: 'Rolls a die.',
  inputSchema: z.object({}),
  permission: 'read',
  execute: () => '4',
});
const model = scriptedModel([
  {
    toolCalls: [
      { name: 'dice', input: {} },
      { name: 'dice', input: {} },
    ],
  },
  { text: 'A four, and another four.' },
]);

/** Prints the events of a phase and gives the last one. */
const play = <E extends HookEvent>(phase$: Observable<E>): Promise<E> =>
  lastValueFrom(phase$.pipe(tap((event) => console.log(describeEvent(event)))));

async function main(): Promise<void> {
  const run = createPipeline([]).start({ agent: 'gambler' });
  let messages = [userMessage('Roll two dice.')];
  await play(run.begin(messages));
  for (;;) {
    const said = await play(run.reason({ messages, tools: [describeTool(dice)] }, model));
    if (said.type !== 'postReasoning') return void (await play(run.end({ outcome: 'failed' })));
    messages = [...messages, said.message];
    const calls = toolCallsOf(said.message);
    if (calls.length === 0) return void (await play(run.end({ outcome: 'completed', message: said.message })));
    for (const { id, name, input } of calls) {
      const done = await play(run.act({ id, name, input }, [dice]));
      if (done.type !== 'postActing') continue;
      const answer = { type: 'toolResult' as const, toolCallId: id, toolName: name, result: done.result };
      messages = [...messages, { role: 'tool', parts: [answer] }];
    }
  }
}

void main();
