import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Redactor } from '../../../lib/redaction/index.ts';

const TEXT =
  /\.(?:[cm]?[jt]sx?|json5?|md|mdx|css|scss|less|html?|ya?ml|py|java|kt|swift|mm?|h|hpp|c|cc|cpp|gypi?|sh|txt|map|svg|vue|svelte|snap|xml|properties|gradle|rb|go|rs|toml|ps1|bat|[1-7]|graphql|proto|hbs|log|tap|po|ini|cfg|conf)$/i;
const MOST_OF_FILE = 1_500_000;
const LINK = /\]\(https?:\/\/[^)\s]{1,400}\)/g;

/** The findings of a redactor in the texts of a folder. */
export interface Measured {
  readonly bytes: number;
  /** `rule file: value`, by confidence. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  /** Files that are no longer valid JSON, or whose links have changed. */
  readonly broken: readonly string[];
}

/** Reads the texts of a folder in a fixed random order, up to `most` bytes. */
export function measureFolder(folder: string, redactor: Redactor, most: number): Measured {
  const found = new Map<string, string[]>();
  const broken: string[] = [];
  let bytes = 0;
  for (const file of shuffled(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())) {
    const path = join(folder, file);
    const stat = TEXT.test(file) ? statSync(path) : undefined;
    if (!stat?.isFile() || stat.size > MOST_OF_FILE || bytes + stat.size > most) continue;
    bytes += stat.size;
    const text = readFileSync(path, 'utf8');
    const { text: shown, findings } = redactor.redact(text);
    if (findings.length === 0) continue;
    for (const { rule, confidence = 'format', start, end } of findings) {
      const list = found.get(confidence) ?? [];
      found.set(confidence, list);
      list.push(`${rule} ${file}: ${text.slice(Math.max(0, start - 40), end).slice(0, 160)}`);
    }
    if (/\.json$/.test(file) && isJson(text) && !isJson(shown)) broken.push(file);
    if (/\.mdx?$/.test(file) && text.match(LINK)?.length !== shown.match(LINK)?.length) broken.push(file);
  }
  return { bytes, found, broken };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function shuffled(files: readonly string[]): readonly string[] {
  let seed = 7;
  const keyed = files.map((file) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return [seed, file] as const;
  });
  return keyed.sort(([a], [b]) => a - b).map(([, file]) => file);
}
