import type { Formats } from '../formats.ts';

/** Databases, search and data platforms. */
export const databases: Formats = {
  tokens: [
    ['planetscale-token', 'PlanetScale API token', 'pscale_tkn_<p32-64>'],
    ['planetscale-oauth', 'PlanetScale OAuth token', 'pscale_oauth_<p32-64>'],
    ['planetscale-password', 'PlanetScale password', 'pscale_pw_<p32-64>'],
    ['neon-key', 'Neon API key', 'napi_<a64>'],
    ['supabase-token', 'Supabase management token', '^sbp_<w40>'],
    ['supabase-secret', 'Supabase secret key', 'sb_secret_<w31>'],
    ['mongodb-atlas-secret', 'MongoDB Atlas service account secret', 'mdb_sa_sk_<w40>'],
    ['cockroach-key', 'CockroachDB Cloud API key', 'CCDB1_<a22>_<a40>'],
    ['databricks-token', 'Databricks API token', '^dapi<H32>'],
    ['clickhouse-secret', 'ClickHouse Cloud secret', '^4b1d<a38>$'],
    ['datastax-token', 'DataStax Astra token', /AstraCS:[0-9A-Za-z:]{20,120}/],
    ['elastic-key', 'Elastic Cloud API key', 'essu_<w60-200><=0-2>'],
    ['xata-key', 'Xata API key', '^xau_<a30-60>'],
    ['airtable-token', 'Airtable personal access token', '^pat<a14>.<h64>'],
    ['contentful-token', 'Contentful management token', 'CFPAT-<w43>'],
    ['segment-token', 'Segment public API token', '^sgp_<a64>$'],
    ['databento-key', 'Databento API key', '^db-<a29>$'],
    ['maxmind-key', 'MaxMind licence key', /\b[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk\b/],
  ],
  keyed: [
    ['airtable-key', 'Airtable API key', 'airtable', '<a17>'],
    ['algolia-key', 'Algolia API key', 'algolia', '<a32>'],
    ['confluent-secret', 'Confluent secret', 'confluent', '(<a64>|<a16>)'],
    ['contentful-key', 'Contentful delivery token', 'contentful', '<e43>'],
    ['couchbase-key', 'Couchbase Capella key', 'couchbase|capella', '<b60-120><=0-2>'],
    ['influxdb-token', 'InfluxDB token', 'influx', '<e86-100>'],
    ['snowflake-token', 'Snowflake access token', 'snowflake|sf_token', '<w100-500>'],
    ['datagov-key', 'data.gov API key', 'data\\.?gov', '<a40>'],
    ['looker-secret', 'Looker client secret', 'looker', '(<l24>|<l20>)'],
    ['aiven-token', 'Aiven token', 'aiven', '<b372>'],
    ['upstash-token', 'Upstash token', 'upstash', '<a50-80><=0-2>'],
  ],
};
