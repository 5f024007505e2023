import { type Alphabet, alphabetOf } from '../pattern/alphabet.ts';
import { type Automaton, automatonOf } from '../pattern/automaton.ts';
import { type DullUnits, dullUnits } from '../pattern/dull-units.ts';
import type { TokenVault } from '../redactor.ts';
import { boundaryEnds } from '../scan/boundaries.ts';
import { LOOK_BACK } from '../scan/judge.ts';
import { type LiteralScanner, literalScanner } from '../scan/literal-scanner.ts';
import { allowanceTests } from './allowance-test.ts';
import { type Beginnings, beginningsOf } from './beginnings.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { EngineRule } from './engine-rule.ts';

/** Rules that are matched together. */
export interface Unit {
  readonly rules: readonly EngineRule[];
  /** Built on first use. */
  readonly automaton: Automaton;
  built: Automaton | undefined;
  readonly maxLength: number;
  readonly swallow: boolean;
  /** All parts of its secret are behind the same text. */
  readonly aligned: boolean;
  /** Its rules are literals: the number of followed beginnings never exceeds their characters. */
  readonly literal: boolean;
}

/** A literal leads to a candidate, is a keyword, or may be the end of an escape, after which a word begins. */
export type Landmark = { readonly unit: Unit } | { readonly keyword: number } | 'boundary';

/** The data that all streams share. */
export interface Engine {
  readonly alphabet: Alphabet;
  readonly landmarks: LiteralScanner<Landmark>;
  /** For units whose matches may begin with any text. */
  readonly beginnings: Beginnings<Unit>;
  readonly dull: DullUnits;
  readonly keywordCount: number;
  readonly labels: ReadonlySet<string>;
  /** The number of characters before a match that an allowance reads. */
  readonly lookBack: number;
  /** Counts characters read, so that automata are trimmed regularly. */
  count(characters: number): void;
  /** Stores values behind tokens: its tokens are not secrets. */
  readonly vault: TokenVault | undefined;
}

const TRIM_EVERY = 2048;
const MOST_MEMBERS = 31;

export function createEngine(rules: readonly CompiledRule[], vault?: TokenVault): Engine {
  const programs = rules.flatMap(({ program, allow }) => [program, ...allow.flatMap(({ program: p }) => p ?? [])]);
  // Rules share the programs of allowances.
  const alphabet = alphabetOf(Array.from(new Set(programs), ({ sets }) => sets));
  const testOf = allowanceTests(alphabet);
  const keywords = [...new Set(rules.flatMap((rule) => rule.keywords))];
  const engineRules = rules.map((compiled, order): EngineRule => {
    let members: readonly Uint8Array[] | undefined;
    return {
      compiled,
      order,
      get members() {
        members ??= compiled.program.sets.map((set) => alphabet.members(set));
        return members;
      },
      keywords: compiled.keywords.map((keyword) => keywords.indexOf(keyword)),
      allow: compiled.allow.map(testOf),
    };
  });
  const built: Automaton[] = [];
  const unitOf = (members: readonly EngineRule[]): Unit => ({
    rules: members,
    built: undefined,
    get automaton() {
      if (this.built) return this.built;
      const parts = members.map(({ compiled }) => compiled.member);
      this.built = automatonOf(parts, alphabet);
      built.push(this.built);
      return this.built;
    },
    maxLength: Math.max(...members.map(({ compiled }) => compiled.maxLength)),
    swallow: members.some(({ compiled }) => compiled.rule.swallow),
    aligned: members.some(({ compiled }) => compiled.rule.aligned),
    literal: members.every(isLiteral),
  });
  const anchored = groupBy(engineRules.filter(({ compiled }) => compiled.anchors.length > 0)).map(unitOf);
  const openUnits = groupBy(engineRules.filter(({ compiled }) => compiled.anchors.length === 0)).map(unitOf);
  let uncounted = 0;
  const landmarks = literalScanner<Landmark>([
    ...anchored.flatMap((unit) => {
      const { anchors } = unit.rules[0]!.compiled;
      const lead = Math.min(...unit.rules.map(({ compiled }) => compiled.lead));
      return anchors.map((text) => ({ text, found: { unit }, lead }));
    }),
    ...keywords.map((text, keyword) => ({ text, found: { keyword }, lead: undefined })),
    ...boundaryEnds.map((text) => ({ text, found: 'boundary' as const, lead: undefined })),
  ]);
  const beginnings = beginningsOf(openUnits, alphabet);
  return {
    alphabet,
    landmarks,
    beginnings,
    dull: dullUnits(alphabet, landmarks, beginnings),
    keywordCount: keywords.length,
    labels: new Set(rules.map(({ label }) => label)),
    lookBack: engineRules.some(looksBack) ? LOOK_BACK : 0,
    count(characters) {
      uncounted += characters;
      if (uncounted < TRIM_EVERY) return;
      uncounted = 0;
      for (const automaton of built) automaton.trim();
    },
    vault,
  };
}

/** A function may read the line of a match. */
const looksBack = ({ allow, compiled: { rule } }: EngineRule): boolean =>
  rule.check !== undefined ||
  rule.aligned === true ||
  typeof rule.confidence === 'function' ||
  allow.some(({ target }) => target === 'line');

const isLiteral = ({ compiled }: EngineRule): boolean => compiled.rule.literal !== undefined;

/** Rules with the same beginning share an automaton. A rule that swallows has its own, and literals are grouped separately. */
function groupBy(rules: readonly EngineRule[]): EngineRule[][] {
  const groups = new Map<string, EngineRule[][]>();
  for (const rule of rules) {
    const { compiled } = rule;
    const key = compiled.rule.swallow ? `! ${rule.order}` : `${isLiteral(rule)} ${compiled.anchors.join('\n')}`;
    const chunks = groups.get(key) ?? [];
    groups.set(key, chunks);
    const last = chunks.at(-1);
    if (last && last.length < MOST_MEMBERS) last.push(rule);
    else chunks.push([rule]);
  }
  return [...groups.values()].flat();
}
