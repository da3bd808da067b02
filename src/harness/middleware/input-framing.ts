import { rendererFor } from '../transcript/frame.ts';
import type { MiddlewareKind } from './port.ts';

/**
 * Writes people's messages down as data: escaped, quotes framed, in groups with the speaker's name. All messages of the
 * log alike, old ones too, so that none is trusted again later and requests go on beginning alike.
 */
export const inputFraming: MiddlewareKind = {
  name: 'input-framing',
  create: () => ({
    beforeModel: (run, draft) => ({ ...draft, render: rendererFor(run.request.context.chatKind) }),
  }),
};
