import { allows, type Rights } from '../people/rights.ts';
import { decide } from './match.ts';
import type { Answering, Effective, Question, Refused, Route, RoutingRule, Wanting, Wishes } from './port.ts';

export interface Routing {
  readonly rules: readonly RoutingRule[];
  /** What people chose for the place where it is asked. */
  readonly chosen: Wishes;
  /** What the configuration says of the asker, the chat, the channel, and of everything else. */
  readonly user: Wishes;
  readonly chat: Wishes;
  readonly channel: Wishes;
  readonly otherwise: Wishes & Pick<Answering, 'assistantId'>;
  /** Of the asker's role. */
  readonly rights: Pick<Rights, 'assistants' | 'models'>;
}

/**
 * Who answers a message and how: what was chosen, else the first rule that fits, else what is said of the person, the
 * chat, the channel, and last the default. What the asker may not use is passed over. Each setting is of the first that
 * has something to say of it.
 */
export function route(routing: Routing, question: Question): Route {
  const { rule, tried } = decide(routing.rules, question);
  const decided = rule === null ? undefined : routing.rules[rule];
  const wanting: readonly Wanting[] = [
    { source: { from: 'choice' }, wishes: routing.chosen },
    ...(rule === null || decided === undefined ? [] : [{ source: { from: 'rule', rule } as const, wishes: decided }]),
    { source: { from: 'user' }, wishes: routing.user },
    { source: { from: 'chat' }, wishes: routing.chat },
    { source: { from: 'channel' }, wishes: routing.channel },
    { source: { from: 'default' }, wishes: routing.otherwise },
  ];
  const refused: Refused[] = [];

  function first<Key extends keyof Answering>(
    key: Key,
    may: (value: Answering[Key]) => Refused['setting'] | null = () => null,
  ): Effective<Answering[Key]> | undefined {
    for (const { source, wishes } of wanting) {
      const value = wishes[key];
      if (value === undefined) continue;
      const setting = may(value);
      if (setting === null) return { value, source };
      refused.push({ source, setting, name: String(value) });
    }
    return undefined;
  }

  const { assistants, models } = routing.rights;
  const assistantId = first('assistantId', (name) => (allows(assistants, name) ? null : 'assistantId'));
  const model = first('model', (name) => (allows(models, name) ? null : 'model'));
  const reasoningEffort = first('reasoningEffort');
  const maxSteps = first('maxSteps');
  const maxRunTokens = first('maxRunTokens');
  return {
    assistantId: assistantId ?? null,
    settings: {
      ...(model === undefined ? {} : { model }),
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(maxRunTokens === undefined ? {} : { maxRunTokens }),
    },
    tried,
    refused,
  };
}

/** What a route comes to, for the run. */
export function wishesOf(route: Route): Omit<Wishes, 'assistantId'> {
  return Object.fromEntries(Object.entries(route.settings).map(([key, { value }]) => [key, value]));
}
