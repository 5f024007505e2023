import type { ShellWord } from './shell-command.ts';

type Words = readonly ShellWord[];

/** Options before a subcommand, by program: those without a value, and those whose value is the next word. */
interface FrontOptions {
  readonly flags: RegExp;
  readonly values: RegExp;
}

const GIT: FrontOptions = {
  flags: /^(-[pP]|--(no-pager|paginate|bare|no-optional-locks|no-replace-objects|\w+-pathspecs|[\w-]+=.*))$/,
  values: /^(-[Cc]|--(git-dir|work-tree|namespace|config-env))$/,
};
const KUBECTL: FrontOptions = { flags: /^--[\w-]+=/, values: /^(-n|--(namespace|context|kubeconfig|cluster|user))$/ };
const DOCKER: FrontOptions = {
  flags: /^(-D|--debug|--[\w-]+=.*)$/,
  values: /^(-[Hcl]|--(host|context|config|log-level))$/,
};
const programs: ReadonlyMap<string, FrontOptions> = new Map([
  ['git', GIT],
  ['kubectl', KUBECTL],
  ['helm', KUBECTL],
  ['docker', DOCKER],
  ['podman', DOCKER],
  ['gh', { flags: /^--[\w-]+=/, values: /^(-R|--repo)$/ }],
  ['npm', { flags: /^--[\w-]+=/, values: /^(-w|--(workspace|prefix))$/ }],
]);

/** The maximum number of readings of one command. */
const MOST = 50;

/**
 * Returns the command without its options before the subcommand: `git push` for `git -C . push`. The word after an unknown option may be its value or the
 * subcommand, so there may be several readings. `undefined` stands for too many.
 */
export function withoutFrontOptions(words: Words): readonly Words[] | undefined {
  const [program, ...rest] = words;
  if (!program) return [];
  const options = programs.get(program.text.slice(program.text.lastIndexOf('/') + 1));
  const found: Words[] = [];
  const reached = new Set([0]);
  for (const at of reached) {
    const word = rest[at];
    if (!word) continue;
    if (found.length >= MOST || at >= MOST) return undefined;
    if (!word.text.startsWith('-')) {
      if (at > 0) found.push([program, ...rest.slice(at)]);
      continue;
    }
    const takesValue = options?.values.test(word.text) === true && isOneWord(rest[at + 1]);
    if (!takesValue) reached.add(at + 1);
    if (!options?.flags.test(word.text)) reached.add(at + 2);
  }
  return found;
}

/** Returns whether the shell makes exactly one word of it. */
function isOneWord(word: ShellWord | undefined): boolean {
  if (!word || word.glob) return false;
  return word.known || /^"[^"@*]*"$/.test(word.raw);
}
