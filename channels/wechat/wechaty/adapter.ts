import { AntlerError } from '../../../src/base/errors.ts';
import type { Adapter, AdapterContext } from '../../../src/channel/port.ts';
import type { WechatConfig } from '../config.ts';

/** A personal account by wechaty. */
export async function createWechatyAdapter(_context: AdapterContext<WechatConfig>): Promise<Adapter> {
  throw new AntlerError('unsupported', 'transport: wechaty is not there yet; use ilink.');
}
