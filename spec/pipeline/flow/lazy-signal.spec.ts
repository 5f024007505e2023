import { expect } from 'chai';
import { NEVER } from 'rxjs';
import type { Model } from '../../../lib/pipeline/define/model.ts';
import type { ToolContext } from '../../../lib/pipeline/define/tool.ts';
import { createLifetime, LazySignal } from '../../../lib/pipeline/flow/lifetime.ts';
import { callOf, request, start, toolOf } from '../scene.ts';

describe('the signal of a context', () => {
  it("works in a tool's copy of the context and aborts with the call", () => {
    let copy: ToolContext | undefined;
    const tool = toolOf('t', (_, context) => {
      copy = { ...context };
      return NEVER;
    });
    const call = start([]).act(callOf('t'), [tool]).subscribe();
    expect(copy).to.have.all.keys('run', 'toolCall', 'signal', 'log', 'emit', 'child');
    expect(copy?.signal.aborted).to.equal(false);
    call.unsubscribe();
    expect(copy?.signal.aborted).to.equal(true);
  });

  it("works in a model's copy of the context", () => {
    let copy: { readonly signal: AbortSignal } | undefined;
    const model: Model = (_, context) => {
      copy = { ...context };
      return NEVER;
    };
    const reasoning = start([]).reason(request, model).subscribe();
    reasoning.unsubscribe();
    expect(copy?.signal.aborted).to.equal(true);
  });

  it('is the same object on each read and cannot be replaced', () => {
    const context = new LazySignal(createLifetime());
    expect(context.signal).to.equal(context.signal);
    expect(() => Object.assign(context, { signal: new AbortController().signal })).to.throw(TypeError);
  });
});
