import type { EventOf } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { textOf } from '../../events/parts/messages.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { Screen } from './screen.ts';
import { showHooks } from './show-hooks.ts';

type Reasoning = EventOf<'preReasoning' | 'reasoningChunk' | 'postReasoning'>;

/** Shows the model's text in a run. */
export interface ReasoningView {
  show(event: Reasoning, steps: readonly TraceStep[]): void;
  /** Shows the run's last message unless it is already shown. */
  last(message: Message | undefined): void;
}

/** Shows streamed text, marks retracted text, and shows messages that did not stream or that a hook changed later. */
export function createReasoningView(screen: Screen, runId: string): ReasoningView {
  let attempt = 1;
  let streamed = '';
  let shown: string | undefined;
  const changers = new Set<string>();

  function begin(next: number): void {
    if (streamed !== '' && next > attempt) withdraw(`attempt ${next} follows`);
    attempt = next;
  }

  function withdraw(why: string): void {
    screen.lines(`${runId} text`, `(The text above is retracted: ${why}.)`, 'yellow');
    streamed = '';
  }

  function show(message: Message): void {
    const text = textOf(message);
    if (streamed !== '' && streamed !== text) withdraw(text === '' ? 'it is removed' : 'this text replaces it');
    if (streamed === '' && text !== '') screen.lines(`${runId} text`, text);
    streamed = '';
    shown = text;
  }

  return {
    show(event, steps) {
      if (event.type === 'preReasoning') {
        begin(event.attempt);
        changers.clear();
        if (event.purpose === 'summary') screen.lines('summary', '(One last answer, without tools.)', 'dim');
        return showHooks(screen, 'model', event, steps);
      }
      if (event.type === 'reasoningChunk') {
        begin(event.attempt);
        for (const { hook, effect } of steps) if (effect === 'changed' && event.part === 'text') changers.add(hook);
        if (event.part === 'thinking') screen.grow(`${runId} thinking ${event.block}`, event.delta, 'dim', 'italic');
        if (event.part === 'text') {
          streamed += event.delta;
          screen.grow(`${runId} text`, event.delta);
        }
        if (event.decision) showHooks(screen, 'model', event, []);
        return;
      }
      for (const hook of changers) screen.lines('model', `~ ${hook} changed the streamed text`, 'yellow');
      showHooks(screen, 'model', event, steps);
      show(event.message);
    },
    last(message) {
      if (message && textOf(message) !== shown) show(message);
    },
  };
}
