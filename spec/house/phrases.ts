import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { root } from './import-graph.ts';

/**
 * Phrases that the field does not use, with what it says instead. Phrases, not single verbs: a word that is right somewhere is not here.
 */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bquestions? to (?:the|a) model\b/i, 'model request'],
  [/\b(?:asks?|asked|asking) the model (?:again|anew)\b/i, 'sends the model request again'],
  [/\b(?:that )?no rule (?:speaks|fits)\b/i, 'no rule matches'],
  [/\bis a no\b/i, 'denies'],
  [/\b(?:is|are) (?:taken for|a) a? ?yes\b/i, 'approves'],
  [/\blasting yes\b/i, 'grant'],
  [/\bwhat becomes of\b/i, 'the default for'],
  [/\bother people['’]s (?:loops?|models?|hosts?)\b/i, 'frameworks'],
  [/\bloops? that others wrote\b/i, 'frameworks'],
  [/\bheld calls?\b/i, 'pending call'],
  [/\bputs? (?:it|them|what\b.*?) in front of\b/i, 'proxies'],
  [/\banew\b/i, 'again'],
  [/\btells of\b/i, 'reports'],
  [/\bis told (?:of|to)\b/i, 'receives'],
  [/\bthe very\b/i, 'the same'],
  [/\bwhoever\b/i, 'a named actor'],
  [/\bgoes on with\b/i, 'continues with'],
  [/\bmay go on\b/i, 'may continue'],
  [/\bfor ever\b/i, 'forever, or without a timeout'],
  [/\bthat comes? with (?:it|Hookline)\b/i, 'built-in'],
  [/\bis no (?:object|list|text|number|string)\b/i, 'is not a'],
  [/\bhas to stand\b/i, 'must be'],
  [/\bin the place of\b/i, 'instead of'],
  [/\bat once or when\b/i, 'when'],
];

interface Hit {
  readonly file: string;
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** What people read of a Markdown page: code blocks and inline code are left out, lines are kept. */
function proseOf(markdown: string): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ');
  return markdown.replaceAll(/^```[\s\S]*?^```/gm, blank).replaceAll(/`[^`\n]*`/g, blank);
}

/** The strings of a source file, in their places: help, messages and descriptions. */
function stringsOf(file: string, source: string): string {
  const text: string[] = Array.from(source, (letter) => (letter === '\n' ? '\n' : ' '));
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      for (let at = node.getStart(tree); at < node.getEnd(); at++) text[at] = source[at]!;
    }
    ts.forEachChild(node, visit);
  };
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false);
  visit(tree);
  return text.join('');
}

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name));

/** Every place in pages, help and messages that has one of the phrases. */
export function findPhrases(): readonly Hit[] {
  const pages = [...readdirSync(root).filter((name) => name.endsWith('.md')), ...filesIn('samples', /\.md$/)];
  const sources = [...filesIn('lib', /\.tsx?$/), ...filesIn('.vitepress/generator', /\.ts$/)];
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const texts = [
    ...pages.map((file) => [file, proseOf(read(file))] as const),
    ...sources.map((file) => [file, stringsOf(file, read(file))] as const),
  ];
  return texts.flatMap(([file, text]) =>
    text.split('\n').flatMap((line, at) =>
      PHRASES.flatMap(([phrase, instead]) => {
        const found = phrase.exec(line);
        return found ? [{ file, line: at + 1, phrase: found[0], instead }] : [];
      }),
    ),
  );
}

if (require.main === module) {
  const hits = findPhrases();
  for (const { file, line, phrase, instead } of hits)
    console.log(`${file}:${line}: "${phrase}": write "${instead}" (CONTRIBUTING.md, English)`);
  process.exitCode = hits.length > 0 ? 1 : 0;
}
