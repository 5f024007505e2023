import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { HooklineError } from '../errors.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { OpenConnection } from './connection/connection.ts';
import { pieceHeaders, pieceOf, piecesOf } from './connection/pieces.ts';
import type { Seal } from './seal.ts';

/** Maximum size of a message as JSON, in bytes. NATS disconnects a client for which more than 64 MB wait. */
const MOST_BYTES = 32 * 1024 * 1024;
/** How long the next piece of a message may take, in milliseconds. Its sender may be gone. */
const NEXT_MS = 10_000;

interface SealedPiece {
  readonly data: Buffer;
  readonly headers: MsgHdrs;
}

/** Cuts a message into sealed pieces for a place. A message of more than 32 MiB is `STORE_FAILED`. */
export function cutMessage(
  message: JsonObject,
  { place, id }: { readonly place: string; readonly id: string },
  { seal, open }: { readonly seal: Seal; readonly open: OpenConnection },
): readonly SealedPiece[] {
  const data = Buffer.from(JSON.stringify(message));
  if (data.length > MOST_BYTES) {
    const why = `has ${data.length} bytes. Servers exchange at most ${MOST_BYTES} bytes. Send a smaller value`;
    throw new HooklineError('STORE_FAILED', `A message to ${place} ${why}.`);
  }
  const pieces = piecesOf(data, open.nats);
  return pieces.map((piece, nth) => ({
    data: seal.close(placeOf(place, id, nth, pieces.length), piece),
    headers: pieceHeaders(open.client, { id, nth, of: pieces.length }),
  }));
}

/**
 * Joins the pieces of messages to a place, in the order in which their last pieces arrive. Calls `joined` with each message, its id and its last piece.
 * A piece that was not sealed for the place is `STORE_FAILED`.
 */
export function messageJoiner(
  place: string,
  seal: Seal,
  joined: (message: JsonObject, id: string, last: Msg) => void,
): (message: Msg) => void {
  const unfinished = new Map<string, { readonly pieces: Buffer[]; readonly dropping: NodeJS.Timeout }>();
  return (message) => {
    const { id, nth, of } = pieceOf(message.headers) ?? { id: '', nth: 0, of: 1 };
    const data = seal.open(placeOf(place, id, nth, of), message.data);
    const known = unfinished.get(id);
    const pieces = known?.pieces ?? [];
    clearTimeout(known?.dropping);
    unfinished.delete(id);
    // An interruption has lost the pieces before it.
    if (pieces.length !== nth) return;
    pieces.push(data);
    if (pieces.length === of) return joined(JSON.parse(Buffer.concat(pieces).toString()), id, message);
    const dropping = setTimeout(() => unfinished.delete(id), NEXT_MS).unref();
    unfinished.set(id, { pieces, dropping });
  };
}

function placeOf(place: string, id: string, nth: number, of: number): string {
  return `${place} ${id} ${nth}/${of}`;
}
