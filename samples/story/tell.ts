// What the story shows of an event.
import { type HookEvent, toolCallsOf } from 'hookline';
import { paint, show } from './stage.ts';

let remarks = '';

/** Text as it streams, calls and their results, and what hooks remark; that of a chunk waits for the end of its line. */
export function tell(event: HookEvent): void {
  for (const { by, message } of event.notes ?? []) remarks += `~ ${by}: ${message}\n`;
  if (event.type === 'reasoningChunk' && !event.last) {
    show(event.delta);
    return;
  }
  if (event.type === 'reasoningChunk') show('\n');
  if (event.type === 'postReasoning')
    for (const { name, input } of toolCallsOf(event.message))
      show(`The model calls ${name} ${JSON.stringify(input)}\n`);
  if (event.type === 'preActing') show(`→ ${event.toolCall.name} ${JSON.stringify(event.toolCall.input)}\n`);
  if (event.type === 'postActing') {
    const line = `${event.outcome}: ${event.result.content.split('\n')[0]}\n`;
    show(event.result.isError ? paint.red(`✗ ${line}`) : paint.green(`✓ ${line}`));
  }
  if (remarks !== '') show(paint.yellow(remarks));
  remarks = '';
}
