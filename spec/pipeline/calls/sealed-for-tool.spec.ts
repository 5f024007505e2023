import { expect } from 'chai';
import { of } from 'rxjs';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { callOf, hear, keptLog, start, toolOf } from '../scene.ts';

const SECRET = 'tok_live_abcdef';
const seals = defineHook({
  name: 'seals',
  match: { tools: ['pay'] },
  on: {
    preActing: (event, { seal }) =>
      modify(event, { toolCall: { ...event.toolCall, input: { token: seal('card', SECRET) } } }),
  },
});

describe('a sealed value', () => {
  it('goes to the tool that it was sealed for, and to no other that a later hook names', () => {
    let ran = 0;
    const tools = ['pay', 'echo'].map((name) => toolOf(name, (input) => `${++ran} ${JSON.stringify(input)}`));
    const renames = defineHook({
      name: 'renames',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, name: 'echo' } }) },
    });
    const heard = hear(start([seals, renames]).act(callOf('pay'), tools));
    expect(ran).to.equal(0);
    expect(heard.of('postActing')[0]?.outcome).to.equal('failed');
    expect(heard.of('postActing')[0]?.result.content).to.include('"card" was sealed by hook "seals" for tool "pay"');
    expect(JSON.stringify(heard.events)).not.to.include(SECRET);
  });

  const says: Record<string, () => unknown> = {
    'returns it': () => `GET https://x?token=${SECRET}`,
    'returns it in a result': () => ({ content: SECRET, isError: false, forUser: SECRET }),
    'streams it in pieces': () => of('a tok_', 'live_', 'abc', 'def z'),
    'throws it': () => {
      throw new Error(`https://x?token=${SECRET} 401`);
    },
  };
  for (const [how, execute] of Object.entries(says)) {
    it(`has its label where the tool ${how}`, () => {
      const run = start([seals], { log: keptLog().log });
      const heard = hear(run.act(callOf('pay'), [toolOf('pay', execute as never)]));
      const text = JSON.stringify(heard.events);
      expect(text).to.include('[card]');
      expect(text).not.to.include(SECRET);
      expect(
        heard
          .of('actingChunk')
          .map(({ content }) => content)
          .join(''),
      ).not.to.include(SECRET);
    });
  }

  it('leaves a call its one end where an error is its own cause, or the value has half a character', () => {
    for (const value of [SECRET, `${SECRET}\ud800`]) {
      const cyclic = Object.assign(new Error(`no ${value}`), { cause: undefined as unknown });
      cyclic.cause = cyclic;
      const sealing = defineHook({
        name: 'seals',
        on: {
          preActing: (event, { seal }) =>
            modify(event, { toolCall: { ...event.toolCall, input: { token: seal('card', value) } } }),
        },
      });
      const throws = () => {
        throw cyclic;
      };
      const heard = hear(start([sealing], { log: keptLog().log }).act(callOf('pay'), [toolOf('pay', throws)]));
      expect(heard.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
      expect(JSON.stringify(heard.events)).not.to.include(SECRET);
    }
  });
});
