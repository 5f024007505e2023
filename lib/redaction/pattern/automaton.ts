import { type Alphabet, Kind, refined } from './alphabet.ts';
import { asks, holds } from './holds.ts';
import { Op, type Program } from './program.ts';

/** One pattern of an automaton, with its flags for each instruction. */
export interface Member {
  readonly program: Program;
  /** Whether a character consumed by an instruction may be part of the secret, or be after it. */
  readonly held: Uint8Array;
  /** Whether it may be part of the secret itself. */
  readonly within: Uint8Array;
}

/** The state of an automaton after some characters. Two paths to the same state have the same future. */
export interface State {
  /** Instructions that consumed the last character, by priority, for all members together. */
  readonly threads: readonly number[];
  /** The kind of the last character, as far as it matters. */
  readonly kind: number;
  /** Members that have matched, at the last place or before, as bits. */
  readonly matched: number;
  /** Members that may continue, as bits. */
  readonly alive: number;
  /** Whether the last character may be part of a secret or after one. */
  readonly held: boolean;
  readonly within: boolean;
  /** Whether a member may continue and none has ended with a match. */
  readonly quiet: boolean;
  /** The next state for each local class, computed on first use. */
  readonly next: (State | undefined)[];
  /** The matched members if only a kind of place follows, computed on first use. */
  readonly ends: (number | undefined)[];
  /** For the scanner: the last moment at which a candidate was in this state. */
  seen: number;
}

/** Patterns that are followed together from one place in the text; at most 31. */
export interface Automaton {
  readonly members: readonly Member[];
  /** The column of each class of the alphabet. */
  readonly columns: Uint16Array;
  /** Returns the state before the first character, given the kind of the character before it. */
  start(before: number): State;
  /** Returns the next state for a class of the alphabet. */
  step(state: State, unitClass: number): State;
  /** Returns the members that have matched if the text ends (`Kind.edge`) or protected text follows (`Kind.marker`), as bits. */
  finish(state: State, after: number): number;
  /** Discards its states if there are too many. Call it between texts, not within a character. */
  trim(): void;
  readonly stateCount: number;
}

const MOST_STATES = 4096;

