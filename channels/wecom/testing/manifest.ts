import type { Manifest } from '../../../src/channel/port.ts';
import { type Transport, wecomConfig } from '../config.ts';
import { wecom } from '../index.ts';

const SOME_KEYS = {
  bot_id: 'aib0123456789',
  secret: 'a-secret',
  token: 'QDG6eK',
  encoding_aes_key: 'jWmYm7qr5nMoAUwZRjGtBxmz3KA1tkAj3ykkR6q2B2C',
  corp_id: 'wx5823bf96d3bd56c7',
  agent_id: '1000002',
  corp_secret: 'another-secret',
};

/** The manifest as the rest of Antler sees it with one of the transports. */
export function wecomFor(transport: Transport): Manifest {
  const settings = wecomConfig.parse({ ...SOME_KEYS, transport });
  return { ...wecom, ...wecom.forSettings?.(settings) } as Manifest;
}
