import type { Formats } from '../formats.ts';

/** Logs, metrics, analytics. */
export const observability: Formats = {
  tokens: [
    ['grafana-cloud-token', 'Grafana Cloud token', 'glc_<b32-400><=0-2>'],
    ['grafana-service-token', 'Grafana service account token', 'glsa_<a32>_<H8>'],
    ['grafana-key', 'Grafana API key', 'eyJrIjoi<b40-400><=0-2>'],
    ['newrelic-user-key', 'New Relic user key', '^NRAK-<a27>'],
    ['newrelic-admin-key', 'New Relic admin key', '^NRAA-<a27>'],
    ['newrelic-license-key', 'New Relic license key', '^<h36>NRAL$'],
    ['newrelic-browser-key', 'New Relic browser key', 'NRJS-<h19>'],
    ['newrelic-insert-key', 'New Relic insert key', 'NRII-<w32>'],
    ['sentry-org-token', 'Sentry organization token', /sntrys_eyJ[0-9A-Za-z+/]{60,500}={0,2}_[0-9A-Za-z+/]{43}/],
    ['sentry-user-token', 'Sentry user token', 'sntryu_<h64>'],
    ['honeycomb-ingest-key', 'Honeycomb ingest key', 'hcaik_<l58>'],
    ['posthog-key', 'PostHog personal API key', '^phx_<w41-49>'],
    ['rootly-key', 'Rootly API key', 'rootly_<h64>'],
    ['dynatrace-token', 'Dynatrace token', 'dt0(c|s)0<d1>.<a8-24>.<a64>'],
    ['axiom-token', 'Axiom token', '^(xaat|xapt)-<uuid>'],
  ],
  keyed: [
    ['datadog-key', 'Datadog key', 'datadog|dd_(?:api|app)', '(<w40>|<a32>)'],
    ['honeycomb-key', 'Honeycomb API key', 'honeycomb', '(<h32>|<a22>)'],
    ['newrelic-key', 'New Relic key', 'new[_-]?relic', '(<l64>|<h36>NRAL|<h40>)'],
    ['sentry-token', 'Sentry access token', 'sentry', '<h64>'],
    ['sumologic-key', 'Sumo Logic key', 'sumo', '(<a64>|su<a12>)'],
    ['amplitude-key', 'Amplitude secret key', 'amplitude', '<h32>'],
    ['pagerduty-key', 'PagerDuty API key', 'pager_?duty', '(u+<w18>|<w20>)'],
    ['rollbar-token', 'Rollbar access token', 'rollbar', '<h32>'],
    ['fullstory-key', 'FullStory API key', 'fullstory|fs_api', '(na1|eu1).<a20-80>'],
  ],
};
