import { expectTypeOf } from 'expect-type';
import { abort } from '../../lib/events/decisions/abort.ts';
import { deny } from '../../lib/events/decisions/deny.ts';
import type { ChangesOf, EventDeciding } from '../../lib/events/decisions/event-rules.ts';
import { finish } from '../../lib/events/decisions/finish.ts';
import { modify } from '../../lib/events/decisions/modify.ts';
import { respond } from '../../lib/events/decisions/respond.ts';
import { retry } from '../../lib/events/decisions/retry.ts';
import type { EventOf, EventType, HookEvent } from '../../lib/events/hook-event.ts';
import type { Message } from '../../lib/events/parts/message.ts';
import type { ToolCall } from '../../lib/events/parts/tool-call.ts';
import { errorResult } from '../../lib/events/parts/tool-result.ts';
import type { JsonValue } from '../../lib/events/values/json-value.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import { verdict } from '../../lib/pipeline/define/hook.ts';
import { anEvent } from '../../lib/testing/an-event.ts';

// Code that must compile or not. `tsc -p tsconfig.json` checks it, and nothing runs.
const compiles = (_: () => void): void => {};

describe('the types', () => {
  it('knows nine events, discriminated by type', () => {
    expectTypeOf<EventType>().toEqualTypeOf<
      | 'preCall'
      | 'preReasoning'
      | 'reasoningChunk'
      | 'postReasoning'
      | 'preActing'
      | 'actingChunk'
      | 'postActing'
      | 'postCall'
      | 'error'
    >();
    expectTypeOf<EventOf<'error'>['phase']>().toEqualTypeOf<'call' | 'reasoning' | 'acting'>();
    expectTypeOf<Extract<HookEvent, { type: 'preCall' }>['messages']>().toEqualTypeOf<readonly Message[]>();
  });

  it('lets modify change the allowed fields, and keeps the event type', () => {
    expectTypeOf<keyof ChangesOf<EventOf<'preReasoning'>>>().toEqualTypeOf<
      'messages' | 'tools' | 'model' | 'options'
    >();
    expectTypeOf<keyof ChangesOf<EventOf<'error'>>>().toEqualTypeOf<never>();
    compiles(() => {
      expectTypeOf(modify(anEvent.preCall(), { messages: [] })).toEqualTypeOf<EventOf<'preCall'>>();
      modify(anEvent.text('a'), { delta: 'b' }, { note: { code: 'c', message: 'm' } });
      // @ts-expect-error usage is the model's own
      modify(anEvent.postReasoning(), { usage: { inputTokens: 0, outputTokens: 0 } });
      // @ts-expect-error the run is nobody's to change
      modify(anEvent.preCall(), { run: anEvent.preCall().run });
      // @ts-expect-error a chunk's place is fixed
      modify(anEvent.text('a'), { block: 1 });
      // @ts-expect-error permission is the tool's
      modify(anEvent.preActing(), { permission: 'read' });
      // @ts-expect-error a field that is to stay is left out
      modify(anEvent.preActing(), { toolCall: undefined });
      // @ts-expect-error a delta is text
      modify(anEvent.text('a'), { delta: 1 });
      // @ts-expect-error the engine stamps who wrote a note
      modify(anEvent.text('a'), {}, { note: { code: 'c', message: 'm', by: 'me' } });
    });
  });

  it('allows each decision only where it is legal', () => {
    expectTypeOf<EventDeciding<'deny'>['type']>().toEqualTypeOf<'preActing'>();
    expectTypeOf<EventDeciding<'finish'>['type']>().toEqualTypeOf<
      'reasoningChunk' | 'postReasoning' | 'actingChunk' | 'postActing'
    >();
    expectTypeOf<EventDeciding<'suspend'>>().toEqualTypeOf<never>();
    compiles(() => {
      expectTypeOf(deny(anEvent.preActing(), 'no')).toEqualTypeOf<EventOf<'preActing'>>();
      // @ts-expect-error only a tool call is denied
      deny(anEvent.preCall(), 'no');
      // @ts-expect-error a denial has a reason
      deny(anEvent.preActing());
      // @ts-expect-error a call that has not run cannot be retried
      retry(anEvent.preActing());
      // @ts-expect-error a failed call has no step to retry
      retry(anEvent.callError('x'));
      // @ts-expect-error a failed step is retried as it was
      retry(anEvent.actingError('x'), 'again');
      // @ts-expect-error nothing can be decided once the call is over
      abort(anEvent.postCall(), 'no');
      // @ts-expect-error an error is not aborted
      abort(anEvent.reasoningError('x'), 'no');
      // @ts-expect-error a call is not finished before it began
      finish(anEvent.preCall());
      finish(anEvent.postActing());
      abort(anEvent.text('a'), 'no', { rollback: true });
      retry(anEvent.postReasoning(), ['a', 'b']);
    });
  });

  it('distinguishes a message response from a result response', () => {
    compiles(() => {
      respond(anEvent.preActing(), errorResult('x'));
      respond(anEvent.preCall(), 'text');
      // @ts-expect-error a call is answered with a message
      respond(anEvent.preCall(), errorResult('x'));
      // @ts-expect-error a tool call is answered with a result
      respond(anEvent.preActing(), { role: 'assistant', parts: [] });
      // @ts-expect-error a chunk is not answered
      respond(anEvent.text('a'), 'x');
      // @ts-expect-error a result is changed with modify
      respond(anEvent.postActing(), 'x');
    });
  });

  it('gives each handler its own event, and accepts only that as return value', () => {
    compiles(() => {
      defineHook({
        name: 'typed',
        on: {
          preCall(event, context) {
            expectTypeOf(event).toEqualTypeOf<EventOf<'preCall'>>();
            expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
          },
          reasoningChunk: (chunk) => [chunk, modify(chunk, { delta: 'x' })],
          postActing: async (event) => modify(event, { result: errorResult('x') }),
        },
        approve(event) {
          expectTypeOf(event).toEqualTypeOf<EventOf<'preActing'>>();
          return verdict.allow();
        },
      });
      // @ts-expect-error an event of another type
      defineHook({ name: 'x', on: { preCall: () => anEvent.postCall() } });
      // @ts-expect-error text is no event
      defineHook({ name: 'x', on: { preCall: () => 'raw' } });
      // @ts-expect-error a gate takes one event
      defineHook({ name: 'x', on: { preCall: (event) => [event] } });
      // @ts-expect-error there is no such event
      defineHook({ name: 'x', on: { preParty: () => undefined } });
      // @ts-expect-error an approver gives a verdict
      defineHook({ name: 'x', approve: () => true });
      // @ts-expect-error operators give chunks
      defineHook({ name: 'x', through: { reasoningChunk: () => 42 } });
      // @ts-expect-error there are two policies
      defineHook({ name: 'x', on: {}, onFailure: 'ajar' });
      // @ts-expect-error the judged call and no other
      defineHook({ name: 'x', around: { acting: (_, next) => next({ input: {} }) } });
    });
  });

  it('keeps events deeply read-only', () => {
    expectTypeOf<WritableKey<HookEvent>>().toEqualTypeOf<never>();
    expectTypeOf<WritableKey<{ readonly a: { b: 1 } | { readonly c?: 2 } }>>().toEqualTypeOf<'b'>();
    expectTypeOf<WritableKey<{ readonly a: readonly string[][] }>>().toEqualTypeOf<'push'>();
    compiles(() => {
      // @ts-expect-error messages are read-only
      anEvent.preCall().messages.push(anEvent.preCall().messages[0]);
      defineHook({
        name: 'writes',
        on: {
          preActing(event) {
            // @ts-expect-error a call is changed with modify
            event.toolCall.name = 'x';
            // @ts-expect-error so is its input
            event.toolCall.input['n'] = 1;
            // @ts-expect-error the run is nobody's to change
            event.run.depth = 1;
          },
          postActing({ result }) {
            // @ts-expect-error a result is changed with modify
            result.content = 'x';
          },
          reasoningChunk(chunk) {
            // @ts-expect-error a chunk is changed with modify
            chunk.delta = 'x';
          },
        },
      });
    });
  });

  it('allows parts of events as JSON, and literals as parts of events', () => {
    expectTypeOf<ToolCall>().toExtend<JsonValue>();
    expectTypeOf<Message>().toExtend<JsonValue>();
    expectTypeOf<EventOf<'preActing'>['toolCall']>().toEqualTypeOf<ToolCall>();
    expectTypeOf<{ role: 'user'; parts: { type: 'text'; text: string }[] }>().toExtend<Message>();
  });
});

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Keys of writable fields and lists at any depth. JSON has none, and a cause is an error like its owner. */
type WritableKey<T> = [JsonValue] extends [T] ? never : WritableIn<T>;
type WritableIn<T> = T extends readonly (infer Item)[]
  ? T extends unknown[]
    ? 'push'
    : WritableKey<Item>
  : T extends object
    ? string extends keyof T
      ? never
      : { [K in Exclude<keyof T, 'cause'>]-?: WritableAt<T, K> }[Exclude<keyof T, 'cause'>]
    : never;
type WritableAt<T, K extends keyof T> = Same<Pick<T, K>, Readonly<Pick<T, K>>> extends true ? WritableKey<T[K]> : K;
