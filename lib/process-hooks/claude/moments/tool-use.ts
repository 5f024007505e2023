import { from, map, type Observable, of, switchMap } from 'rxjs';
import { abort } from '../../../events/decisions/abort.ts';
import { deny } from '../../../events/decisions/deny.ts';
import { modify } from '../../../events/decisions/modify.ts';
import type { PreActing } from '../../../events/pre-acting.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { toOurs, toTheirs } from '../../../permission-rules/action/tool-table.ts';
import { type Verdict, verdict } from '../../../pipeline/define/hook.ts';
import type { HookContext } from '../../../pipeline/define/hook-context.ts';
import type { ClaudeHooksSettings } from '../claude-options.ts';
import type { ClaudeSession } from '../claude-session.ts';
import { type Judged, type Judgements, judgeCall } from '../handlers/judge-call.ts';
import type { Folded } from '../output/fold-outcomes.ts';
import type { Outcome } from '../output/output.ts';
import type { ClaudeEvent } from '../settings/event-names.ts';
import { withMessages } from './with-messages.ts';

/** The only kind of Notification here: an approval prompt. */
const PROMPTS = 'permission_prompt';

/** PreToolUse outcomes of a call, with the input. */
interface Seen {
  readonly call: string;
  readonly folded: Folded;
  readonly judgements: Judgements;
}

/** Combined and separate outcomes of the handlers. */
interface Asked extends Judged {
  readonly folded: Folded;
}

/**
 * Runs PreToolUse at `on.preActing`, where it may rewrite and deny. It runs again at `approve` if the call changed since, so that each handler
 * evaluates the final call. `ask` goes to PermissionRequest hooks, then to the host's `confirm`.
 */
