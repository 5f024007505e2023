import { expect } from 'chai';
import { createRedactor, ownRules } from 'hookline/redaction';
import { createTokens, firstToken } from 'hookline/server';
import { memoryStore } from '../../lib/store/documents/memory-store.ts';

describe('a token', () => {
  const grant = { user: 'alice', rights: ['read', 'run'] as ('read' | 'run')[], scopes: ['team'] };

  it('contains its user and its rights', async () => {
    const tokens = createTokens(memoryStore());
    const token = await tokens.issue(grant);
    expect(token).to.match(/^hlk_[0-9a-f]{16}[\w-]{43}$/);
    expect(await tokens.verify(token)).to.deep.equal({ ...grant, token: token.slice(4, 20) });
    const boss = { user: 'bob', rights: [], name: "bob's phone", approvesFor: ['alice'] };
    expect(await tokens.verify(await tokens.issue(boss))).to.deep.equal({
      user: 'bob',
      rights: [],
      scopes: [],
      token: "bob's phone",
      approvesFor: ['alice'],
    });
  });

  it('is redacted by its own rule, completely and alone', async () => {
    const tokens = createTokens(memoryStore());
    const redactor = createRedactor(ownRules);
    for (let nth = 0; nth < 100; nth += 1) {
      const token = await tokens.issue(grant);
      expect(redactor.redact(`it is ${token}, they say`).text).to.equal('it is [REDACTED:hookline-token], they say');
      const short = redactor.redact(token.slice(0, -1)).findings.map(({ rule }) => rule);
      expect(short).not.to.include('hookline-token');
    }
  });

  it('is stored as a hash that grants no access', async () => {
    const store = memoryStore();
    const tokens = createTokens(store);
    const token = await tokens.issue(grant);
    const kept = JSON.stringify(await Promise.all((await store.list([])).map((key) => store.read(key))));
    expect(kept).to.include('"hash"').and.not.include(token.slice(20));
    const { hash } = JSON.parse(kept)[0].value;
    expect(await tokens.verify(`hlk_${token.slice(4, 20)}${hash.slice(0, 43)}`)).to.equal(undefined);
  });

  it('is invalid if changed, truncated, of another or invented', async () => {
    const tokens = createTokens(memoryStore());
    const token = await tokens.issue(grant);
    const other = await tokens.issue(grant);
    // Not every bit of the last base64url character counts, but the text is hashed.
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`;
      expect(await tokens.verify(changed), `at ${at}`).to.equal(undefined);
    }
    const mixed = token.slice(0, 20) + other.slice(20);
    for (const wrong of ['', 'hlk_', token.slice(0, -1), `${token}a`, `${token}\n`, mixed, `hlk_${'0'.repeat(59)}`])
      expect(await tokens.verify(wrong), wrong).to.equal(undefined);
  });

  it('is valid until its expiry', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const tokens = createTokens(memoryStore(), () => now);
    const token = await tokens.issue({ ...grant, expiresAt: '2030-01-01T01:00:00+01:00' });
    const later = await tokens.issue({ ...grant, expiresAt: '2030-01-01T00:00:01Z' });
    expect(await tokens.verify(token)).to.equal(undefined);
    expect(await tokens.verify(later)).to.include({ user: 'alice' });
    now += 1_000;
    expect(await tokens.verify(later)).to.equal(undefined);
  });

  it('is listed without its secret, and is invalid after revocation', async () => {
    const tokens = createTokens(memoryStore());
    const token = await tokens.issue(grant);
    const [info] = await tokens.list();
    expect(info).to.have.all.keys('id', 'user', 'rights', 'scopes', 'issuedAt');
    expect(await tokens.revoke(info?.id ?? '')).to.equal(true);
    expect(await tokens.revoke(info?.id ?? '')).to.equal(false);
    expect(await tokens.verify(token)).to.equal(undefined);
    expect(await tokens.list()).to.deep.equal([]);
  });

  it('is not issued for an invalid grant, and the error gives the reason', async () => {
    const tokens = createTokens(memoryStore());
    for (const [wrong, said] of [
      [{ ...grant, rights: ['raed'] }, /rights\[0\].*"raed".*Did you mean "read"/],
      [{ ...grant, user: ' ' }, /user/],
      [{ ...grant, expiresAt: 'tomorrow' }, /expiresAt/],
      [{ ...grant, right: [] }, /right.*Did you mean "rights"/],
    ] as const) {
      const refused = await tokens.issue(wrong as never).catch((error: Error) => error);
      expect(refused).to.include({ name: 'HooklineError', code: 'INPUT_INVALID' });
      expect((refused as Error).message).to.match(said);
    }
    expect(await tokens.list()).to.deep.equal([]);
  });

  it('is created with all rights if the store has none, and not otherwise', async () => {
    const tokens = createTokens(memoryStore());
    const first = await firstToken(tokens, 'alice');
    expect(await tokens.verify(first ?? '')).to.deep.equal({
      user: 'alice',
      rights: ['read', 'approve', 'configure', 'run', 'runs:read'],
      scopes: [],
      token: first?.slice(4, 20),
    });
    expect(await firstToken(tokens, 'alice')).to.equal(undefined);
  });
});