/** Creates a deterministic automaton over patterns, built while it runs. It keeps the priorities of a backtracking matcher, so it dies at the same place. */
export function automatonOf(members: readonly Member[], alphabet: Alphabet): Automaton {
  const offsets: number[] = [];
  let total = 0;
  for (const { program } of members) {
    offsets.push(total);
    total += program.ops.length;
  }
  const flat = flatten(members, offsets, total);
  const tables = members.map(({ program }) => program.sets.map((set) => alphabet.members(set)));
  const tableOf = (thread: number): Uint8Array => tables[flat.owner[thread]!]![flat.arg[thread]!]!;
  const needsKinds = members.some(({ program }) => asks(program));
  const { columns, samples } = columnsOf(tables.flat(), alphabet, needsKinds);
  let states = new Map<string, State>();
  const starts: (State | undefined)[] = [];
  const visited = new Int32Array(total);
  let visit = 0;

  const intern = (threads: readonly number[], kind: number, matched: number): State => {
    const key = `${threads.join()};${kind};${matched}`;
    const known = states.get(key);
    if (known) return known;
    let alive = 0;
    let held = false;
    let within = false;
    for (const thread of threads) {
      alive |= 1 << flat.owner[thread]!;
      if (flat.held[thread]) held = true;
      if (flat.within[thread]) within = true;
    }
    const next = new Array<State | undefined>(samples.length).fill(undefined);
    const quiet = alive !== 0 && (matched & ~alive) === 0;
    const state: State = { threads, kind, matched, alive, held, within, quiet, next, ends: [], seen: 0 };
    states.set(key, state);
    return state;
  };

  /** Continues from `state` without consuming; returns the `char` instructions by priority, up to the match of their member. */
  const closure = (state: State, after: number, ready: number[]): number => {
    visit++;
    let matched = 0;
    const stack: number[] = [];
    const walk = (first: number): void => {
      stack.push(first);
      while (stack.length > 0) {
        const thread = stack.pop()!;
        const bit = 1 << flat.owner[thread]!;
        if (matched & bit || visited[thread] === visit) continue;
        visited[thread] = visit;
        switch (flat.ops[thread]) {
          case Op.char:
            ready.push(thread);
            break;
          case Op.split:
            stack.push(flat.arg[thread]!, flat.to[thread]!);
            break;
          case Op.save:
            stack.push(flat.to[thread]!);
            break;
          case Op.assert:
            if (holds(flat.arg[thread]!, state.kind, after)) stack.push(flat.to[thread]!);
            break;
          default:
            matched |= bit;
        }
      }
    };
    const from =
      state.threads === START
        ? members.map(({ program }, k) => offsets[k]! + program.entry)
        : state.threads.map((thread) => flat.to[thread]!);
    for (const thread of from) walk(thread);
    return matched;
  };

  const compute = (state: State, unitClass: number): State => {
    const ready: number[] = [];
    const kind = alphabet.kinds[unitClass]!;
    const matched = state.matched | closure(state, kind, ready);
    const threads = ready.filter((thread) => tableOf(thread)[unitClass]);
    return intern(threads, needsKinds ? kind : 0, matched);
  };

  return {
    members,
    columns,
    start(before) {
      starts[before] ??= {
        threads: START,
        kind: before,
        matched: 0,
        alive: -1,
        held: false,
        within: false,
        quiet: true,
        next: new Array<State | undefined>(samples.length).fill(undefined),
        ends: [],
        seen: 0,
      };
      return starts[before];
    },
    step(state, unitClass) {
      const column = columns[unitClass]!;
      const known = state.next[column];
      if (known) return known;
      const fresh = compute(state, unitClass);
      state.next[column] = fresh;
      return fresh;
    },
    finish(state, after) {
      const known = state.ends[after];
      if (known !== undefined) return known;
      const ready: number[] = [];
      const matched = state.matched | closure(state, after, ready);
      // A match that a marker cuts short does not count: without the marker there would be another match.
      const ended =
        after === Kind.marker ? ready.reduce((rest, thread) => rest & ~(1 << flat.owner[thread]!), matched) : matched;
      state.ends[after] = ended;
      return ended;
    },
    trim() {
      if (states.size <= MOST_STATES) return;
      for (const state of [...states.values(), ...starts]) state?.next.fill(undefined);
      states = new Map();
    },
    get stateCount() {
      return states.size;
    },
  };
}

const START: readonly number[] = [];

interface Flat {
  readonly ops: Uint8Array;
  readonly to: Int32Array;
  readonly arg: Int32Array;
  readonly owner: Uint8Array;
  readonly held: Uint8Array;
  readonly within: Uint8Array;
}

function flatten(members: readonly Member[], offsets: readonly number[], total: number): Flat {
  const flat: Flat = {
    ops: new Uint8Array(total),
    to: new Int32Array(total),
    arg: new Int32Array(total),
    owner: new Uint8Array(total),
    held: new Uint8Array(total),
    within: new Uint8Array(total),
  };
  members.forEach(({ program, held, within }, owner) => {
    const offset = offsets[owner]!;
    const { ops, to, arg } = program;
    for (let k = 0; k < ops.length; k++) {
      flat.to[offset + k] = to[k]! + offset;
      flat.arg[offset + k] = ops[k] === Op.split ? arg[k]! + offset : arg[k]!;
    }
    flat.ops.set(ops, offset);
    flat.owner.fill(owner, offset, offset + ops.length);
    flat.held.set(held, offset);
    flat.within.set(within, offset);
  });
  return flat;
}

/** Classes of the alphabet that these tables do not distinguish share a column. */
function columnsOf(tables: readonly Uint8Array[], { size, kinds }: Alphabet, needsKinds: boolean) {
  const columns = refined(size, new Set(needsKinds ? [kinds, ...tables] : tables));
  const samples: number[] = [];
  columns.forEach((column, unitClass) => void (column === samples.length && samples.push(unitClass)));
  return { columns, samples };
}
