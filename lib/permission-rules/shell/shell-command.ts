/** A word of a command line. */
export interface ShellWord {
  /** As it is written, quotes included. */
  readonly raw: string;
  /** What the program gets, if that is known. */
  readonly text: string;
  /** Whether that is known: no variable, substitution or expansion of braces stands in it. */
  readonly known: boolean;
  /** Whether the shell may put names of files in its place: `*`, `?` or `[` stands in it, outside of quotes. */
  readonly glob: boolean;
}

/** One command of a line. */
export interface ShellCommand {
  /** Its words, without assignments in front and redirections. */
  readonly words: readonly ShellWord[];
  /** Whether it does nothing beside running: no variable is set for it, no file is read or written by the shell. */
  readonly plain: boolean;
  /** Its words behind the first one and its here-strings, as they are written. */
  readonly text: string;
  /** The variables that are set for it or by it, as they are written. */
  readonly assigned: string;
  /** The text of the commands whose output it may read. */
  readonly piped: string;
}

/** A line as a shell would run it. */
export interface ShellLine {
  /** All commands that were found, those of substitutions included. */
  readonly commands: readonly ShellCommand[];
  /** Whether that is all that the line does, so far as its text can tell. */
  readonly understood: boolean;
  /** Whether all commands were found, though a loop, a condition or a here-document runs them any number of times. */
  readonly complete: boolean;
}
