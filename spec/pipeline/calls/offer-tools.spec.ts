import { expect } from 'chai';
import type { ToolDescription } from '../../../lib/events/parts/tool-description.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { describeTool } from '../../../lib/pipeline/define/tool.ts';
import { callOf, hear, modelOf, request, start, toolOf } from '../scene.ts';

const own = toolOf('note', () => 'the caller’s');
const brought = toolOf('note', () => 'the hook’s');
const bringing = defineHook({ name: 'bringing', tools: [brought] });

describe('tools of callers and hooks', () => {
  it('are rejected by act if two share a name, because either could be meant', () => {
    const heard = hear(start([bringing]).act(callOf('note'), [own]));
    expect(heard.events).to.deep.equal([]);
    expect(heard.error).to.have.property('code', 'HOOK_DUPLICATE');
    expect(String(heard.error)).to.match(
      /Two tools are named "note", one of them brought by hook "bringing" \(run\.act\(\)\)/,
    );
    const twice = hear(start([]).act(callOf('note'), [own, brought]));
    expect(twice.error).to.have.property('code', 'HOOK_DUPLICATE');
    expect(String(twice.error)).to.match(/Two tools are named "note" \(run\.act\(\)\)\. Rename/);
  });

  it('may be the same tool, which is found and listed once', () => {
    const run = start([bringing]);
    expect(hear(run.act(callOf('note'), [brought])).of('postActing')[0]?.result.content).to.equal('the hook’s');
    const unknown = hear(run.act(callOf('nope'), [brought])).of('postActing')[0];
    expect(unknown?.result.content).to.equal('There is no tool "nope". Tools: note.');
  });

  it('are rejected by reason if the offer reuses the name of another tool', () => {
    const reason = (tools: readonly ToolDescription[]) =>
      hear(start([bringing]).reason({ ...request, tools }, modelOf('a')));
    const other = { ...describeTool(own), description: 'Other.' };
    for (const tools of [[other], [describeTool(brought), describeTool(brought)]]) {
      expect(reason(tools).error).to.have.property('code', 'HOOK_DUPLICATE');
      expect(String(reason(tools).error)).to.match(/Two tools are named "note".*\(run\.reason\(\)\)/);
    }
    const copy = JSON.parse(JSON.stringify(describeTool(brought)));
    for (const tools of [[], [describeTool(brought)], [copy]]) expect(reason(tools).error).to.equal(undefined);
  });
});