export function createToolUse(session: ClaudeSession, settings: ClaudeHooksSettings) {
  const { tools, confirm } = settings;
  const seen = new WeakMap<object, Map<string, Seen>>();
  /** Context that hooks add to the result for the model, by run and call. */
  const contexts = new WeakMap<object, Map<string, readonly string[]>>();

  function ask(event: PreActing, context: HookContext, judgements: Judgements, rewriting: boolean): Observable<Asked> {
    const { name } = event.toolCall;
    const { as, input } = toTheirs(tools, name, event.toolCall.input);
    const own = { tool_name: as, tool_input: input, tool_use_id: event.toolCall.id };
    const keyOf = (one: JsonObject) => canonicalJson([name, toOurs(tools, name, one)]);
    let judged: Judged = { outcomes: [], input, still: true };
    const fired$ = session.fire('PreToolUse', as, own, event, context, async (entries, moment, all, diagnose) => {
      judged = await judgeCall(entries, moment, { judgements, keyOf, rewriting }, all, diagnose);
      return [...judged.outcomes];
    });
    return fired$.pipe(map((folded) => ({ ...judged, folded })));
  }

  return {
    preActing(event: PreActing, context: HookContext): Observable<PreActing> {
      const judgements: Judgements = new Map();
      return ask(event, context, judgements, true).pipe(
        map(({ folded, input, still }) => {
          const noted = withMessages(event, folded);
          if (folded.stop !== undefined) return abort(noted, folded.stop);
          if (folded.contexts.length > 0) byCall(contexts, event.run).set(event.toolCall.id, folded.contexts);
          const refused = refusal(folded) ?? (still ? undefined : unsettled(context));
          if (refused !== undefined) return deny(noted, refused);
          const ours = folded.updatedInput && toOurs(tools, event.toolCall.name, input);
          const next = ours ? modify(noted, { toolCall: { ...event.toolCall, input: ours } }) : noted;
          byCall(seen, event.run).set(event.toolCall.id, { call: fingerprint(next), folded, judgements });
          return next;
        }),
      );
    },

    approve(event: PreActing, context: HookContext): Observable<Verdict> | Verdict {
      const before = seen.get(event.run)?.get(event.toolCall.id);
      const known = before?.call === fingerprint(event) ? before.folded : undefined;
      if (context.dryRun) return foreseen(known);
      if (known) return verdictOf(event, known, context);
      return ask(event, context, before?.judgements ?? new Map(), false).pipe(
        switchMap(({ folded, outcomes }) => {
          const refused = folded.stop ?? refusal(folded) ?? rewritten(event, outcomes, before, context);
          if (refused !== undefined) return of(verdict.deny(refused));
          if (folded.contexts.length > 0) byCall(contexts, event.run).set(event.toolCall.id, folded.contexts);
          return verdictOf(event, folded, context);
        }),
      );
    },

    /** Returns the contexts of a call that has ended, once. */
    takeContexts(run: object, toolCallId: string): readonly string[] {
      const found = contexts.get(run)?.get(toolCallId) ?? [];
      contexts.get(run)?.delete(toolCallId);
      seen.get(run)?.delete(toolCallId);
      return found;
    },
  };

  /** Returns the expected decision about a call from the outcomes so far. */
  function foreseen(known: Folded | undefined): Verdict {
    if (!known) return verdict.suspend(`hook "${settings.name}" would be asked`);
    const refused = known.stop ?? refusal(known);
    if (refused !== undefined) return verdict.deny(refused);
    return known.permission === 'ask' ? verdict.suspend(known.reason ?? 'a hook requires approval') : verdict.allow();
  }

  function verdictOf(event: PreActing, folded: Folded, context: HookContext): Observable<Verdict> {
    return folded.permission === 'ask' ? permission(event, folded.reason, context) : of(verdict.allow());
  }

  /** Reports handlers that keep rewriting each other's input. None of them evaluated the final call. */
  function unsettled(context: HookContext): string {
    const message =
      'keep rewriting a call that other hooks rewrote, so it is denied. A script should not rewrite a call twice.';
    session.diagnose({ code: 'unsettled', event: 'PreToolUse', message }, context.log);
    return 'Hooks keep rewriting the call, so none of them judged the final call.';
  }

  /**
   * Returns the reason to deny a call that the tool's schema or a later hook changed, if PreToolUse would rewrite the final call. A rewriting of the
   * first run stays valid if the schema only added fields.
   */
  function rewritten(event: PreActing, outcomes: readonly Outcome[], before: Seen | undefined, context: HookContext) {
    const { name, input: frozen } = event.toolCall;
    const others = outcomes.flatMap(({ updatedInput }) => {
      const wanted = updatedInput && toOurs(tools, name, updatedInput as JsonObject);
      return wanted && canonicalJson(wanted) !== canonicalJson(frozen) ? [wanted] : [];
    });
    const additions = others.every((wanted) => {
      const added = Object.entries(wanted).every(
        ([key, value]) => canonicalJson([value]) === canonicalJson([frozen[key] ?? null]),
      );
      return added && before?.call === canonicalJson([name, wanted]);
    });
    if (additions) return undefined;
    const hint = 'It was called again, because a later hook or the schema of the tool changed the call.';
    return allowedOther('PreToolUse', hint, context);
  }

  /** The call is final. Running it unchanged would run a call that no hook allowed. */
  function allowedOther(event: ClaudeEvent, hint: string, context: HookContext): string {
    const message = `allowed another input at ${event}, which cannot change the input, so the call is denied. ${hint}`;
    session.diagnose({ code: 'no-input-here', event, message }, context.log);
    return 'It was allowed only with another input.';
  }

  function permission(event: PreActing, reason: string | undefined, context: HookContext): Observable<Verdict> {
    const why = reason ?? 'A hook requires approval for this call.';
    const { as, input } = toTheirs(tools, event.toolCall.name, event.toolCall.input);
    const asked: Observable<Folded | undefined> = session.has('PermissionRequest')
      ? session.fire('PermissionRequest', as, { tool_name: as, tool_input: input }, event, context)
      : of(undefined);
    return asked.pipe(
      switchMap((folded) => {
        const refused = folded && (folded.stop ?? refusal({ ...folded, reason: folded.reason ?? why }));
        if (refused !== undefined) return of(verdict.deny(refused));
        if (folded?.permission === 'allow') {
          const changed =
            folded.updatedInput !== undefined &&
            canonicalJson(folded.updatedInput as JsonObject) !== canonicalJson(input);
          return of(
            changed
              ? verdict.deny(allowedOther('PermissionRequest', 'Return updatedInput at PreToolUse.', context))
              : verdict.allow(),
          );
        }
        if (confirm) {
          const own = { message: `${why} (${as})`, notification_type: PROMPTS };
          session.notify('Notification', PROMPTS, own, event, context);
          return from(Promise.resolve(confirm(event, why, context)));
        }
        return of(verdict.deny(`${why} No approver is available.`));
      }),
    );
  }
}

function refusal({ block, permission, reason }: Folded): string | undefined {
  if (block !== undefined) return block;
  return permission === 'deny' ? (reason ?? 'A hook denied the call.') : undefined;
}

/** Returns a key that ignores the order of fields. Placeholders with the same label are different. */
function fingerprint({ toolCall }: PreActing): string {
  return canonicalJson([toolCall.name, toolCall.input]);
}

/** Returns the stored data of a run, by call id. */
function byCall<V>(store: WeakMap<object, Map<string, V>>, run: object): Map<string, V> {
  const known = store.get(run) ?? new Map<string, V>();
  store.set(run, known);
  return known;
}
