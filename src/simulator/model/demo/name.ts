const told: readonly RegExp[] = [
  /\bmy name(?: is|['’]s) ([\p{L}][\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*)?)/iu,
  /\b(?:call me|i am called) ([\p{L}][\p{L}\p{M}'’-]*)/iu,
  /\b[Ii](?:['’]m| am) (\p{Lu}[\p{L}\p{M}'’-]*)/u,
  /(?:我叫|叫我|我的名字是|我名叫)\s*([\p{Script=Han}A-Za-z·]{1,12}?)(?=[，。！？,.!?\s吧]|$)/u,
];

/** What people ask, rather than tell: 我叫什么. */
const noName = /^(?:什么|啥|谁|what|who)/i;

/** The name that somebody gave themselves, the newest one. */
export function nameTold(texts: readonly string[]): string | undefined {
  for (const text of texts.toReversed())
    for (const pattern of told) {
      const name = pattern.exec(text)?.[1];
      if (name !== undefined && !noName.test(name)) return name;
    }
  return undefined;
}
