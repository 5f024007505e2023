import { z } from 'zod';

const URL_PATTERN = /^(nats|tls):\/\/[^\s/@]+$/;
const URL_ERROR = 'must be a URL such as nats://10.0.0.7:4222, without user, password and path';
const url = z
  .string()
  .regex(URL_PATTERN, URL_ERROR)
  // Such as a port above 65535. One error is enough.
  .refine((text) => !URL_PATTERN.test(text) || URL.canParse(text), URL_ERROR);
const path = z.string().min(1);

/** What the servers of a fleet share, over NATS JetStream. */
export const backplaneSchema = z.strictObject({
  servers: z
    .union([url, z.array(url).min(1)])
    .describe('URLs of the servers of one NATS cluster. tls:// requires TLS.'),
  secret: z
    .string()
    .min(32, 'must have at least 32 characters, such as the output of: openssl rand -base64 32')
    .meta({ secret: true })
    .describe('Shared by all servers of the fleet. Encrypts and authenticates what they store and send.'),
  app: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, - or _')
    .default('hookline')
    .describe('Separates the fleets of one NATS account.'),
  credentials: path.exactOptional().describe('Path of a .creds file.'),
  user: z.string().min(1).exactOptional(),
  password: z.string().min(1).meta({ secret: true }).exactOptional(),
  tls: z
    .strictObject({ ca: path.exactOptional(), cert: path.exactOptional(), key: path.exactOptional() })
    .exactOptional()
    .describe('Paths of the CA, the client certificate and its key, in PEM.'),
  replicas: z.int().min(1).max(5).default(1).describe('Copies of each stream in the cluster. Use 3 in production.'),
});

export type BackplaneSettings = z.output<typeof backplaneSchema>;
