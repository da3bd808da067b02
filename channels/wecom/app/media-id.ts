const MARK = 'media:';

/** A file that people sent to an app, by the id under which WeCom keeps it for three days. */
export const writeMediaId = (mediaId: string): string => MARK + mediaId;

/** Null for what is no id of ours. */
export const readMediaId = (id: string): string | null =>
  id.startsWith(MARK) && id.length > MARK.length ? id.slice(MARK.length) : null;
