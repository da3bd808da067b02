/** Where the outside reaches a channel's webhook, on an installation that has a public address. */
export function webhookUrl(publicUrl: string, channel: string): string {
  return new URL(`/webhooks/${encodeURIComponent(channel)}`, publicUrl).href;
}
