import type { Role } from '../base/roles.ts';
import { ROLES } from '../base/roles.ts';
import type { AnsweringEntry } from '../config/schema/answering.ts';
import type { Config } from '../config/schema/config.ts';
import type { RouteEntry } from '../config/schema/routing.ts';
import { withoutGroups } from '../harness/tools/groups.ts';
import type { RightsByRole } from '../people/rights.ts';
import type { RoleHolders } from '../people/roles.ts';
import type { Match, RoutingRule, Wishes } from '../routing/port.ts';
import { createRouter, type Router } from '../routing/router.ts';

/** Who answers, by the configuration. */
export function routerOf(config: Config): Router {
  return createRouter({
    rules: config.routing.map(ruleOf),
    channels: new Map(
      Object.values(config.channels).map((channel) => [
        channel.name,
        {
          // A channel that names no assistant has the default one.
          channel: wishesOf({
            ...channel,
            assistant_id: channel.assistant_id === config.assistant_id ? undefined : channel.assistant_id,
          }),
          chats: wishesBy(channel.chats),
          users: wishesBy(channel.users),
        },
      ]),
    ),
    assistantId: config.assistant_id,
    rights: rightsOf(config),
    assistants: Object.keys(config.assistants),
    models: config.models.map(({ name }) => name),
  });
}

export const holdersOf = ({ roles }: Config): Readonly<Record<Role, RoleHolders>> => roles;

/** What each role may use. */
export function rightsOf({ roles }: Config): RightsByRole {
  const rights = ROLES.map((role) => {
    const { assistants, tools, models, skills, commands } = roles[role];
    return [role, { assistants, tools: withoutGroups(tools), models, skills, commands }] as const;
  });
  return Object.fromEntries(rights) as unknown as RightsByRole;
}

const wishesBy = (entries: Readonly<Record<string, AnsweringEntry>>): ReadonlyMap<string, Wishes> =>
  new Map(Object.entries(entries).map(([id, entry]) => [id, wishesOf(entry)]));

function wishesOf(entry: { readonly [Key in keyof AnsweringEntry]?: AnsweringEntry[Key] | undefined }): Wishes {
  const { assistant_id: assistantId, model, reasoning_effort: reasoningEffort } = entry;
  const { max_steps: maxSteps, max_run_tokens: maxRunTokens } = entry;
  return {
    ...(assistantId === undefined ? {} : { assistantId }),
    ...(model === undefined ? {} : { model }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxRunTokens === undefined ? {} : { maxRunTokens }),
  };
}

const ruleOf = (entry: RouteEntry): RoutingRule => ({
  ...wishesOf(entry),
  assistantId: entry.assistant_id,
  match: matchOf(entry.match),
});

function matchOf({ chat_kind: chatKind, ...lists }: RouteEntry['match']): Match {
  const given = Object.entries(lists).flatMap(([part, wanted]) =>
    wanted === undefined ? [] : [[part, [wanted].flat()]],
  );
  return { ...Object.fromEntries(given), ...(chatKind === undefined ? {} : { chatKind }) };
}
