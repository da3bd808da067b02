import { playTelegram } from '../../src/simulator/play/telegram.ts';
import { adapterConformance } from '../../src/testing/conformance/suite.ts';
import { telegram as manifest } from './index.ts';

for (const transport of ['polling', 'webhook'] as const)
  adapterConformance({ name: `telegram, ${transport}`, manifest, play: () => playTelegram({ transport }) });
