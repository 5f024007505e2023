import { from, map, type Observable, of, switchMap } from 'rxjs';
import { abort } from '../../../events/abort.ts';
import { canonicalJson } from '../../../events/canonical-json.ts';
import { deny } from '../../../events/deny.ts';
import type { JsonObject } from '../../../events/json-value.ts';
import { modify } from '../../../events/modify.ts';
import type { PreActing } from '../../../events/pre-acting.ts';
import type { HookContext } from '../../../pipeline/hook-context.ts';
import { approved, denied, suspended, type Verdict } from '../../../pipeline/verdict.ts';
import type { ClaudeHooksSettings } from '../claude-options.ts';
import type { ClaudeSession } from '../claude-session.ts';
import type { Folded } from '../output/fold-outcomes.ts';
import type { ClaudeEvent } from '../settings/event-names.ts';
import { toOurs, toTheirs } from '../tool-table.ts';

/** The kind of Notification that there is here: somebody is asked. */
const PROMPTS = 'permission_prompt';

/** How a call looked when PreToolUse saw it, and what came of it. */
interface Seen {
  readonly call: string;
  readonly folded: Folded;
}

/**
 * PreToolUse at `on.preActing`, where it may rewrite and deny, and again at `approve` when the call has changed since: what was judged is
 * what runs. `ask` goes to PermissionRequest hooks, then to the host's `confirm`.
 */
export function createToolUse(session: ClaudeSession, settings: ClaudeHooksSettings) {
  const { tools, confirm } = settings;
  const seen = new WeakMap<object, Map<string, Seen>>();
  /** What hooks want the model to be told beside the result, by run and call. */
  const contexts = new WeakMap<object, Map<string, readonly string[]>>();

  function ask(event: PreActing, context: HookContext): Observable<Folded> {
    const { as, input } = toTheirs(tools, event.toolCall.name, event.toolCall.input);
    const own = { tool_name: as, tool_input: input, tool_use_id: event.toolCall.id };
    return session.fire('PreToolUse', as, own, event, context);
  }

  return {
    preActing(event: PreActing, context: HookContext): Observable<PreActing> {
      return ask(event, context).pipe(
        map((folded) => {
          if (folded.stop !== undefined) return abort(event, folded.stop);
          if (folded.contexts.length > 0) byCall(contexts, event.run).set(event.toolCall.id, folded.contexts);
          const refused = refusal(folded);
          if (refused !== undefined) return deny(event, refused);
          const { updatedInput } = folded;
          const input = updatedInput && toOurs(tools, event.toolCall.name, updatedInput as JsonObject);
          const next = input ? modify(event, { toolCall: { ...event.toolCall, input } }) : event;
          byCall(seen, event.run).set(event.toolCall.id, { call: fingerprint(next), folded });
          return next;
        }),
      );
    },

    approve(event: PreActing, context: HookContext): Observable<Verdict> | Verdict {
      const before = seen.get(event.run)?.get(event.toolCall.id);
      const known = before?.call === fingerprint(event) ? before.folded : undefined;
      if (context.dryRun) return foreseen(known);
      const folded$ = known ? of(known) : ask(event, context);
      return folded$.pipe(
        switchMap((folded) => {
          const refused =
            folded.stop ?? refusal(folded) ?? (known ? undefined : rewritten(event, folded, before, context));
          if (refused !== undefined) return of(denied(refused));
          if (!known && folded.contexts.length > 0) byCall(contexts, event.run).set(event.toolCall.id, folded.contexts);
          return folded.permission === 'ask' ? permission(event, folded.reason, context) : of(approved());
        }),
      );
    },

    /** The contexts for a call that has ended, once. */
    takeContexts(run: object, toolCallId: string): readonly string[] {
      const found = contexts.get(run)?.get(toolCallId) ?? [];
      contexts.get(run)?.delete(toolCallId);
      seen.get(run)?.delete(toolCallId);
      return found;
    },
  };

  /** What would come of a call, as far as scripts have said so already. */
  function foreseen(known: Folded | undefined): Verdict {
    if (!known) return suspended(`hook "${settings.name}" would be asked`);
    const refused = known.stop ?? refusal(known);
    if (refused !== undefined) return denied(refused);
    return known.permission === 'ask' ? suspended(known.reason ?? 'a hook wants it to be confirmed') : approved();
  }

  /**
   * Why a call is refused that the tool's schema or a later hook has changed, and that PreToolUse, asked again, would have otherwise. What
   * it said the first time stands, where the schema has only added to it.
   */
  function rewritten(event: PreActing, folded: Folded, before: Seen | undefined, context: HookContext) {
    if (folded.updatedInput === undefined) return undefined;
    const { name, input: frozen } = event.toolCall;
    const wanted = toOurs(tools, name, folded.updatedInput as JsonObject);
    if (canonicalJson(wanted) === canonicalJson(frozen)) return undefined;
    const added = Object.entries(wanted).every(
      ([key, value]) => canonicalJson([value]) === canonicalJson([frozen[key] ?? null]),
    );
    if (added && before?.call === canonicalJson([name, wanted])) return undefined;
    const hint = 'It was asked again, since a later hook or the schema of the tool has changed the call.';
    return allowedOther('PreToolUse', hint, context);
  }

  /** By now the call is what it is; to run it as it was would be to run what nobody has allowed. */
  function allowedOther(event: ClaudeEvent, hint: string, context: HookContext): string {
    const message = `allowed another input at ${event}, where it cannot be changed any more, so the call is denied. ${hint}`;
    session.diagnose({ code: 'no-input-here', event, message }, context.log);
    return 'It was allowed with another input only.';
  }

  function permission(event: PreActing, reason: string | undefined, context: HookContext): Observable<Verdict> {
    const why = reason ?? 'A hook wants this call to be confirmed.';
    const { as, input } = toTheirs(tools, event.toolCall.name, event.toolCall.input);
    const asked: Observable<Folded | undefined> = session.has('PermissionRequest')
      ? session.fire('PermissionRequest', as, { tool_name: as, tool_input: input }, event, context)
      : of(undefined);
    return asked.pipe(
      switchMap((folded) => {
        const refused = folded && (folded.stop ?? refusal({ ...folded, reason: folded.reason ?? why }));
        if (refused !== undefined) return of(denied(refused));
        if (folded?.permission === 'allow') {
          const changed =
            folded.updatedInput !== undefined &&
            canonicalJson(folded.updatedInput as JsonObject) !== canonicalJson(input);
          return of(
            changed
              ? denied(allowedOther('PermissionRequest', 'Give updatedInput at PreToolUse.', context))
              : approved(),
          );
        }
        if (confirm) {
          const own = { message: `${why} (${as})`, notification_type: PROMPTS };
          session.tell('Notification', PROMPTS, own, event, context);
          return from(Promise.resolve(confirm(event, why, context)));
        }
        return of(denied(`${why} There is nobody to ask.`));
      }),
    );
  }
}

function refusal({ block, permission, reason }: Folded): string | undefined {
  if (block !== undefined) return block;
  return permission === 'deny' ? (reason ?? 'A hook denied the call.') : undefined;
}

/** What a schema puts in another order is the same call. A placeholder is not the same as another of its label. */
function fingerprint({ toolCall }: PreActing): string {
  return canonicalJson([toolCall.name, toolCall.input]);
}

/** What is kept of a run, by the ids of its calls. */
function byCall<V>(store: WeakMap<object, Map<string, V>>, run: object): Map<string, V> {
  const known = store.get(run) ?? new Map<string, V>();
  store.set(run, known);
  return known;
}
