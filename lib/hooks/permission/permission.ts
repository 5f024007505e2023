import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { concatMap, from, map, type Observable, of, timeout } from 'rxjs';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { PreActing } from '../../events/pre-acting.ts';
import type { SeenCall } from '../../permission-rules/call-rule.ts';
import { toTheirs, workspaceToolTable } from '../../permission-rules/tool-table.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, type Verdict, verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import type { Remember } from '../asking/ask-function.ts';
import { askTerminal } from '../asking/ask-terminal.ts';
import { callPrompt, promptLine } from '../asking/call-prompt.ts';
import { type Asked, putQuestion } from '../asking/put-question.ts';
import type { HookHost } from '../hook-host.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { addAllowRule, exactRule } from './always-file.ts';
import { type RuleSource, type Ruling, ruleJudge } from './judge-call.ts';
import { type PermissionOptions, permissionOptionsSchema, type Rule } from './permission-options.ts';
import { readRuleFile } from './read-rule-file.ts';
import { sessionGrants } from './session-grants.ts';

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
  const asker = askBy ?? host.ask ?? 'suspend';
  const grants = sessionGrants(host.store ?? memoryStateStore(), name);
  const inTurn = oneAtATime();

  function ask(event: PreActing, call: SeenCall, ruling: Ruling, context: HookContext): Observable<Verdict> {
    const { run } = event;
    const rule = grantedRule(ruling);
    const waitFor = JSON.stringify([run.sessionId, run.userId ?? '', call.own, rule ?? call.input]);
    return inTurn(waitFor, () => {
      // The answer before may have allowed this one too.
      if (judge(call).action === 'allow') return of(verdict.allow());
      return grants.has(call, rule, run).pipe(
        timeout({ first: STORE_MS, scheduler: context.scheduler }),
        concatMap((granted) => (granted ? of(verdict.allow()) : question(event, call, ruling, context))),
      );
    });
  }

  function question(event: PreActing, call: SeenCall, ruling: Ruling, context: HookContext): Observable<Verdict> {
    const { toolCall, permission, description, run } = event;
    const facts = { tool: toolCall.name, input: toolCall.input, permission, description, run };
    const prompt = callPrompt(facts, `Why you are asked: ${promptLine(ruling.why)}`);
    if (context.dryRun || asker === 'suspend') return of(verdict.suspend(prompt));
    const always = alwaysFile === undefined ? undefined : exactRule(call, place);
    const remembers: Remember[] = ['session', ...(always === undefined ? [] : (['always'] as const))];
    const rule = ruling.rule === undefined ? {} : { rule: ruling.rule };
    return putQuestion({
      ask: asker === 'terminal' ? askTerminal : asker,
      question: { ...facts, ...rule, remembers, prompt },
      call: toolCall,
      timeoutMs,
      context,
    }).pipe(concatMap((asked) => remember(asked, call, ruling, run, always).pipe(map(() => verdictOf(asked, ruling)))));
  }

  /** A yes counts when what was to be remembered is. */
  function remember(asked: Asked, call: SeenCall, ruling: Ruling, run: RunInfo, always: string | undefined) {
    if (!asked.approved || asked.remember === undefined) return of(undefined);
    if (asked.remember === 'session' || always === undefined) return grants.add(call, grantedRule(ruling), run);
    const own: RuleSource = { allow: [always], ask: [], deny: [], place };
    return from(addAllowRule(resolve(alwaysFile as string), always)).pipe(
      map(() => {
        sources.push(own);
        judge = ruleJudge(sources, otherwise);
      }),
    );
  }

  return defineHook({
    name,
    description: 'Allows, asks about or denies calls by rules.',
    priority: HookPriority.AUTH,
    // The question and the store have their own; those who wait for another question have none.
    timeoutMs: Number.POSITIVE_INFINITY,
    approve: function permission(event, context) {
      for (const told of untold) context.log.warn({ hook: name }, told);
      untold = [];
      const call = seenCall(event);
      const ruling = judge(call);
      if (ruling.action === 'allow') return verdict.allow();
      if (ruling.action === 'deny') return verdict.deny(`${ruling.why}.`);
      return ask(event, call, ruling, context);
    },
  });
}

/** The rule that a yes for the session is bound to. Beside a part that a rule fits anything may stand: then it is the very call. */
function grantedRule({ rule, partly }: Ruling): string | undefined {
  return partly ? undefined : rule;
}

/** What an agent may not change: the rules that it is judged by. */
function keepsFile(file: string): Rule {
  const pattern = resolve(file).replace(/[*?[\]!#\\ ]/g, '\\$&');
  return { tool: '*', permission: ['write', 'external'], path: `/${pattern}` };
}

function seenCall({ toolCall: { name, input }, permission }: PreActing): SeenCall {
  const { as, input: theirs } = toTheirs(workspaceToolTable, name, input);
  return { own: name, tool: as, input: theirs, permission };
}

function verdictOf(asked: Asked, { why }: Ruling): Verdict {
  return asked.approved ? verdict.allow() : verdict.deny(`${why}, and ${asked.reason}.`);
}
