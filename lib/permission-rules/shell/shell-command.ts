export interface ShellWord {
  /** The source text, including quotes. */
  readonly raw: string;
  /** The text that the program receives, if known. */
  readonly text: string;
  /** Whether that is known: it contains no variable, substitution or brace expansion. */
  readonly known: boolean;
  /** Whether the shell may replace it with file names: it contains an unquoted `*`, `?` or `[`. */
  readonly glob: boolean;
}

export interface ShellCommand {
  /** Its words, without leading assignments and redirections. */
  readonly words: readonly ShellWord[];
  /** Whether it only runs: no variable is set for it, and the shell reads or writes no file. */
  readonly plain: boolean;
  /** The source of its words after the first one, and of its here-strings. */
  readonly text: string;
  /** The source of the variables that are set for it or by it. */
  readonly assigned: string;
  /** The files to which the shell writes its output. */
  readonly written: readonly ShellWord[];
  /** The text of the commands whose output it may read. */
  readonly piped: string;
}

/** A line as a shell would run it. */
export interface ShellLine {
  /** All commands found, including those of substitutions. */
  readonly commands: readonly ShellCommand[];
  /** Whether the line does nothing else, as far as its text shows. */
  readonly understood: boolean;
  /** Whether all commands were found, even if a loop, a condition or a here-document runs them any number of times. */
  readonly complete: boolean;
}
