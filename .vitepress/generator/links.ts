import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { mapProse } from './markdown.ts';
import { root } from './root.ts';

/** Where the files of the repository, and the headings in them, are on the site. */
export interface Links {
  /** A page has a file, or these of its headings (by anchor, with their anchors on the page). */
  add(path: string, source: string, anchors: ReadonlyMap<string, string>): void;
  /** Rewrites the links of a Markdown file to pages of the site. */
  rewrite(source: string, markdown: string): string;
  /** Files that are not pages and are linked to: code and data. */
  readonly sources: ReadonlySet<string>;
  /** Images that pages show. */
  readonly images: ReadonlySet<string>;
}

export function createLinks(): Links {
  const pages = new Map<string, string>();
  const headings = new Map<string, string>();
  const sources = new Set<string>();
  const images = new Set<string>();

  function place(source: string, target: string): string {
    if (/^[a-z]+:/i.test(target)) return target;
    const [path = '', anchor = ''] = target.split('#');
    const file = path === '' ? source : normalize(join(dirname(source), path));
    const page = anchor === '' ? pages.get(file) : headings.get(`${file}#${anchor}`);
    if (page !== undefined) return `/${page}`;
    if (anchor !== '' || !existsSync(join(root, file)) || statSync(join(root, file)).isDirectory())
      throw new Error(`${source} links to ${target}, which is not a heading, page or file`);
    if (/\.(?:png|svg)$/.test(file)) {
      images.add(file);
      return `/${file}`;
    }
    sources.add(file);
    return `/source/${file}.md`;
  }

  return {
    sources,
    images,
    add(path, source, anchors) {
      if (!pages.has(source)) pages.set(source, `${path}.md`);
      for (const [from, to] of anchors)
        if (!headings.has(`${source}#${from}`)) headings.set(`${source}#${from}`, `${path}.md${to && `#${to}`}`);
    },
    rewrite: (source, markdown) =>
      mapProse(markdown, (line) =>
        line
          .replaceAll(/\]\(([^)\s]+)\)/g, (_, target: string) => `](${place(source, target)})`)
          .replace(/^(\[[^\]]+\]: )(\S+)$/, (_, name: string, target: string) => name + place(source, target)),
      ),
  };
}
