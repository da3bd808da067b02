import type { WechatyBuilder } from 'wechaty';
import { withoutBackDoor } from './back-door.ts';
import type { PuppetSettings } from './protocol.ts';

type AnyPuppet = Extract<NonNullable<NonNullable<Parameters<typeof WechatyBuilder.build>[0]>['puppet']>, object>;

interface MadePuppet {
  readonly puppet: AnyPuppet;
  /** Has to be called once it has started. Tells when it can never say anything again. */
  readonly whenLost: (lost: (error: unknown) => void) => void;
}

/** Makes a puppet by the settings; loads nothing but the package of that one. */
export async function makePuppet(settings: PuppetSettings): Promise<MadePuppet> {
  switch (settings.puppet) {
    case 'wechaty-puppet-wechat4u': {
      const { PuppetWechat4u } = await import('wechaty-puppet-wechat4u');
      const puppet = new PuppetWechat4u();
      withoutBackDoor(puppet);
      return { puppet, whenLost: () => {} };
    }
    case 'wechaty-puppet-service': {
      const { PuppetService } = await import('wechaty-puppet-service');
      const { token, endpoint, tls } = settings;
      const puppet = new PuppetService({
        token,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(tls ? {} : { tls: { disable: true } }),
      });
      return { puppet, whenLost: (lost) => watchStream(puppet, lost) };
    }
    default:
      return settings satisfies never;
  }
}

/** The events of a service come by one stream, which is never opened again when the service is restarted. */
function watchStream(puppet: { readonly grpcManager: NodeJS.EventEmitter }, lost: (error: unknown) => void): void {
  const { grpcManager: link } = puppet;
  link.on('error', lost);
  for (const event of ['end', 'cancel', 'status'])
    link.on(event, () => lost(new Error(`the stream of events ended: ${event}`)));
}
