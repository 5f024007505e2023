import type { EventOf } from '../../../events/hook-event.ts';
import { go, places } from '../app/route.ts';
import { explained } from '../hooks/explain-form.tsx';
import { useHooks } from '../hooks/use-hooks.ts';
import { Text } from '../ui/text.tsx';
import { may } from '../wire/activity.ts';

/** Where the decision about a call comes from: the hook, its entry in the configuration, and its rule. */
export function Why({ event }: { readonly event: EventOf<'preActing'> }) {
  const { hooks } = useHooks();
  const { decision, toolCall, permission } = event;
  const by = decision?.by;
  const hook = hooks.find(({ name }) => name === by) ?? hooks.find(({ name }) => by?.startsWith(`${name}.`));
  const why = decision && ('reason' in decision ? decision.reason : 'prompt' in decision ? decision.prompt : undefined);
  const rule = hook?.rules?.find(({ text }) => String(why ?? '').includes(text));
  const place = rule ?? hook;
  const explain = () => {
    explained.value = { tool: toolCall.name, input: JSON.stringify(toolCall.input, null, 2), permission };
    go(places.hooks);
  };
  return (
    <section class="why" aria-label="Why">
      {hook && (
        <p>
          <Text of={hook.type && hook.type !== hook.name ? `${hook.name} (${hook.type})` : hook.name} />
          {rule && (
            <>
              , rule <Text in="code" of={rule.text} />
            </>
          )}
          {place?.file !== undefined && (
            <>
              , <Text of={`${place.file}:${place.line ?? 1}`} />
            </>
          )}
          {hook.from !== 'files' && `, ${hook.from === 'host' ? 'of the host' : 'of a saved configuration'}`}
          {hook.description !== undefined && (
            <>
              . <Text of={hook.description} />
            </>
          )}
        </p>
      )}
      {may('configure') && (
        <button type="button" onClick={explain}>
          Explain this call
        </button>
      )}
    </section>
  );
}
