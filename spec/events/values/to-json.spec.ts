import { expect } from 'chai';
import { toErrorInfo } from '../../../lib/events/parts/error-info.ts';
import { addUsage } from '../../../lib/events/parts/usage.ts';
import {
  deepFreeze,
  freezeEvent,
  freezeLasting,
  freezeListOfFrozen,
  isDeepFrozen,
} from '../../../lib/events/values/deep-freeze.ts';
import { toJson } from '../../../lib/events/values/to-json.ts';

describe('toJson', () => {
  it('copies plain data without sharing', () => {
    const value = { a: [1, 'x', true, null, { b: [] }], c: Object.create(null) };
    const copy = toJson(value, 'value') as typeof value;
    expect(copy).to.deep.equal({ a: [1, 'x', true, null, { b: [] }], c: {} });
    expect(copy).not.to.equal(value);
    expect(copy.a).not.to.equal(value.a);
    expect(copy.a[4]).not.to.equal(value.a[4]);
  });

  it('omits undefined fields, and converts -0 to 0', () => {
    expect(Object.keys(toJson({ a: undefined, b: 1 }, 'value') as object)).to.deep.equal(['b']);
    expect(Object.is(toJson(-0, 'value'), 0)).to.equal(true);
  });

  it('keeps an own __proto__ field, and sets no prototype', () => {
    const copy = toJson(JSON.parse('{"__proto__":{"admin":true},"a":1}'), 'value') as Record<string, unknown>;
    expect(Object.getPrototypeOf(copy)).to.equal(Object.prototype);
    expect(copy['admin']).to.equal(undefined);
    expect(JSON.stringify(copy)).to.equal('{"__proto__":{"admin":true},"a":1}');
  });

  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const sparse = [1, 2, 3];
  delete sparse[1];
  class Point {
    x = 1;
  }
  class List extends Array {}
  const refused: Record<string, [unknown, RegExp]> = {
    'a function': [{ f: () => 1 }, /^value\.f is a function,/],
    'a toJSON method': [{ toJSON: () => 1 }, /value\.toJSON is a function/],
    'a class instance': [{ p: new Point() }, /value\.p is an instance of Point/],
    'a date': [new Date(), /value is an instance of Date/],
    'a map': [new Map(), /an instance of Map/],
    'a boxed string': [{ s: Object('x') }, /value\.s is an instance of String/],
    'an array of a subclass': [List.from([1]), /class of arrays/],
    'a circular reference': [circle, /value\.self.*circle/],
    NaN: [{ n: [Number.NaN] }, /value\.n\[0\] is NaN/],
    infinity: [Number.POSITIVE_INFINITY, /value is Infinity/],
    'a bigint': [1n, /value is a bigint/],
    'a symbol': [{ s: Symbol('x') }, /value\.s is a symbol/],
    'a symbol key': [{ [Symbol('x')]: 1 }, /symbol key/],
    'a symbol key of an array': [Object.assign([1], { [Symbol('x')]: 1 }), /extra fields/],
    'a sparse array': [sparse, /sparse array/],
    'an array with extra fields': [Object.assign([1], { extra: 1 }), /extra fields/],
    'undefined in an array': [[undefined], /value\[0\] is a undefined/],
    'undefined itself': [undefined, /value is a undefined/],
  };
  it('shortens a deep path to its beginning and end', () => {
    const nested = JSON.parse(`${'{"c":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    for (const [value, end] of [
      [nested, '.c.c.c'],
      [circle, '.self.self'],
    ] as const) {
      const told = messageOf(() => toJson(value, 'toolCall.input'));
      expect(told)
        .to.match(/^toolCall\.input\.(c|self)\./)
        .and.include(' .. ');
      expect(told).to.include(`${end} is a circle, or nesting deeper than 500 levels`);
      expect(told.length).to.be.lessThan(220);
    }
  });

  for (const [what, [value, message]] of Object.entries(refused)) {
    it(`rejects ${what}, with the path of the issue`, () => {
      expect(() => toJson(value, 'value'))
        .to.throw(message)
        .with.property('code', 'NOT_JSON');
    });
  }

  it('never calls a getter, of an object or of an array', () => {
    let called = 0;
    const getter = { enumerable: true, configurable: true, get: () => (called += 1) };
    expect(() => toJson(Object.defineProperty({}, 'a', getter), 'value')).to.throw(/value\.a is a getter/);
    expect(() => toJson(Object.defineProperty([0], 0, getter), 'value')).to.throw(/is a getter/);
    expect(called).to.equal(0);
  });

  it('accepts hundreds of levels, but not endless nesting', () => {
    const nest = (depth: number) => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1);
    expect(JSON.stringify(toJson(nest(400), 'value'))).to.have.length(801);
    expect(() => toJson(nest(600), 'value')).to.throw(/deeper than 500/);
  });
});

describe('deepFreeze', () => {
  it('freezes deeply, and remembers lasting values', () => {
    for (const lasts of [true, false]) {
      const value = { a: { b: [{ c: 1 }] } };
      expect(lasts ? freezeLasting(value) : deepFreeze(value)).to.equal(value);
      expect([value, value.a, value.a.b, value.a.b[0]].every(Object.isFrozen)).to.equal(true);
      expect(isDeepFrozen(value)).to.equal(lasts);
    }
    expect(isDeepFrozen({})).to.equal(false);
  });

  it('freezes below levels that other code has frozen', () => {
    const inner = { c: 1 };
    deepFreeze(Object.freeze({ inner: Object.freeze({ deep: inner }) }));
    expect(Object.isFrozen(inner)).to.equal(true);
  });

  it('returns plain values unchanged', () => {
    for (const value of [1, 'x', null, undefined, true]) expect(deepFreeze(value)).to.equal(value);
  });

  it('freezes an event with its lists, item by item', () => {
    const item = { text: 'x' };
    const event = freezeEvent({ list: [item], one: { deep: {} }, n: 1 });
    expect([event, event.list, item, event.one, event.one.deep].every(Object.isFrozen)).to.equal(true);
    expect([isDeepFrozen(item), isDeepFrozen(event.list)]).to.deep.equal([true, false]);
  });

  it('does not visit a list whose items are known to be frozen', () => {
    let read = 0;
    const item = freezeLasting({ text: 'x' });
    const list = Object.defineProperty([item], 0, {
      get() {
        read += 1;
        return item;
      },
    });
    expect(freezeEvent({ list: freezeListOfFrozen(list) }).list).to.equal(list);
    expect([read, Object.isFrozen(list)]).to.deep.equal([0, true]);
  });
});

describe('toErrorInfo', () => {
  it('keeps name, message, code, stack and causes as data that survives JSON', () => {
    const error = Object.assign(new TypeError('outer', { cause: new Error('inner') }), { code: 'E_X' });
    const info = toErrorInfo(error);
    expect(info).to.deep.include({ name: 'TypeError', message: 'outer', code: 'E_X' });
    expect(info.cause).to.deep.include({ name: 'Error', message: 'inner' });
    expect(info.stack).to.be.a('string');
    expect(JSON.parse(JSON.stringify(info))).to.deep.equal(info);
  });

  it('limits circular causes to eight', () => {
    const error = new Error('round');
    error.cause = error;
    let depth = 0;
    for (let at = toErrorInfo(error); at.cause; at = at.cause) depth += 1;
    expect(depth).to.equal(8);
  });

  it('describes any other thrown value', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const messages = ['text', { n: 1 }, undefined, null, 42, 1n, Symbol('s'), circle].map(
      (thrown) => toErrorInfo(thrown).message,
    );
    expect(messages).to.deep.equal(['text', '{"n":1}', 'undefined', 'null', '42', '1', 'Symbol(s)', '[object Object]']);
  });

  it('omits a code that is not text', () => {
    expect(toErrorInfo(Object.assign(new Error('x'), { code: 42 }))).not.to.have.property('code');
  });
});

describe('addUsage', () => {
  it('adds counts, with zero for a missing one', () => {
    const usage = { inputTokens: 1, outputTokens: 2 };
    expect(addUsage(usage, { inputTokens: 10, outputTokens: 20, cachedInputTokens: 5 })).to.deep.equal({
      inputTokens: 11,
      outputTokens: 22,
      cachedInputTokens: 5,
    });
    expect(addUsage(undefined, usage)).to.equal(usage);
    expect(addUsage(usage, undefined)).to.equal(usage);
    expect(addUsage(undefined, undefined)).to.equal(undefined);
  });
});

function messageOf(action: () => unknown): string {
  try {
    action();
    return '';
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
