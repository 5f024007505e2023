import { Observable } from 'rxjs';
import { z } from 'zod';
import { checkFields } from '../../errors/check-fields.ts';
import { textOf } from '../../errors/describe-thrown.ts';
import { nearestName } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import type { Message } from '../../events/parts/message.ts';
import { toMessage } from '../../events/parts/messages.ts';
import { addUsage } from '../../events/parts/usage.ts';
import { createSource } from '../chunks/source.ts';
import type { AskOptions, AskReply, AskRequest } from '../define/hook-context.ts';
import { type Model, type ModelChunk, type ModelRequest, modelRequestSchema } from '../define/model.ts';
import { LazySignal, type Lifetime } from '../flow/lifetime.ts';
import type { RunScope } from '../run/run-scope.ts';
import { createStep } from '../run/step-scope.ts';
import { ModelFeed } from './model-feed.ts';
import { Reply } from './reply.ts';

/** Implements `context.ask`, within the timeout of the handler. */
export function askModel(
  scope: RunScope,
  within: Lifetime,
  request: AskRequest,
  options: AskOptions = {},
): Observable<AskReply> {
  return new Observable((subscriber) => {
    const messages = messagesOf(request);
    const model = modelFor(scope, options);
    const step = createStep(scope, 'reasoning', within);
    const reply = new Reply();
    const feed = new ModelFeed({
      reply,
      isStaged: false,
      open: (part, block) => ({
        template: { part },
        add: (delta) => reply.left({ part, block, delta } as never),
        end() {},
      }),
      later: (action) => action(),
    });
    const asked = checked({ tools: [], options: {}, ...request, messages });
    const chunks$ = createSource<ModelChunk>({
      what: 'model that a hook asks',
      step,
      lane: { pushed: true, whenIdle: (callback) => callback() },
      start: (answer) => model(asked, new LazySignal(answer)),
    });
    const registration = within.onCancel({
      cancel: (reason) => subscriber.error(new DOMException(reason ?? 'cancelled', 'AbortError')),
    });
    subscriber.add(registration);
    subscriber.add(() => step.lifetime.release());
    if (subscriber.closed) return;
    subscriber.add(
      chunks$.subscribe({
        next(chunk) {
          try {
            feed.take(chunk);
          } catch (thrown) {
            subscriber.error(thrown);
          }
        },
        error: (thrown) => subscriber.error(thrown),
        complete() {
          const { usage } = reply;
          scope.askedUsage = addUsage(scope.askedUsage, usage);
          const finishReason = reply.finishReason ?? 'stop';
          subscriber.next({ message: reply.message(), finishReason, ...(usage && { usage }) });
          subscriber.complete();
        },
      }),
    );
  });
}

function modelFor(scope: RunScope, options: AskOptions): Model {
  const issue = checkFields(options, ['model']);
  if (issue !== undefined)
    throw new HooklineError('OPTIONS_INVALID', `context.ask(request, options): options ${issue}.`);
  const { model } = options;
  const { models } = scope.settings;
  if (typeof model === 'function') return model;
  if (model === undefined) {
    if (scope.model) return scope.model;
    throw new HooklineError(
      'OPTIONS_INVALID',
      'context.ask: this run has not been given a model yet; name one: ask(request, { model }).',
    );
  }
  const named = Object.hasOwn(models, model) ? models[model] : undefined;
  if (named) return named;
  const shown = typeof model === 'string' ? `model "${model}"` : `such model as ${textOf(model)}`;
  const names = Object.keys(models);
  const near = typeof model === 'string' ? nearestName(model, names) : undefined;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `context.ask: there is no ${shown}${near === undefined ? '' : ` (did you mean "${near}"?)`}. Models of createPipeline(hooks, { models }): ${names.join(', ') || 'none'}.`,
  );
}

/** Validates the request from plain JavaScript, because adapters of models trust it. */
function checked(request: ModelRequest): ModelRequest {
  const parsed = modelRequestSchema.safeParse(request);
  if (parsed.success) return request;
  throw new HooklineError('INPUT_INVALID', `context.ask(request): ${z.prettifyError(parsed.error)}`);
}

function messagesOf(request: AskRequest): readonly Message[] {
  const known = ['messages', 'tools', 'model', 'options'];
  const issue = checkFields(request, known);
  if (issue !== undefined) throw new HooklineError('INPUT_INVALID', `context.ask(request): the request ${issue}.`);
  const { messages } = request;
  if (Array.isArray(messages) && messages.length > 0) return messages.map((message) => toMessage(message, 'user'));
  throw new HooklineError('INPUT_INVALID', 'context.ask(request): messages must be a list of at least one message.');
}
