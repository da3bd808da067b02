import { type ModelSimulator, startModel, text } from '../../simulator/model/index.ts';
import { answerTo } from '../bench/stage.ts';
import { startFeishuSide } from './feishu-side.ts';
import type { Plan } from './plan.ts';
import type { Room, Side } from './side.ts';
import { startTelegramSide } from './telegram-side.ts';

/** What the fleet talks to: the platforms, and a model that repeats every number it is asked. */
export interface Platform {
  readonly sides: readonly Side[];
  readonly rooms: readonly Room[];
  /** The configuration of an Antler with all channels. */
  readonly config: object;
  stop(): Promise<void>;
}

/** Long enough that some kills hit a run. */
const MODEL_MOST_MS = 40;

export async function startPlatform({ bots, apps, chats, appChats }: Plan): Promise<Platform> {
  const [model, ...sides] = await Promise.all([
    startModel(),
    startTelegramSide({ bots, chats: chats - appChats }),
    startFeishuSide({ apps, chats: appChats }),
  ]);
  model.handle((request) => ({
    parts: [{ kind: 'wait', ms: Math.random() * MODEL_MOST_MS }, ...partsOf(answerTo(request))],
  }));
  return {
    sides,
    rooms: sides.flatMap((side) => side.rooms),
    config: configFor(model, sides),
    stop: async () => {
      await Promise.all([model, ...sides].map((one) => one.stop()));
    },
  };
}

const partsOf = (answer: string) => {
  const step = text(answer);
  return 'parts' in step ? step.parts : [];
};

function configFor(model: ModelSimulator, sides: readonly Side[]): object {
  return {
    version: 1,
    server: { port: 0 },
    // Nothing is to be learnt from numbers, and the model answers nobody but people.
    memory: { enabled: false },
    models: [{ name: 'main', base_url: model.url, api_key: 'sk-chaos-0123456789', model: 'chaos-model' }],
    channels: Object.assign({ web: { enabled: false } }, ...sides.map((side) => side.channels)),
    log: { level: 'info' },
  };
}
