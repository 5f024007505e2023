import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { catchError, concatMap, from, map, type Observable, of, timeout } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { userOf } from '../../events/parts/user-of.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { toTheirs, workspaceToolTable } from '../../permission-rules/action/tool-table.ts';
import type { SeenCall } from '../../permission-rules/call-rule.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { APPROVED_WHEN_ASKED, type Hook, HookPriority, type Verdict, verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import type { Remember } from '../asking/ask-function.ts';
import { askFunctionOf } from '../asking/asker.ts';
import { callPrompt, promptLine } from '../asking/call-prompt.ts';
import { type Outcome, putQuestion } from '../asking/put-question.ts';
import { verdictOfAnswer } from '../asking/verdict-of-answer.ts';
import type { HookHost } from '../hook-host.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { type AlwaysRule, addAllowRule, alwaysRule } from './always-file.ts';
import { askedBy, type RuleSource, type Ruling, ruleJudge } from './judge-call.ts';
import { type PermissionOptions, permissionOptionsSchema, type Rule } from './permission-options.ts';
import { readRuleFile } from './read-rule-file.ts';
import { type Bound, sessionGrants } from './session-grants.ts';

/** Timeout in milliseconds for grants from the store. At the timeout the call is denied. */
const STORE_MS = 10_000;

/**
 * An approver that judges each call by rules. `deny` takes precedence over `ask`, and `ask` over `allow`. It judges the call exactly as
 * it will run. No rule allows a command line that cannot be parsed as a whole; it requires approval.
 *
 * - Parallel calls: Of several calls with the same approval prompt, one is shown at a time. An approval for the session also answers the
 *   others.
 * - Sub-agents: They are judged, too. An approval for a session is valid in their own session.
 * - Retry: A call is judged each time.
 * - Suspend and resume: An answer is valid once, for exactly the call that was shown.
 * - Cost: Parses the input of each call. A search in the workspace for path rules resolves links. No model request.
 */
