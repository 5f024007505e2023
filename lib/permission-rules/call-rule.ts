import type { Permission } from '../events/parts/tool-description.ts';
import { canonicalJson } from '../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../events/values/json-value.ts';
import { createMatcher } from '../pipeline/define/matcher.ts';
import { calledCommandMatcher } from './action/match-called-command.ts';
import { matchAll, matchCalledPaths } from './action/match-called-paths.ts';
import { type ToolAction, toolAction } from './action/tool-action.ts';
import { isKnownTool, type RuleEffect } from './action/tool-families.ts';
import type { CallRule } from './call-rule-schema.ts';
import { createDiskView, type DiskView } from './disk-view.ts';
import { namedCommands, shellLineOf } from './fields/named-commands.ts';
import { type NamedPlaces, namedPlaces, placesIn } from './fields/named-places.ts';
import { type WordMatch, wordFinder } from './find-words.ts';
import { commandMatcher } from './match-command.ts';
import { domainMatcher } from './match-domain.ts';
import type { RulePlace } from './match-path.ts';
import type { RuledCall } from './match-rules.ts';
import { mentionRule } from './mentions/mention-rule.ts';
import { shellRule } from './mentions/shell-rules.ts';
import { type PathRule, pathRule } from './path-rule.ts';
import type { RuleMatch } from './rule-match.ts';

/** A call as passed to these rules. */
export interface SeenCall extends RuledCall {
  readonly own: string;
  /** The input under the tool's own names (default: `input`). */
  readonly given?: JsonObject;
  readonly permission: Permission;
}

const listed = (given: string | readonly string[]): readonly string[] => [given].flat();

/**
 * Creates the test of a rule. A rule about other calls returns `none`. A sealed value or one that is not a text returns `unclear`. `effect`: an allow rule
 * considers only what a call names, not what else it may reach.
 */
export function callRuleMatcher(
  rule: CallRule,
  place: RulePlace,
  effect: RuleEffect = 'refuse',
): (call: SeenCall) => RuleMatch {
  const { tool, family, permission, input, exactly, command, path, host, mentions, unreadable, words } = rule;
  const names = createMatcher(listed(tool));
  const find = words && wordFinder(words);
  const commands = command === undefined ? undefined : commandRule(listed(command), effect);
  const paths = path === undefined ? undefined : pathRule(listed(path), place);
  const hosts = host === undefined ? undefined : hostRule(listed(host));
  const mentioned = mentions === undefined ? undefined : mentionRule(listed(mentions), place);
  const whole = exactly && canonicalJson(exactly);
  const fields = Object.entries(input ?? {}).map(([at, glob]) => ({ at, matches: createMatcher([glob]) }));
  const where: Where = {
    fields: rule.in === undefined ? undefined : listed(rule.in),
    isNamed: !listed(tool).includes('*'),
    effect,
  };
  const reads = effect === 'refuse' ? shellRule(rule, place) : undefined;
  return (call) => {
    // An exact call is a call of one tool, not of others that do the same.
    if (!names(call.own) && (whole !== undefined || !names(call.tool))) return reads ? reads(actionOf(call)) : 'none';
    if (family && !listed(family).includes(actionOf(call).family)) return 'none';
    if (unreadable && actionOf(call).unreadable === undefined) return 'none';
    if (permission && !permission.includes(call.permission)) return 'none';
    return both([
      ...(whole === undefined ? [] : [matchWhole(call.given ?? call.input, whole)]),
      ...fields.map(({ at, matches }) => matchText(fieldAt(call.input, at), matches)),
      ...(commands ? [matchCommands(call, commands, where)] : []),
      ...(paths ? [matchPaths(call, paths, place, where)] : []),
      ...(hosts ? [matchHosts(call, hosts, place, where)] : []),
      ...(mentioned ? [foundBy(mentioned(actionOf(call)))] : []),
      ...(find ? [foundBy(find(call.own, call.input))] : []),
    ]);
  };
}

/** Returns how several conditions match together. */
function both(matches: readonly RuleMatch[]): RuleMatch {
  if (matches.includes('none')) return 'none';
  if (matches.includes('unclear')) return 'unclear';
  return matches.includes('some') ? 'some' : 'all';
}

function fieldAt(value: JsonValue | undefined, at: string): JsonValue | undefined {
  return at.split('.').reduce<JsonValue | undefined>((holder, name) => {
    if (typeof holder !== 'object' || holder === null) return undefined;
    return Object.hasOwn(holder, name) ? (holder as Readonly<Record<string, JsonValue>>)[name] : undefined;
  }, value);
}

function matchText(value: JsonValue | undefined, test: (text: string) => boolean): RuleMatch {
  if (value === undefined) return 'none';
  if (typeof value === 'object' && value !== null) return 'unclear';
  return test(String(value)) ? 'all' : 'none';
}

