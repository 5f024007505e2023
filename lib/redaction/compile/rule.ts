import type { Confidence } from '../confidence.ts';
import type { Sighting } from './sighting.ts';

/** The pattern of one kind of secret, and the tests that exclude similar texts. */
export interface Rule {
  /** Kebab-case; used in markers, findings and options: `github-pat`. */
  readonly id: string;
  /** For people: `GitHub personal access token`. */
  readonly description?: string;
  /** Whether it grants access or identifies a person. Default: `credential`. */
  readonly category?: 'credential' | 'personal';
  /**
   * A `RegExp`, or the source of one (JavaScript or RE2 syntax, so it may contain `(?i)`). No lookaround and no back-references. Set either this or `literal`.
   */
  readonly pattern?: RegExp | string;
  /** The exact secret. */
  readonly literal?: string;
  /** The group that is the secret; the text around it is context and stays. Default: the first group that took part, otherwise the whole match. */
  readonly secretGroup?: number;
  /** One of these must occur in the match or in the text before it, in any case. A pattern that begins with a literal needs none. */
  readonly keywords?: readonly string[];
  /** The minimum Shannon entropy of the secret, in bits per character. */
  readonly entropy?: number;
  /** Matches that are not secrets; one suffices. */
  readonly allow?: readonly Allowance[];
  /** A last check of the secret and its surroundings, such as a checksum. */
  readonly check?: (secret: string, sighting: Sighting) => boolean;
  /** The confidence of a match; a function decides for each. A function that throws counts as `format`. Default: `format`. */
  readonly confidence?: Confidence | ((sighting: Sighting) => Confidence);
  /** The maximum length of a secret in characters. A longer one is swallowed behind its marker. Default: 8192. */
  readonly maxLength?: number;
  /**
   * Inserts the marker as soon as the context matches, and swallows the secret as it arrives: for secrets of unbounded length. If there are several groups,
   * all are secret, and the text between two of them is swallowed too.
   */
  readonly swallow?: boolean;
  /** For a rule that swallows: whether the last characters before the match must also be before each later part of the secret, as in a wide log. */
  readonly aligned?: boolean;
  /** Whether line ends and zero-width characters may break long runs of the pattern, as in tokens that a terminal wraps. */
  readonly wraps?: boolean;
  /** Whether it is enabled if no rules are named. Default: `true`. */
  readonly byDefault?: boolean;
}

/** Marks a match as not a secret. All given fields must match. */
export interface Allowance {
  /** Must match in `target`. */
  readonly pattern?: RegExp | string;
  /** One of these must occur in the secret, in any case. */
  readonly stopWords?: readonly string[];
  /** The text that `pattern` searches: the secret, the whole match, or the line up to the end of the match. Default: `secret`. */
  readonly target?: 'secret' | 'match' | 'line';
}
