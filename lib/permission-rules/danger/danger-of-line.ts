import { SHELLS } from '../shell/readings.ts';
import { commandsOf, type RunCommand } from './commands-of.ts';
import { dangerInCode, dangerInSql } from './dangerous-code.ts';
import { dangerOfCommand } from './dangerous-programs.ts';
import { runOfDownload } from './runs-download.ts';

/** Programs that run the text that they read. */
const INTERPRETER = /^(?:python\d?|node|nodejs|perl|ruby|php|deno|bun)$/;
const DATABASE = /^(?:psql|mysql|mariadb|sqlite3|sqlcmd|clickhouse-client|cqlsh|duckdb)$/;
/** Programs that fetch a text from elsewhere. */
const FETCHED = /\b(?:curl|wget|fetch|nc|base64|xxd|openssl)\b/;
/** Programs that may run a text that a substitution fetched, and such a substitution. */
const RUNS_TEXT = /\b(?:eval|source|(?:ba|z|da|k)?sh)\b|^ ?\. /;
const FETCHES = /(?:\$\(|`|<\() ?(?:curl|wget)\b/;
/** Writes to a device or over files of the system. */
const WRITES_OVER = />\|? ?\/dev\/(?!null\b|stdout\b|stderr\b|tty|fd\/|shm\/)\w|>\|? ?\/etc\//;
/** Empties a file by writing nothing into it. */
const EMPTIES = /(?:^|[;&|({\n]) ?(?::|true|cat \/dev\/null)? ?(?<![>\d])>\|? ?(?![>&\s])(?!\/dev\/)/;
/** The head of a function, and the maximum number of functions examined. */
const MOST_FUNCTIONS = 20;
const FUNCTION = /([\w:.-]{1,64}) ?\( ?\) ?\{/g;

/** Returns the irreversible effect of a shell line, as the words that cause it. */
export function dangerOfLine(line: string): string | undefined {
  const commands = commandsOf(line);
  for (const command of commands) {
    const found = dangerOfRun(command);
    if (found !== undefined) return found;
  }
  const downloaded = runOfDownload(line, commands);
  if (downloaded !== undefined) return downloaded;
  // The lines of a here-document are in the place of commands.
  const inDocument = /<<-? ?["']?\w/.test(line) ? dangerInCode(line) : undefined;
  return inDocument ?? dangerInText(line.replace(/[^\S\n]+/g, ' ').replace(/\n+/g, '\n'));
}

/** Finds the irreversible effect in the text of a line. Its blanks are single, so that no pattern backtracks over many. */
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

/** The same for one command and for the text that it reads. */
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
