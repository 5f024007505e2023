import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import type { NatsClient } from './load-nats.ts';

/** One of the messages that carry a value together. */
export interface Piece {
  /** The id of the value. */
  readonly id: string;
  /** The number of the piece, from 0. */
  readonly nth: number;
  /** The number of pieces. */
  readonly of: number;
}

/** Room for headers, the subject and the seal in a message. */
const OVERHEAD = 8_192;
const ID = 'Hookline-Id';
const NTH = 'Hookline-Nth';
const OF = 'Hookline-Of';

/** Maximum size of a message, in bytes, also if the server accepts larger ones: many of them may wait for a client. */
const MOST_PAYLOAD = 1_048_576;

/** Cuts data into pieces that fit into messages of the server. Empty data is one piece. */
export function piecesOf(data: Uint8Array, { info }: Pick<NatsConnection, 'info'>): readonly Uint8Array[] {
  const most = Math.min(info?.max_payload ?? MOST_PAYLOAD, MOST_PAYLOAD) - OVERHEAD;
  const count = Math.max(1, Math.ceil(data.length / most));
  return Array.from({ length: count }, (_, nth) => data.subarray(nth * most, (nth + 1) * most));
}

export function pieceHeaders({ transport }: NatsClient, { id, nth, of }: Piece): MsgHdrs {
  const headers = transport.headers();
  headers.set(ID, id);
  headers.set(NTH, String(nth));
  headers.set(OF, String(of));
  return headers;
}

/** Reads the headers of a piece; undefined if the message is none. */
export function pieceOf(headers: MsgHdrs | undefined): Piece | undefined {
  const id = headers?.get(ID);
  return headers && id ? { id, nth: Number(headers.get(NTH)), of: Number(headers.get(OF)) } : undefined;
}
