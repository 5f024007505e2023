import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectTypeOf } from 'expect-type';
import { describeTool, type Tool } from '../../lib/pipeline/define/tool.ts';
import { readFileTool, workspaceTools } from '../../lib/tools/index.ts';
import { callTool } from './call-tool.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';

describe('workspaceTools', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = makeSandbox();
  });
  afterEach(() => sandbox.remove());

  it('returns the six tools with their permissions', () => {
    const permissions = workspaceTools({ root: sandbox.root }).map((tool) => [tool.name, tool.permission]);
    expect(Object.fromEntries(permissions)).to.deep.equal({
      read_file: 'read',
      list_files: 'read',
      search_text: 'read',
      write_file: 'write',
      delete_file: 'write',
      run_command: 'external',
    });
  });

  it('declares as idempotent the tools whose call has the same effect and result when it is repeated', async () => {
    const tools = workspaceTools({ root: sandbox.root });
    const idempotent = tools.filter((tool) => tool.idempotent).map(({ name }) => name);
    expect(idempotent).to.deep.equal(['read_file', 'list_files', 'search_text', 'write_file']);
    sandbox.put({ 'file.txt': 'one' });
    const inputs: Record<string, object> = {
      read_file: { path: 'file.txt' },
      list_files: {},
      search_text: { pattern: 'one' },
      write_file: { path: 'file.txt', content: 'one' },
    };
    for (const tool of tools.filter(({ name }) => name in inputs)) {
      const first = await callTool(tool, inputs[tool.name]!);
      expect(first.isError, tool.name).to.equal(false);
      expect(await callTool(tool, inputs[tool.name]!), tool.name).to.deep.equal(first);
    }
    expect(readFileSync(join(sandbox.root, 'file.txt'), 'utf8')).to.equal('one');
  });

  it('passes each tool its own options', async () => {
    sandbox.put({ 'file.txt': 'one\ntwo\n', 'other.txt': '' });
    const [read, list] = workspaceTools({ root: sandbox.root, maxBytes: 4, maxEntries: 1 });
    expect((await callTool(read!, { path: 'file.txt' })).content).to.match(/^one\n\n\[Lines 1 to 1/);
    expect((await callTool(list!, {})).content).to.match(/^file.txt\n\[Only the first 1/);
  });

  it('describes every field of every input to the model', () => {
    for (const tool of workspaceTools({ root: sandbox.root })) {
      const { inputSchema } = describeTool(tool);
      for (const [name, field] of Object.entries(inputSchema['properties'] as object)) {
        expect(field, `${tool.name}.${name}`).to.have.property('description');
      }
    }
  });

  it('matches the types that expect tools', () => {
    expectTypeOf([readFileTool(sandbox)]).toExtend<readonly Tool[]>();
  });
});
