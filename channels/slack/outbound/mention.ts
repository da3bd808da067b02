const USER_ID = /^[UW][A-Z0-9]{2,24}$/;

/** How Slack writes a mention of a user; undefined for what is no user's id, as `!channel`. */
export const mentionOf = (user: string | null): string | undefined =>
  user !== null && USER_ID.test(user) ? `<@${user}>` : undefined;
