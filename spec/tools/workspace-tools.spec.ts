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
