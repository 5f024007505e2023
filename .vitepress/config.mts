import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { slug } from './generator/slug.ts';

const sidebar = JSON.parse(readFileSync(new URL('generated/sidebars.json', import.meta.url), 'utf8'));

export default defineConfig({
  lang: 'en',
  title: 'Hookline',
  description: 'The hook layer for TypeScript agents.',
  srcDir: '.vitepress/generated',
  outDir: 'docs',
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
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Guides', link: '/guides/' },
      { text: 'Hooks', link: '/hooks/' },
      { text: 'Integrations', link: '/integrations/' },
      { text: 'API', link: '/api/index.html', target: '_self' },
    ],
  },
});
