import type { Confidence } from '../confidence.ts';
import type { Sighting } from './sighting.ts';

/** What one kind of secret looks like, and what tells it from its like. */
export interface Rule {
  /** Kebab-case; stands in markers, findings and options: `github-pat`. */
  readonly id: string;
  /** For people: `GitHub personal access token`. */
  readonly description?: string;
  /** Whether it opens a door or names a person. Default `credential`. */
  readonly category?: 'credential' | 'personal';
  /**
   * What it matches: a `RegExp`, or the source of one (JavaScript or RE2 syntax, so `(?i)` may stand in it). No lookaround and no
   * back-references. Either this or `literal`.
   */
  readonly pattern?: RegExp | string;
  /** The secret itself, letter for letter. */
  readonly literal?: string;
  /** The group that is the secret; what stands around it is context and is let through. Default: the first group that took part, else all. */
  readonly secretGroup?: number;
  /** One of these must stand in the match or in the text before it, in any case. A pattern that begins with a literal needs none. */
  readonly keywords?: readonly string[];
  /** Least Shannon entropy of the secret, in bits a character. */
  readonly entropy?: number;
  /** What is no secret although it matches; one suffices. */
  readonly allow?: readonly Allowance[];
  /** A last look at the secret and its surroundings: a checksum, say. */
  readonly check?: (secret: string, sighting: Sighting) => boolean;
  /** How sure a match is; a function decides for each. Default `format`. A function that throws counts as `format`. */
  readonly confidence?: Confidence | ((sighting: Sighting) => Confidence);
  /** Characters that a secret has at most; a longer one is swallowed behind its marker. Default 8192. */
  readonly maxLength?: number;
  /**
   * Sets the marker as soon as the context stands, and swallows the secret as it comes: for what may never end. Of several groups all are secret,
   * and what stands between two of them goes with them.
   */
  readonly swallow?: boolean;
  /** Whether long runs in the pattern may be broken by ends of lines and by zero-width characters, as tokens are that a terminal wraps. */
  readonly wraps?: boolean;
  /** Whether it is on where no rules are named. Default `true`. */
  readonly byDefault?: boolean;
}

/** Says of a match that it is no secret. All the members that are given must hold. */
export interface Allowance {
  /** Must be found in `target`. */
  readonly pattern?: RegExp | string;
  /** One of them must stand in the secret, in any case. */
  readonly stopWords?: readonly string[];
  /** What `pattern` is looked for in: the secret, the whole match, or the line as far as the match goes. Default `secret`. */
  readonly target?: 'secret' | 'match' | 'line';
}
