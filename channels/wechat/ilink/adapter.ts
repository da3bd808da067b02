import { AntlerError } from '../../../src/base/errors.ts';
import type { Adapter, AdapterContext } from '../../../src/channel/port.ts';
import type { WechatConfig } from '../config.ts';

/** WeChat's own bot interface. */
export async function createIlinkAdapter(_context: AdapterContext<WechatConfig>): Promise<Adapter> {
  throw new AntlerError('unsupported', 'transport: ilink is not there yet.');
}
