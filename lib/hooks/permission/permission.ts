import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { catchError, concatMap, from, map, type Observable, of, timeout } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { userOf } from '../../events/parts/user-of.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import type { SeenCall } from '../../permission-rules/call-rule.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { toTheirs, workspaceToolTable } from '../../permission-rules/tool-table.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, type Verdict, verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import type { Remember } from '../asking/ask-function.ts';
import { askedVerdict } from '../asking/asked-verdict.ts';
import { askFunctionOf } from '../asking/asker.ts';
import { callPrompt, promptLine } from '../asking/call-prompt.ts';
import { type Asked, putQuestion } from '../asking/put-question.ts';
import type { HookHost } from '../hook-host.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { type AlwaysRule, addAllowRule, alwaysRule } from './always-file.ts';
import { askedBy, type RuleSource, type Ruling, ruleJudge } from './judge-call.ts';
import { type PermissionOptions, permissionOptionsSchema, type Rule } from './permission-options.ts';
import { readRuleFile } from './read-rule-file.ts';
import { type Bound, sessionGrants } from './session-grants.ts';

/** How long the store may take to say what was granted; the call is denied then. */
const STORE_MS = 10_000;

/**
 * An approver that judges each call by rules: deny goes before ask, ask before allow. It sees the very call that runs. A command line that
 * is not understood as a whole is never allowed by a rule; it is asked about.
 *
 * Calls at once: of several about which the same would be asked, one question is put at a time, and a yes for the session answers the
 * others. Sub-agents: they are judged too; a yes for a session holds in their own. Retry: a call is judged each time. Suspend and resume: an
 * answer stands for the very call that was shown, once.
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
  const sources: RuleSource[] = [
    { ...lists, place },
    { allow: [], ask: [], deny: [...files, ...(alwaysFile === undefined ? [] : [alwaysFile])].map(keepsFile), place },
    ...read.map((file) => ({ ...file, place: { ...place, ...(file.root !== undefined && { root: file.root }) } })),
  ];
  const otherwise = lists.default ?? read.find((file) => file.default !== undefined)?.default ?? 'ask';
  let judge = ruleJudge(sources, otherwise);
  let untold = read.flatMap(({ dropped }) => dropped);
  // What a hook reads for the model is named by options or code: where no rule speaks of it, there is no question to ask.
  const judgeOfReading = () => ruleJudge(sources, otherwise === 'deny' ? 'deny' : 'allow');
  let reading = judgeOfReading();
  // Rules that speak of nothing but tools.
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
      // The answer before may have allowed this one too.
      if (judge(call).action === 'allow') return of(verdict.allow());
      return grants.missing(call, bound, run).pipe(
        timeout({ first: STORE_MS, scheduler: context.scheduler }),
        concatMap((missing) => {
          if (missing.length === 0) return of(verdict.allow());
          const rules = missing.filter((rule) => rule !== undefined);
          return question(event, call, rules.length === 0 ? ruling : { ...askedBy(rules), rules }, context);
        }),
      );
    });
  }

  function question(event: PreActing, call: SeenCall, ruling: Ruling, context: HookContext): Observable<Verdict> {
    const { toolCall, permission, description, run } = event;
    const facts = { tool: toolCall.name, input: toolCall.input, permission, description, run };
    const why = `Why you are asked: ${promptLine(ruling.why)}`;
    if (context.dryRun || !askFunction) return of(verdict.suspend(callPrompt(facts, why)));
    const always = offeredRule(call);
    const told = always && `Always means: ${always.means}. The rule ${always.text} goes into ${alwaysFile}.`;
    const prompt = callPrompt(facts, told === undefined ? why : `${why}\n  ${promptLine(told)}`);
    const remembers: Remember[] = ['session', ...(always === undefined ? [] : (['always'] as const))];
    const rules = {
      ...(ruling.rule !== undefined && { rule: ruling.rule }),
      ...(always !== undefined && { always: always.text }),
    };
    return putQuestion({
      ask: askFunction,
      by: name,
      question: { ...facts, ...rules, remembers, prompt },
      call: toolCall,
      timeoutMs,
      context,
    }).pipe(
      concatMap((asked) =>
        remember(asked, call, ruling, run, always, context).pipe(map(() => askedVerdict(asked, ruling.why))),
      ),
    );
  }

  /** The rule that "always" adds; nothing where a rule that denies or asks would still go before it. */
  function offeredRule(call: SeenCall): AlwaysRule | undefined {
    const rule = alwaysFile === undefined ? undefined : alwaysRule(call, place);
    return rule && ruleJudge([...sources, allowing(rule)], otherwise)(call).action === 'allow' ? rule : undefined;
  }

  const allowing = ({ text }: AlwaysRule): RuleSource => ({ allow: [text], ask: [], deny: [], place });

  /** A yes for the session counts when the store has taken it up. A file that cannot be written is told, and the call runs. */
  function remember(
    asked: Asked,
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
        log.warn({ hook: name }, `The call runs, but "always" is not remembered. ${messageOf(thrown)}`);
        return of(undefined);
      }),
    );
  }

  return defineHook({
    name,
    description: 'Allows, asks about or denies calls by rules.',
    priority: HookPriority.AUTH,
    // The question and the store have their own; those who wait for another question have none.
    timeoutMs: Number.POSITIVE_INFINITY,
    denies: ({ name, permission, input }) =>
      input === undefined
        ? judgeWhole(seenCall({ toolCall: { name, input: {} }, permission })).action === 'deny'
        : reading(seenCall({ toolCall: { name, input }, permission })).action !== 'allow',
    approve: function permission(event, context) {
      for (const told of untold) context.log.warn({ hook: name }, told);
      untold = [];
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

/** What an agent may not change: the rules that it is judged by. */
function keepsFile(file: string): Rule {
  const pattern = resolve(file).replace(/[*?[\]!#\\ ]/g, '\\$&');
  return { tool: '*', permission: ['write', 'external'], path: `/${pattern}` };
}

/** Whether a rule is about all calls of a tool. */
function isWhole(rule: Rule): boolean {
  if (typeof rule === 'string') return parsePermissionRule(rule).specifier === undefined;
  return Object.keys(rule).every((member) => member === 'tool' || member === 'permission');
}

function seenCall({ toolCall: { name, input }, permission }: Calling): SeenCall {
  const { as, input: theirs } = toTheirs(workspaceToolTable, name, input);
  return { own: name, tool: as, input: theirs, permission };
}
