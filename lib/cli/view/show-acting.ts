import type { EventOf } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { shortJson } from '../terminal/short-json.ts';
import type { Screen } from './screen.ts';
import { showHooks } from './show-hooks.ts';

const ARGUMENTS = 400;
const LINES = 4;
const WIDTH = 110;

/** Shows the tool calls of a run. */
export interface ActingView {
  /** Records the calls that the model requests, to show the changes of hooks. */
  asked(message: Message): void;
  show(event: EventOf<'preActing' | 'actingChunk' | 'postActing'>, steps: readonly TraceStep[]): void;
}

/** Shows each call with its arguments, the effects of hooks, and the beginning of its result. */
export function createActingView(screen: Screen): ActingView {
  const wanted = new Map<string, ToolCall>();
  let shown: string | undefined;

  function before(event: EventOf<'preActing'>, steps: readonly TraceStep[]): void {
    const { toolCall } = event;
    const call = callText(toolCall);
    const asked = wanted.get(toolCall.id);
    screen.lines('call', `→ ${call}`, 'cyan');
    const rewritten = steps.some(({ paths = [] }) => paths.some((path) => path.startsWith('toolCall')));
    if (asked && rewritten) screen.lines('call', `  the model called ${callText(asked)}`, 'yellow');
    showHooks(screen, 'call', event, steps, '  ');
    shown = toolCall.id;
  }

  function after(event: EventOf<'postActing'>, steps: readonly TraceStep[]): void {
    const { toolCall, outcome, result, durationMs } = event;
    // A denial was already shown with its reason.
    const silent = outcome === 'denied' && steps.every(({ effect }) => effect !== 'changed');
    const whose = shown === toolCall.id ? '' : ` ${toolCall.name} ${toolCall.id}`;
    showHooks(screen, 'call', event, steps, '  ');
    wanted.delete(toolCall.id);
    if (silent) return;
    const failed = result.isError || outcome === 'skipped' || outcome === 'cancelled';
    const time = outcome === 'executed' || outcome === 'failed' ? `, ${Math.round(durationMs)} ms` : '';
    screen.lines('call', `  ${failed ? '✗' : '✓'}${whose} ${outcome}${time}`, failed ? 'red' : 'green');
    screen.lines('call', beginningOf(result), 'dim');
    if (result.forUser !== undefined && !result.silent) screen.lines('for the user', result.forUser);
    for (const { url } of result.media ?? []) screen.lines('call', `    ${cut(url)}`, 'dim');
  }

  return {
    asked(message) {
      for (const call of toolCallsOf(message)) wanted.set(call.id, call);
    },
    show(event, steps) {
      if (event.type === 'preActing') before(event, steps);
      else if (event.type === 'postActing') after(event, steps);
      else if (event.decision) showHooks(screen, 'call', event, [], '  ');
    },
  };
}

function callText({ name, input }: ToolCall): string {
  return `${name} ${shortJson(input, ARGUMENTS)}`;
}

function beginningOf({ content }: ToolResult): string {
  const lines = content.trimEnd().split('\n');
  const more = lines.length - LINES;
  // One more line is as long as the notice about it.
  const first = more > 1 ? [...lines.slice(0, LINES), `… ${more} more lines`] : lines;
  return first.map((line) => `    ${cut(line)}`).join('\n');
}

function cut(line: string): string {
  return line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line;
}
