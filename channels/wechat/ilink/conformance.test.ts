import { playIlink } from '../../../src/simulator/play/ilink.ts';
import { adapterConformance } from '../../../src/testing/conformance/suite.ts';
import { wechat as manifest } from '../index.ts';

adapterConformance({ name: 'wechat, ilink', manifest, play: playIlink });
