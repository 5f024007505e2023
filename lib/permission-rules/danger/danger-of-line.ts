import { SHELLS } from '../shell/readings.ts';
import { commandsOf, type RunCommand } from './commands-of.ts';
import { dangerInCode, dangerInSql } from './dangerous-code.ts';
import { dangerOfCommand } from './dangerous-programs.ts';

/** Programs that run what they read. */
const INTERPRETER = /^(?:python\d?|node|nodejs|perl|ruby|php|deno|bun)$/;
const DATABASE = /^(?:psql|mysql|mariadb|sqlite3|sqlcmd|clickhouse-client|cqlsh|duckdb)$/;
/** Programs that get a text from elsewhere. */
const FETCHED = /\b(?:curl|wget|fetch|nc|base64|xxd|openssl)\b/;
/** What may run a text that a substitution has fetched, and such a substitution. */
const RUNS_TEXT = /\b(?:eval|source|(?:ba|z|da|k)?sh)\b|^ ?\. /;
const FETCHES = /(?:\$\(|`|<\() ?(?:curl|wget)\b/;
/** Writes over a device, or over files of the system. */
const WRITES_OVER = />\|? ?\/dev\/(?!null\b|stdout\b|stderr\b|tty|fd\/|shm\/)\w|>\|? ?\/etc\//;
/** Empties a file: nothing is written into it. */
const EMPTIES = /(?:^|[;&|({\n]) ?(?::|true|cat \/dev\/null)? ?(?<![>\d])>\|? ?(?![>&\s])(?!\/dev\/)/;
/** The head of a function, and how many of them are looked for. */
const MOST_FUNCTIONS = 20;
const FUNCTION = /([\w:.-]{1,64}) ?\( ?\) ?\{/g;

/** What a line of a shell does that cannot be undone, in the words that say so. */
export function dangerOfLine(line: string): string | undefined {
  for (const command of commandsOf(line)) {
    const found = dangerOfRun(command);
    if (found !== undefined) return found;
  }
  // The lines of a here-document stand where commands would.
  const inDocument = /<<-? ?["']?\w/.test(line) ? dangerInCode(line) : undefined;
  return inDocument ?? dangerInText(line.replace(/[^\S\n]+/g, ' ').replace(/\n+/g, '\n'));
}

/** What a line shows as a text; its blanks are single ones, so that no pattern goes back over many. */
function dangerInText(line: string): string | undefined {
  const fetching = line.split(/[;&|\n]/).find((part) => {
    const run = RUNS_TEXT.exec(part);
    return run !== null && FETCHES.test(part.slice(run.index));
  });
  if (fetching !== undefined) return fetching.trim();
  const over = WRITES_OVER.exec(line) ?? EMPTIES.exec(line);
  if (over) return over[0].trim();
  const dense = line.replaceAll(' ', '');
  const functions = new Set(Array.from(line.matchAll(FUNCTION), ([, name]) => name).slice(0, MOST_FUNCTIONS));
  return [...functions].find((name) => dense.includes(`${name}|${name}&`));
}

/** The same of one command, and of what it reads. */
export function dangerOfRun({ name, words, read }: RunCommand): string | undefined {
  const found = dangerOfCommand(name, words.slice(1));
  if (found !== undefined || read.trim() === '') return found;
  if (DATABASE.test(name)) return dangerInSql(read.replace(/["']/g, ';'));
  const rest = words.slice(1);
  const readsProgram = rest.every((word) => word.startsWith('-')) || rest.includes('-s');
  if (!readsProgram) return undefined;
  if (SHELLS.test(name) && name !== 'eval') return `| ${name}`;
  if (!INTERPRETER.test(name)) return undefined;
  return FETCHED.test(read) ? `| ${name}` : dangerInCode(read);
}