/** The value of a sealed one is unknown. */
function matchWhole(input: JsonObject, wanted: string): RuleMatch {
  const given = canonicalJson(input);
  if (given === wanted) return 'all';
  return given.includes('"$sealed":') ? 'unclear' : 'none';
}

interface CommandRule {
  readonly called: ReturnType<typeof calledCommandMatcher>;
  readonly matches: (line: string) => RuleMatch;
}

function commandRule(patterns: readonly string[], effect: RuleEffect): CommandRule {
  return { called: calledCommandMatcher(patterns, effect), matches: commandMatcher(patterns, effect) };
}

function matchCommands(call: SeenCall, rule: CommandRule, { isNamed }: Where): RuleMatch {
  if (isKnownTool(call.tool)) {
    const action = actionOf(call);
    return action.family === 'shell' ? rule.called(action) : 'none';
  }
  const found = namedCommands(call.input);
  const isSure = found.some(({ isLikely }) => !isLikely);
  return matchAll([
    ...(isSure ? [] : [isNamed ? ('unclear' as const) : ('none' as const)]),
    ...found.map(({ command, isSealed }) =>
      command === undefined || isSealed ? 'unclear' : rule.matches(shellLineOf(command)),
    ),
  ]);
}

const actionOf = ({ tool, input }: SeenCall): ToolAction => toolAction({ name: tool, input });

/** The fields in which a rule looks for paths and addresses. */
interface Where {
  /** Fields that the rule names; absent: all that are found. */
  readonly fields: readonly string[] | undefined;
  /** Whether the rule names its tools. If so, a call without a place has an unknown place. */
  readonly isNamed: boolean;
  readonly effect: RuleEffect;
}

function matchPaths(call: SeenCall, rule: PathRule, place: RulePlace, where: Where): RuleMatch {
  if (!where.fields && isKnownTool(call.tool)) return matchKnownPaths(actionOf(call), rule, where.effect);
  const disk = createDiskView();
  const named = placesOf(call, place, where.fields, disk);
  const matchPath = (path: string) => rule.matches(path, undefined, disk);
  const match = matchPlaces(named.paths, matchPath, where);
  if (where.effect === 'refuse' && named.patched.some((path) => /^(?:all|some)$/.test(matchPath(path)))) return 'some';
  return match === 'none' && where.effect === 'refuse' && rule.mayReach(named, disk) ? 'unclear' : match;
}

function matchKnownPaths(action: ToolAction, rule: PathRule, effect: RuleEffect): RuleMatch {
  if (action.family === 'web') return 'none';
  const match = matchCalledPaths(action, rule.matches);
  if (action.family !== 'shell') return match;
  // A shell line may do more than the patch in it.
  if (effect === 'allow') return 'none';
  return match === 'all' ? 'some' : match;
}

interface HostRule {
  /** Returns how the rule matches an address. */
  readonly matches: (url: string) => RuleMatch;
  /** Returns whether it names this host. A pattern for all hosts names none: many texts, such as names of files, have the shape of a host. */
  readonly names: (host: string) => boolean;
}

function hostRule(hosts: readonly string[]): HostRule {
  const domains = (some: readonly string[]) => domainMatcher(some.map((one) => `domain:${one}`));
  const named = domains(hosts.filter((host) => /[^*.]/.test(host)));
  return { matches: domains(hosts), names: (host) => named(`http://${host}`) === 'all' };
}

function matchHosts(call: SeenCall, rule: HostRule, place: RulePlace, where: Where): RuleMatch {
  if (!where.fields && isKnownTool(call.tool) && call.tool !== 'WebFetch') return 'none';
  const { urls, hosts } = placesOf(call, place, where.fields);
  const found = matchPlaces(urls, rule.matches, where);
  const isUnreadable = !where.fields && isKnownTool(call.tool) && actionOf(call).unreadable !== undefined;
  const match = isUnreadable ? matchAll([found, 'unclear']) : found;
  return match === 'none' && where.effect === 'refuse' && hosts.some(rule.names) ? 'unclear' : match;
}

function placesOf(
  { input }: SeenCall,
  place: RulePlace,
  fields: readonly string[] | undefined,
  disk?: DiskView,
): NamedPlaces {
  return fields ? placesIn(fields.map((at) => fieldAt(input, at))) : namedPlaces(input, place, disk);
}

function matchPlaces(
  named: NamedPlaces['paths'],
  test: (text: string) => RuleMatch,
  { fields, isNamed }: Where,
): RuleMatch {
  if (named.length === 0) return isNamed || fields ? 'unclear' : 'none';
  return matchAll(named.map((text) => (text === undefined ? 'unclear' : test(text))));
}

function foundBy(found: WordMatch | boolean | undefined): RuleMatch {
  return found ? 'all' : 'none';
}
