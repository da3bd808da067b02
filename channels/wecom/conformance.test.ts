import { playWecom } from '../../src/simulator/play/wecom.ts';
import { adapterConformance } from '../../src/testing/conformance/suite.ts';
import { wecomFor } from './testing/manifest.ts';

for (const transport of ['websocket', 'callback', 'app'] as const)
  adapterConformance({
    name: `wecom, ${transport}`,
    manifest: wecomFor(transport),
    play: () => playWecom({ transport }),
  });
