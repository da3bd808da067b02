import { playFeishu } from '../../src/simulator/play/feishu.ts';
import { adapterConformance } from '../../src/testing/conformance/suite.ts';
import { feishu as manifest } from './index.ts';

for (const transport of ['websocket', 'webhook'] as const)
  adapterConformance({ name: `feishu, ${transport}`, manifest, play: () => playFeishu({ transport }) });
