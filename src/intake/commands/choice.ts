import { isAtLeast } from '../../base/roles.ts';
import { type Sentence, say } from '../../base/sentences.ts';
import type { Choice } from '../../store/port.ts';
import type { CommandScene, Handler } from './scene.ts';

/** What takes a choice back. */
const NONE = /^(default|auto|默认)$/i;

export const chooseModel: Handler = (scene, args) => {
  const { router, who, route } = scene;
  return choose(scene, args, {
    key: 'model',
    names: router.models(who.role),
    current: route.settings.model?.value ?? null,
    list: 'model_choice',
    done: 'model_chosen',
  });
};

export const chooseAssistant: Handler = (scene, args) => {
  const { router, who, route } = scene;
  return choose(scene, args, {
    key: 'assistant',
    names: router.assistants(who.role),
    current: route.assistantId?.value ?? null,
    list: 'assistant_choice',
    done: 'assistant_chosen',
  });
};

interface Choosing {
  readonly key: keyof Choice;
  readonly names: readonly string[];
  readonly current: string | null;
  readonly list: Sentence;
  readonly done: Sentence;
}

async function choose(
  { store, place, language, who, message, clock }: CommandScene,
  args: string,
  { key, names, current, list, done }: Choosing,
): Promise<string> {
  const shown = names.map((name) => (name === current ? `- **${name}**` : `- ${name}`)).join('\n');
  const listed = `${say(language, list)}\n\n${shown}`;
  if (args === '') return names.length === 0 ? say(language, 'choice_none') : listed;
  // In a group the choice is everybody's.
  if (message.chat.kind === 'group' && !isAtLeast(who.role, 'operator')) return say(language, 'operators_only');
  const name = NONE.test(args) ? null : names.find((known) => known.toLowerCase() === args.toLowerCase());
  if (name === undefined) return listed;
  await store.choices.set(place, { [key]: name }, who.user.key, clock.now());
  return name === null ? say(language, 'choice_undone') : say(language, done, { name });
}
