import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(rulesNamed());

/** Code, documentation and headers that mention credentials without containing one. */
const none: readonly string[] = [
  'headers: { Authorization: `Bearer ${token}` }',
  'headers: { Authorization: `Bearer ${process.env.API_KEY}` },',
  "headers: { 'Authorization': 'Bearer ' + token },",
  "headers: { Authorization: 'Basic ' + btoa(user + ':' + pass) }",
  "headers.set('Authorization', 'Basic ' + Buffer.from(id).toString('base64'))",
  'req.Header.Set("Authorization", fmt.Sprintf("Bearer %s", token))',
  'headers = {"Authorization": f"Bearer {token}"}',
  'headers = {"Authorization": "Bearer " + os.environ["API_TOKEN"]}',
  "headers={'Authorization': 'Token {}'.format(token)}",
  '"Authorization" => "Bearer #{token}"',
  "'authorization': 'Bearer ' . $token,",
  'authorization: req.headers.authorization2,',
  'authorization: this.options.auth2Header,',
  'config.headers.Authorization = getBearerToken2();',
  'authorization: HTTPAuthorizationCredentials = Depends(security)',
  'const authorization: string | undefined = headers.get("authorization2");',
  'Authorization: Bearer <token>',
  'Authorization: Bearer <your-access-token>',
  'Authorization: Bearer YOUR_API_KEY',
  'Authorization: Bearer {{access_token}}',
  'Authorization: Bearer ${ACCESS_TOKEN}',
  'Authorization: Bearer $ACCESS_TOKEN',
  'Authorization: Bearer ACCESS_TOKEN_1',
  'Authorization: Bearer test-token-1',
  'Authorization: Bearer :token',
  'Authorization: Bearer eyJhbGciOi...',
  'Authorization: Basic <base64-encoded-credentials>',
  'Authorization: Basic base64EncodedCredentials',
  'Authorization: Basic base64(user:password)',
  'Authorization: Digest username="Mufasa", realm="users", nonce="x"',
  'Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request',
  'Authorization: OAuth oauth_consumer_key="key"',
  'WWW-Authenticate: Bearer realm="https://auth.docker.io/token",service="registry.docker.io"',
  'Access-Control-Allow-Headers: Authorization, Content-Type, X-Requested-With',
  'curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/users',
  'curl -H "Authorization: Bearer $(gcloud auth print-access-token)" https://x.io',
  "curl -H 'Authorization: token OAUTH-TOKEN' https://api.github.com",
  'curl -H "X-Api-Key: $API_KEY" -u "$USER:$PASS" https://x.io',
  '-H "Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}"',
  'authorization_endpoint: https://accounts.google.com/o/oauth2/v2/auth',
];

const V = 'k3j9X2m8'.concat('Q5w7z1v4b6');
const BASIC = Buffer.from(`bob:${V}`).toString('base64');
const credentials: readonly string[] = [
  `headers: { Authorization: 'Bearer ${V}' }`,
  `Authorization: Bearer ${V}`,
  `Authorization: Basic ${BASIC}`,
  `"authorization": "Basic ${BASIC}"`,
  `curl -H "Authorization: token ${V}" https://x.io`,
  `Authorization: ${V}`,
  `req.Header.Set("Authorization", "Bearer ${V}")`,
  'Authorization: Bearer tr0ub4dor&3',
];

describe('an Authorization header', () => {
  for (const text of none) {
    it(`contains no credential: ${text}`, () => {
      expect(redactor.redact(`${text}\n`).findings).to.deep.equal([]);
    });
  }

  it('does not show its credential', () => {
    for (const text of credentials) {
      const { text: shown, findings } = redactor.redact(`${text}\n`);
      expect(findings, shown).to.have.length.at.least(1);
      for (const secret of [V, BASIC, 'tr0ub4dor']) expect(shown).to.not.include(secret);
    }
  });
});
