import { useMemo } from 'preact/hooks';
import type { Message, MessagePart } from '../../../events/parts/message.ts';
import { askedBy, type Seen, seenBy } from '../model/conversation.ts';
import { Json } from '../ui/json.tsx';
import { Text } from '../ui/text.tsx';
import type { OpenRun } from '../wire/open-run.ts';

/** The conversation up to an event: the model request, and the part that the user saw. */
export function ConversationView({
  run,
  upTo,
  onSelect,
}: {
  readonly run: OpenRun;
  readonly upTo: number;
  readonly onSelect: (index: number) => void;
}) {
  const { model, version } = run;
  const node = model.node.at(Math.max(upTo, 0));
  const { value } = version;
  const asked = useMemo(() => askedBy(model, node, upTo), [model, node, upTo, value]);
  const seen = useMemo(() => seenBy(model, node, upTo), [model, node, upTo, value]);
  return (
    <div class="conversation">
      <section aria-labelledby="as-model">
        <h3 id="as-model">Messages for the model</h3>
        {asked.messages.length === 0 && <p class="faint">No model request yet.</p>}
        {asked.messages.map((message, at) => (
          <ModelMessage key={at} of={message} />
        ))}
      </section>
      <section aria-labelledby="as-user">
        <h3 id="as-user">Output for the user</h3>
        {seen.length === 0 && <p class="faint">Nothing yet.</p>}
        {seen.map((one) => (
          <SeenMessage key={`${one.index} ${one.from} ${one.withdrawn}`} of={one} onSelect={onSelect} />
        ))}
      </section>
    </div>
  );
}

function ModelMessage({ of: { role, parts, origin } }: { readonly of: Message }) {
  return (
    <article class={`message message-${role}`}>
      <header>
        {role}
        {origin !== undefined && (
          <span class="tag injected">
            added by <Text of={origin} />
          </span>
        )}
      </header>
      {parts.map((part, at) => (
        <Part key={at} of={part} />
      ))}
    </article>
  );
}

function Part({ of }: { readonly of: MessagePart }) {
  if (of.type === 'text') return <Text in="p" class="message-text" of={of.text} />;
  if (of.type === 'thinking')
    return (
      <details class="thinking">
        <summary>thinking</summary>
        <Text in="p" class="message-text" of={of.text} />
      </details>
    );
  if (of.type === 'toolCall')
    return (
      <div class="call">
        <Text in="code" of={of.toolCall.name} />
        <div class="json">
          <Json of={of.toolCall.input} />
        </div>
      </div>
    );
  if (of.type === 'toolResult')
    return (
      <div class={of.result.isError ? 'call call-failed' : 'call'}>
        <Text in="code" of={of.toolName} />
        <Text in="p" class="message-text" of={of.result.content} />
      </div>
    );
  return (
    <p class="faint">
      media: <Text of={of.url.slice(0, 100)} />
    </p>
  );
}

/** A message that the user saw. With `onSelect`, it has a link to its event. */
export function SeenMessage({
  of: { from, text, index, withdrawn },
  onSelect,
}: {
  readonly of: Seen;
  readonly onSelect?: (index: number) => void;
}) {
  return (
    <article class={`message message-${from}${withdrawn ? ' withdrawn' : ''}`}>
      <header>
        {from}
        {withdrawn && <span class="tag warn">retracted</span>}
        {onSelect && (
          <button type="button" class="link" onClick={() => onSelect(index)}>
            show event
          </button>
        )}
      </header>
      <Text in="p" class="message-text" of={text} />
    </article>
  );
}