export function permission(options: PermissionOptions = {}, host: HookHost = {}): Hook {
  const { name, files, alwaysFile, askBy, timeoutMs, ...lists } = parseHookOptions(
    'permission',
    permissionOptionsSchema,
    options,
  );
  const place = { cwd: resolve(host.workspace ?? '.'), home: homedir() };
  const read = [
    ...files.map((file) => readRuleFile(resolve(file))),
    ...(alwaysFile === undefined ? [] : [readRuleFile(resolve(alwaysFile), 'empty')]),
  ];
  const inWorkspace: RuleSource[] = [
    { ...lists, place },
    { allow: [], ask: [], deny: [...files, ...(alwaysFile === undefined ? [] : [alwaysFile])].map(keepsFile), place },
    ...read.map((file) => ({ ...file, place: { ...place, ...(file.root !== undefined && { root: file.root }) } })),
  ];
  const folders = new Set((host.project ?? []).map((folder) => resolve(folder)));
  folders.delete(place.cwd);
  // An agent that enters another folder must not lose the rules of its project.
  const inProject = [...folders].flatMap((from) =>
    inWorkspace.map((source) => ({ ...source, allow: [], place: { ...source.place, from } })),
  );
  const sources = [...inWorkspace, ...inProject];
  const otherwise = lists.default ?? read.find((file) => file.default !== undefined)?.default ?? 'ask';
  let judge = ruleJudge(sources, otherwise);
  let droppedRules = read.flatMap(({ dropped }) => dropped);
  // Options or code name the texts that a hook reads for the model. Without a matching rule, no approval is needed.
  const judgeOfReading = () => ruleJudge(sources, otherwise === 'deny' ? 'deny' : 'allow');
  let reading = judgeOfReading();
  // Rules that restrict only the tool.
  const judgeWhole = ruleJudge(
    sources.map(({ deny, place }) => ({ allow: [], ask: [], deny: deny.filter(isWhole), place })),
    'ask',
  );
  const asker = askBy ?? host.ask ?? 'suspend';
  const askFunction = asker === 'suspend' ? undefined : askFunctionOf(asker, host, name);
  const grants = sessionGrants(host.store ?? memoryStateStore(), name);
  const inTurn = oneAtATime();

  function ask(event: PreActing, call: SeenCall, ruling: Ruling, context: HookContext): Observable<Verdict> {
    const { run } = event;
    const bound: Bound = ruling.rules ?? [undefined];
    const waitFor = JSON.stringify([run.sessionId, userOf(run) ?? '', call.own, ruling.rules ?? call.input]);
    return inTurn(waitFor, () => {
      // The previous answer may allow this call, too.
      if (judge(call).action === 'allow') return of(verdict.allow());
      return grants.missing(call, bound, run).pipe(
        timeout({ first: STORE_MS, scheduler: context.scheduler }),
        concatMap((missing) => {
          if (missing.length === 0) return of<Verdict>({ verdict: 'approved', reason: APPROVED_WHEN_ASKED });
          const rules = missing.filter((rule) => rule !== undefined);
          return question(event, call, rules.length === 0 ? ruling : { ...askedBy(rules), rules }, context);
        }),
      );
    });
  }

  function question(event: PreActing, call: SeenCall, ruling: Ruling, context: HookContext): Observable<Verdict> {
    const { toolCall, permission, description, run } = event;
    const facts = { tool: toolCall.name, input: toolCall.input, permission, description, run };
    const why = `Reason: ${promptLine(ruling.why)}`;
    if (context.dryRun || !askFunction) return of(verdict.suspend(callPrompt(facts, why)));
    const always = offeredRule(call);
    const grant = always && `"always" allows ${always.means}: it adds the rule ${always.text} to ${alwaysFile}.`;
    const prompt = callPrompt(facts, grant === undefined ? why : `${why}\n  ${promptLine(grant)}`);
    const remembers: Remember[] = ['session', ...(always === undefined ? [] : (['always'] as const))];
    const rules = withoutUndefined({ rule: ruling.rule, always: always?.text });
    return putQuestion({
      ask: askFunction,
      by: name,
      question: { ...facts, ...rules, remembers, prompt },
      call: toolCall,
      timeoutMs,
      context,
    }).pipe(
      concatMap((asked) =>
        remember(asked, call, ruling, run, always, context).pipe(map(() => verdictOfAnswer(asked, ruling.why))),
      ),
    );
  }

  /** Returns the rule that "always" adds, or `undefined` if a deny or ask rule would still take precedence. */
  function offeredRule(call: SeenCall): AlwaysRule | undefined {
    const rule = alwaysFile === undefined ? undefined : alwaysRule(call, place);
    return rule && ruleJudge([...sources, allowing(rule)], otherwise)(call).action === 'allow' ? rule : undefined;
  }

  const allowing = ({ text }: AlwaysRule): RuleSource => ({ allow: [text], ask: [], deny: [], place });

  /**
   * Stores the grant of an approval. A session grant is valid once the store has it. If a file cannot be written, the error is logged and the call
   * runs.
   */
  function remember(
    asked: Outcome,
    call: SeenCall,
    { rules }: Ruling,
    run: RunInfo,
    always: AlwaysRule | undefined,
    { scheduler, log }: HookContext,
  ): Observable<unknown> {
    if (!asked.approved || asked.remember === undefined) return of(undefined);
    if (asked.remember === 'session' || always === undefined)
      return grants.add(call, rules ?? [undefined], run).pipe(timeout({ first: STORE_MS, scheduler }));
    return from(addAllowRule(resolve(alwaysFile as string), always.text)).pipe(
      map(() => {
        sources.push(allowing(always));
        judge = ruleJudge(sources, otherwise);
        reading = judgeOfReading();
      }),
      catchError((thrown: unknown) => {
        log.warn({ hook: name }, `The call runs, but "always" was not stored. ${messageOf(thrown)}`);
        return of(undefined);
      }),
    );
  }

  return defineHook({
    name,
    description: 'Allows calls, requires approval or denies calls by rules.',
    priority: HookPriority.AUTH,
    // The question and the store have their own timeouts. Waiting for another question has none.
    timeoutMs: Number.POSITIVE_INFINITY,
    denies: ({ name, permission, input }) =>
      input === undefined
        ? judgeWhole(seenCall({ toolCall: { name, input: {} }, permission })).action === 'deny'
        : reading(seenCall({ toolCall: { name, input }, permission })).action !== 'allow',
    approve: function permission(event, context) {
      for (const message of droppedRules) context.log.warn({ hook: name }, message);
      droppedRules = [];
      const call = seenCall(event);
      const ruling = judge(call);
      if (ruling.action === 'allow')
        return context.dryRun ? { verdict: 'approved', reason: ruling.why } : verdict.allow();
      if (ruling.action === 'deny') return verdict.deny(`${ruling.why}.`);
      return ask(event, call, ruling, context);
    },
  });
}

interface Calling extends Pick<PreActing, 'permission'> {
  readonly toolCall: Pick<PreActing['toolCall'], 'name' | 'input'>;
}

/** Returns a rule that denies an agent changes to its own rules. */
function keepsFile(file: string): Rule {
  const pattern = resolve(file).replace(/[*?[\]!#\\ ]/g, '\\$&');
  return { tool: '*', permission: ['write', 'external'], path: `/${pattern}` };
}

/** Returns whether a rule covers all calls of a tool. */
function isWhole(rule: Rule): boolean {
  if (typeof rule === 'string') return parsePermissionRule(rule).specifier === undefined;
  return Object.keys(rule).every((field) => /^(?:tool|permission|reason)$/.test(field));
}

function seenCall({ toolCall: { name, input }, permission }: Calling): SeenCall {
  const { as, input: theirs } = toTheirs(workspaceToolTable, name, input);
  return { own: name, given: input, tool: as, input: theirs, permission };
}
