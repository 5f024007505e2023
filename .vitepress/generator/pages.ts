/** A page of the site that comes from a Markdown file of the repository. */
export interface GuidePage {
  /** Where the page is on the site, without an extension. */
  readonly path: string;
  /** Label in the sidebar. */
  readonly label: string;
  readonly source: string;
  /** Anchors of the sections that the page has (default: all that no other page has). */
  readonly sections?: readonly string[];
  /** Title of a page that has only some sections. */
  readonly title?: string;
}

export interface Group {
  readonly text: string;
  readonly pages: readonly GuidePage[];
}

const guide = (name: string, label: string): GuidePage => ({
  path: `guides/${name}`,
  label,
  source: `samples/${name}/README.md`,
});

const integration = (name: string, label: string): GuidePage => ({
  path: `integrations/${name}`,
  label,
  source: `samples/loops/${name}.md`,
});

/** The pages that come from guides, in the order of the sidebar. */
export const groups = {
  start: {
    text: 'Start',
    pages: [
      { path: 'index', label: 'Hookline', source: 'README.md' },
      { path: 'guides/index', label: 'Guides and entry points', source: 'samples/README.md' },
    ],
  },
  concepts: {
    text: 'Concepts',
    pages: [
      { path: 'concepts/index', label: 'Concepts', source: 'samples/concepts/README.md' },
      { path: 'concepts/security', label: 'Security model', source: 'SECURITY.md' },
    ],
  },
  guides: {
    text: 'Guides',
    pages: [
      guide('approvals', 'Approvals'),
      guide('secrets', 'Secrets'),
      guide('configuration', 'Configuration'),
      guide('hook-package', 'Packages of hooks'),
      {
        path: 'guides/own-loop',
        label: 'Your own loop',
        source: 'samples/loops/README.md',
        title: 'Your own loop',
        sections: ['write-your-own-loop', 'write-an-adapter', 'what-createagent-adds'],
      },
      guide('server', 'Server'),
      guide('fleet', 'Several servers as one'),
      guide('inspector', 'Inspector'),
      guide('models', 'Models'),
      guide('testing', 'Testing'),
      guide('replay', 'Replay and backtest'),
      guide('process-hook-2', 'Process hooks'),
      guide('command-line', 'Command line'),
    ],
  },
  integrations: {
    text: 'Integrations',
    pages: [
      { path: 'integrations/index', label: 'Overview and comparison', source: 'samples/loops/README.md' },
      integration('ai-sdk', 'AI SDK'),
      integration('langchain', 'LangChain'),
      integration('openai-agents', 'OpenAI Agents'),
      integration('strands', 'Strands'),
      integration('mastra', 'Mastra'),
      integration('mcp', 'MCP'),
      { path: 'integrations/chat-uis', label: 'useChat and AG-UI', source: 'samples/screens/README.md' },
      { path: 'integrations/coding-agents', label: 'Coding agents', source: 'samples/coding-agents/README.md' },
      {
        path: 'integrations/other-hosts',
        label: 'Claude Code and PicoClaw',
        source: 'samples/other-hosts/README.md',
      },
    ],
  },
  migrating: {
    text: 'Migrating',
    pages: [{ path: 'migrating', label: 'From another framework', source: 'samples/coming-from/README.md' }],
  },
  project: {
    text: 'Project',
    pages: [
      { path: 'project/changelog', label: 'Changelog', source: 'CHANGELOG.md' },
      { path: 'project/contributing', label: 'Contributing', source: 'CONTRIBUTING.md' },
      { path: 'project/benchmarks', label: 'Benchmarks', source: 'spec/bench/RESULTS.md' },
    ],
  },
} as const satisfies Record<string, Group>;

/** The guide that is split into one page for each built-in hook. */
export const hooksGuide = 'samples/hooks/README.md';

export const guidePages: readonly GuidePage[] = Object.values(groups).flatMap(
  (group): readonly GuidePage[] => group.pages,
);
