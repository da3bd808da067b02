import { playSlack } from '../../src/simulator/play/slack.ts';
import { adapterConformance } from '../../src/testing/conformance/suite.ts';
import { slack as manifest } from './index.ts';

for (const transport of ['socket', 'http'] as const)
  adapterConformance({ name: `slack, ${transport}`, manifest, play: () => playSlack({ transport }) });
