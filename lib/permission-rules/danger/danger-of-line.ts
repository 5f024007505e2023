import { SHELLS } from '../shell/readings.ts';
import { commandsOf, type RunCommand } from './commands-of.ts';
import { dangerInCode, dangerInSql } from './dangerous-code.ts';
import { dangerOfCommand } from './dangerous-programs.ts';

/** Programs that run what they read. */
const INTERPRETER = /^(?:python\d?|node|nodejs|perl|ruby|php|deno|bun)$/;
const DATABASE = /^(?:psql|mysql|mariadb|sqlite3|sqlcmd|clickhouse-client|cqlsh|duckdb)$/;
/** Programs that get a text from elsewhere. */
const FETCHED = /\b(?:curl|wget|fetch|nc|base64|xxd|openssl)\b/;
/** A shell that runs what a substitution has fetched. */
const RUNS_FETCHED = /(?:\b(?:eval|source|(?:ba|z|da|k)?sh)\b|(?:^|[;&|]\s*)\.)[^;&|]*(?:\$\(|`|<\()\s*(?:curl|wget)\b/;
/** Writes over a device, or over files of the system. */
const WRITES_OVER = />\|?\s*\/dev\/(?!null\b|stdout\b|stderr\b|tty|fd\/|shm\/)\w|>\|?\s*\/etc\//;
/** Empties a file: nothing is written into it. */
const EMPTIES = /(?:^|[;&|({\n])\s*(?::|true|cat\s+\/dev\/null)?\s*(?<![>\d])>\|?\s*(?![>&\s])(?!\/dev\/)/;
const FORK_BOMB = /(\S+)\s*\(\)\s*\{[^}]*\1\s*\|\s*\1\s*&/;

/** What a line of a shell does that cannot be undone, in the words that say so. */
export function dangerOfLine(line: string): string | undefined {
  for (const command of commandsOf(line)) {
    const found = dangerOfRun(command);
    if (found !== undefined) return found;
  }
  // The lines of a here-document stand where commands would.
  const inDocument = /<<-?\s*["']?\w/.test(line) ? dangerInCode(line) : undefined;
  if (inDocument !== undefined) return inDocument;
  for (const test of [RUNS_FETCHED, WRITES_OVER, EMPTIES, FORK_BOMB]) {
    const found = test.exec(line)?.[0].trim();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same of one command, and of what it reads. */
export function dangerOfRun({ name, words, read }: RunCommand): string | undefined {
  const found = dangerOfCommand([name, ...words.slice(1)]);
  if (found !== undefined || read.trim() === '') return found;
  if (DATABASE.test(name)) return dangerInSql(read.replace(/["']/g, ';'));
  const rest = words.slice(1);
  const readsProgram = rest.every((word) => word.startsWith('-')) || rest.includes('-s');
  if (!readsProgram) return undefined;
  if (SHELLS.test(name) && name !== 'eval') return `| ${name}`;
  if (!INTERPRETER.test(name)) return undefined;
  return FETCHED.test(read) ? `| ${name}` : dangerInCode(read);
}
