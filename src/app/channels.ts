import { feishu } from '../../channels/feishu/index.ts';
import { slack } from '../../channels/slack/index.ts';
import { telegram } from '../../channels/telegram/index.ts';
import { web } from '../../channels/web/index.ts';
import { wechat } from '../../channels/wechat/index.ts';
import { wecom } from '../../channels/wecom/index.ts';
import { AntlerError } from '../base/errors.ts';
import type { ChannelBook, ChannelEntry, ChatSettings } from '../channel/book.ts';
import type { Manifest } from '../channel/port.ts';
import type { ChannelConfig, Config } from '../config/schema/config.ts';

/** Every channel type that this build has. A manifest is data; its SDK is loaded when a channel of it is enabled. */
export const manifests: readonly Manifest[] = [web, slack, telegram, feishu, wechat, wecom];

/** The enabled channels of a configuration, with what the rooms need to know of them. */
export function channelBook(config: Config): ChannelBook {
  const enabled = Object.values(config.channels).filter((channel) => channel.enabled);
  return new Map(enabled.map((channel) => [channel.name, entryOf(channel)]));
}

function entryOf(channel: ChannelConfig): ChannelEntry {
  const general = manifests.find(({ type }) => type === channel.type);
  if (general === undefined) throw new AntlerError('config_invalid', `no channel type ${channel.type}`);
  const manifest = { ...general, ...general.forSettings?.(channel.settings) };
  const { access } = channel;
  return {
    manifest,
    settings: {
      name: channel.name,
      access: {
        dm: access.dm,
        allowUsers: access.allow_users,
        admins: access.admins,
        groups: access.groups,
        allowGroups: access.allow_groups,
        requireMention: access.require_mention,
        answerAll: access.answer_all,
        role: access.role,
        bots:
          access.bots.policy === 'ignore'
            ? null
            : { most: access.bots.most, windowMs: access.bots.window_minutes * 60_000, hops: access.bots.hops },
      },
      groupScope: channel.session.group_scope,
      reset: {
        idleMs: minutes(channel.session.reset_after_idle_minutes),
        dailyAtMinute: minuteOfDay(channel.session.reset_daily_at),
      },
      earlier: channel.session.earlier,
      overhear: channel.session.overhear,
      assistantId: channel.assistant_id,
      busy: channel.busy,
      quiet: {
        whenIdleMs: channel.burst.wait_ms,
        whenBusyMs: channel.burst.wait_busy_ms,
        mostMs: channel.burst.most_ms,
      },
      resendForMs: resendForMs(manifest.capabilities.knowsRepeatsForMs, channel.uncertain),
      chats: new Map(Object.entries(channel.chats).map(([id, chat]) => [id, chatSettings(chat)])),
    },
  };
}

function chatSettings(chat: ChannelConfig['chats'][string]): ChatSettings {
  return {
    ...(chat.busy === undefined ? {} : { busy: chat.busy }),
    ...(chat.group_scope === undefined ? {} : { groupScope: chat.group_scope }),
    ...(chat.require_mention === undefined ? {} : { requireMention: chat.require_mention }),
  };
}

const minutes = (count: number | undefined): number | null => (count === undefined ? null : count * 60_000);

function minuteOfDay(time: string | undefined): number | null {
  if (time === undefined) return null;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Longer than any outage that a message is worth waiting for. */
const RESEND_AT_RISK_MS = 86_400_000;

const resendForMs = (knowsRepeatsForMs: number, policy: ChannelConfig['uncertain']): number =>
  policy === 'resend' ? RESEND_AT_RISK_MS : knowsRepeatsForMs;
