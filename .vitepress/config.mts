import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { apiSidebars } from './generator/api-sidebars.ts';
import { slug } from './generator/slug.ts';

const read = (file: string) => JSON.parse(readFileSync(new URL(`generated/${file}`, import.meta.url), 'utf8'));

export default defineConfig({
  lang: 'en',
  title: 'Hookline',
  description: 'The hook layer for TypeScript agents.',
  srcDir: '.vitepress/generated',
  outDir: 'docs',
  // Otherwise each page would contain the sidebars of all pages.
  metaChunk: true,
  // The page asks for no other file than its own.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // Themes whose colours have enough contrast on the background of code blocks.
  markdown: {
    anchor: { slugify: slug },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  // The search loads its index, of all pages, when it opens.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Results of the API reference are names: headings such as Parameters and Returns are left out.
        _render: (text, env, markdown) => {
          const names = env.relativePath.startsWith('api/') ? text.replaceAll(/^(?:##|####+) .*$/gm, '') : text;
          const html = markdown.render(names, env);
          return env.frontmatter?.search === false ? '' : html;
        },
      },
    },
    outline: [2, 3],
    sidebar: { ...read('sidebars.json'), ...apiSidebars(read('api.json')) },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Guides', link: '/guides/' },
      { text: 'Hooks', link: '/hooks/' },
      { text: 'Integrations', link: '/integrations/' },
      { text: 'API', link: '/api/' },
    ],
  },
});
